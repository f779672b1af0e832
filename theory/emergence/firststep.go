package emergence

import (
	"math"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// FirstStep is the claim emergence/firststep: Lemma 5 with constants that can be evaluated.
var FirstStep = theory.Statement{
	Slug:  "emergence/firststep",
	Title: "The first gradient: βγ/σ̃ on A up to ε_A, and an identity outside",
	Plain: "On the k relevant bits, the first gradient equals a common multiple of the label covariance, up to " +
		"a proved and attained bound.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "x = M(φ̃ − E φ̃)/σ̃ with bits φ̃ ∈ {0,1}^D, σ̃ > 0; y = ±1 by the count on A, |A| = k; all i ∈ A have the " +
		"same γ = E[yφ̃ᵢ] − E[y]E[φ̃ᵢ] and the same μ = E φ̃ᵢ; the bits outside A are independent and one with probability " +
		"p_o. Tⱼ = E[y φⱼ ψ(z)] with φ = (φ̃ − E φ̃)/σ̃, z = Σⱼ φⱼqⱼ + b: the gradient of the hinge loss of a paired " +
		"network in wᵢ is −aᵢΣⱼTⱼMⱼ. ψ is the derivative of σ(z) = min(1, max(z, 0)), averaged over Gaussian noise of " +
		"standard deviation σ_ξ ≥ 0 in z. I = ψ(z), and I₋A is the same without the terms on A; Δⱼ = ψ(z at φ̃ⱼ = 1) − ψ(z " +
		"at φ̃ⱼ = 0).",
	Params: []theory.Param{
		hiddenBits(1, 300, "100"), relevantBits(1, 9, "5"), background, uniformOrEqual,
		{Name: "spread", Symbol: "max|q|",
			Meaning: "largest weight; q_l is this times (((7l+3) mod 41) − 20)/20, l = 0, 1, …",
			Domain:  theory.Above(0), Default: "0.333333333333333333"},
		{Name: "bias", Symbol: "b", Meaning: "bias of the neuron", Domain: theory.Real(), Default: "0.0313"},
		{Name: "noise", Symbol: "σ_ξ", Meaning: "standard deviation of the injected noise", Domain: theory.AtLeast(0),
			Default: "0"},
	},
	Claim: "With β = E[I₋A], ε_A = E|I − I₋A| and m = max(μ, 1−μ): |Tⱼ − βγ/σ̃| ≤ m·ε_A/σ̃ for j ∈ A. For j ∉ A, Tⱼ " +
		"= p_o(1−p_o)/σ̃ · E[yΔⱼ], so |Tⱼ| ≤ σ_φ²σ̃·E|Δⱼ| with σ_φ² = p_o(1−p_o)/σ̃². The first bound is attained " +
		"for γ = 1/2 and weights on A that close the gate.",
	TeX: `\left| T_j - \frac{\beta\gamma}{\tilde\sigma} \right| \le \frac{\max(\mu, ` +
		`1-\mu)\,\varepsilon_A}{\tilde\sigma} ` +
		`\;(j \in A), \qquad T_j = \sigma_\phi^2 \tilde\sigma \, E[y \Delta_j] \;(j \notin A)`,
	Assumptions: []theory.Assumption{
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "equal-covariance", Text: "all bits on A have the same γ (A1)"},
		{ID: "alike-background", Text: "the bits outside A all have the probability p_o (A2)"},
		{ID: "own-gate", Text: "T, β and Δ use the same gate: the same noise and the same upper cut"},
	},
	Source: paper.At("Lemma 5"),
	Deviations: "The source prints |Tⱼ − βγ/σ̃| ≤ O(ε_e/σ̃) and |Tⱼ| ≤ O(σ_φ²ε_eσ̃); the sizes of ε_e and β are in an " +
		"appendix that was not read. Here ε_A and E|Δⱼ|, which can be evaluated, take the place of ε_e, and the constants " +
		"are m ≤ 1 and 1. Balanced labels (A0) and γ > 0 are not needed. The claim does not say that β is bounded away " +
		"from 0 or ε is small for Gaussian weights and p_o = Ω(k²/D).",
	Proof: "I₋A is independent of y and of the bits on A, so E[yφⱼI₋A] = βγ/σ̃ for j ∈ A; and |φⱼ| ≤ m/σ̃. For j ∉ A " +
		"condition on all other bits: φ̃ⱼ is independent of them and of y, and E[φⱼψ] = p_o(1−p_o)(ψ(1) − ψ(0))/σ̃.",
	Tolerance: "T is compared with a sum over atoms of probability 1 in total, each the product of at most D factors; " +
		"the gate's argument errs by (2D + 10)u·Σ|qⱼ|/σ̃ + 2u|b| and its slope is at most 1/(2σ_ξ) with noise and 0 " +
		"without noise, where a case with an atom that close to a kink is declined: |error| ≤ (4D + N + 2ᵏ⁺¹ + 40)u/σ̃ for " +
		"N inputs, N = 32D by convolution, plus the error of the gate with noise, and 12u/σ̃. The bound on A has N + 2ᵏ⁺¹ " +
		"more roundings.",
	Limits: "Weights lie on a lattice, where the law of the background sum is exact: all inputs are visited up to D = " +
		"10, and a convolution replaces this up to D = 200. No pre-activation lies at a kink. The sizes of ε_A and E|Δⱼ| " +
		"are measured, not claimed.",
	Predict: func(v theory.Values) []theory.Quantity {
		g := gradientOf(v)
		c := g.Certificate()
		on, outside, epsilon := 0.0, 0.0, 0.0
		for j, t := range c.T {
			if j < len(g.Law.Support) {
				on += t / float64(len(g.Law.Support))
			} else {
				outside, epsilon = max(outside, math.Abs(t)), max(epsilon, c.Change[j])
			}
		}
		return []theory.Quantity{
			{Name: "sigma", Symbol: "σ̃", Value: c.Sigma, Meaning: "square root of the total variance"},
			{Name: "gamma", Symbol: "γ", Value: c.Gamma, Meaning: "covariance of label and relevant bit"},
			{Name: "beta", Symbol: "β", Value: c.Beta, Meaning: "mean of the gate without the bits on A"},
			{Name: "epsilon", Symbol: "ε_A", Value: c.Epsilon, Meaning: "mean change of the gate by the bits on A"},
			{Name: "level", Symbol: "βγ/σ̃", Value: c.Level(), Meaning: "T on A, up to the next line"},
			{Name: "allowed", Symbol: "mε_A/σ̃", Value: c.Allowed(), Meaning: "largest distance of T on A from that level"},
			{Name: "on", Symbol: "T on A", Value: on, Meaning: "its mean over A"},
			{Name: "outside", Symbol: "max|T| outside", Value: outside, Meaning: "by the identity outside A"},
			{Name: "change", Symbol: "max E|Δⱼ|", Value: epsilon,
				Meaning: "largest mean change of the gate by one bit outside A"},
			{Name: "cosine", Symbol: "cos(T, 1_A)", Value: c.Cosine(len(g.Law.Support)),
				Meaning: "cosine of the gradient and the effective feature, 0 if the gate is closed"},
		}
	},
	Violated: func(v theory.Values) error { return mixtureOf(v).Valid() },
}

// gradientOf returns the neuron for a user's parameters.
func gradientOf(v theory.Values) Gradient {
	m := mixtureOf(v)
	if m.Valid() != nil {
		return Gradient{}
	}
	g := Gradient{Law: m.Bits(), Steps: Sevens(m.Dim), Bias: v.Float("bias"), Noise: v.Float("noise")}
	g.Unit = v.Float("spread") / 20 / m.Deviation()
	return g
}

// Sevens returns ((7l + 3) mod 41) − 20 for l < n: integers of both signs that are spread over [−20, 20].
func Sevens(n int) []int {
	return list.Fill(n, func(l int) int { return (7*l+3)%41 - 20 })
}
