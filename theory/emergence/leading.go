package emergence

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Leading is the claim emergence/leading: the limit of the first gradient as the background grows.
var Leading = theory.Statement{
	Slug:  "emergence/leading",
	Title: "To leading order the first gradient equals the second one, with the background sum as noise",
	Plain: "With many weak background bits, the first gradient follows the second gradient's formulas, with the " +
		"background sum acting as Gaussian noise.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "The laws of emergence/firststep with E y = 0, 0 < p_o < 1. Tⱼ = E[y φⱼ ψ(z)] with z = Σⱼ φⱼqⱼ + b and the " +
		"gate ψ under noise of standard deviation σ_ξ > 0; Z = Σ_{l∉A} φ_lq_l. The weights outside A are repeated n times, " +
		"and all weights are scaled so that Var Z stays the same; n → ∞.",
	Params: []theory.Param{
		hiddenBits(2, 4000, "400"), relevantBits(1, 9, "5"), background, uniformOrEqual,
		{Name: "spread", Symbol: "max|q|",
			Meaning: "largest weight; q_l is this times (((7l+3) mod 41) − 20)/20, l = 0, 1, …",
			Domain:  &theory.Domain{Min: new(float64), Max: ptr(100), OpenMin: true}, Default: "0.333333333333333333"},
		{Name: "bias", Symbol: "b", Meaning: "bias of the neuron", Domain: theory.Real(), Default: "0.04"},
		{Name: "noise", Symbol: "σ_ξ", Meaning: "standard deviation of the injected noise",
			Domain: theory.Between(1e-3, 100), Default: "0.089442719099991588"},
	},
	Claim: "With τ² = σ_ξ² + Var Z and Ψ(z) = Φ((1−z)/τ) − Φ(−z/τ): σ̃Tⱼ → Ψ(b)γ on A, and outside Tⱼ = " +
		"Ψ″(b)σ_φ²qⱼ(γ/σ̃)Σ_{l∈A}q_l + σ_φ²σ̃·|qⱼ|·o(1/n). These are the formulas of emergence/secondstep with τ in " +
		"place of σ_ξ. The relative remainder expands in powers of n^(−1/2), and of 1/n if p_o = 1/2 and the law of " +
		"the bits on A and y does not change when the bits are complemented and y is flipped.",
	TeX: `T_j \approx \Psi(b) \frac{\gamma}{\tilde\sigma} \;(j \in A), \qquad T_j \approx \Psi''(b)\, \sigma_\phi^2\, ` +
		`q_j \frac{\gamma}{\tilde\sigma} \sum_{l \in A} q_l \;(j \notin A)`,
	Assumptions: []theory.Assumption{
		{ID: "balanced", Text: "Pr[y = 1] = 1/2 (A0)"},
		{ID: "many", Text: "the background has many bits of comparable weight"},
		{ID: "noise", Text: "σ_ξ > 0, and the claim and the gate use the same noise"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)",
			NoControl: "emergence/firststep has one; the convolution presumes independence"},
	},
	Source: paper.At("Lemma 5"),
	Deviations: "The source bounds T outside A in order of magnitude. Without noise and with the upper cut out of reach " +
		"Ψ″(b) is −(b/τ²)·f(b), f the Gaussian density of Z. As a function of D with weights of order 1/k: ‖T outside " +
		"A‖/‖T on A‖ is of the order 1/(k√D), which is far below the worst case that the source's lemma allows. This is " +
		"why one step is nearly enough on the whole population.",
	Proof: "Tⱼ = (p_o(1−p_o)/σ̃)E[yΔⱼ], and Δⱼ is qⱼ/σ̃ times ψ′ to leading order. E ψ(b + w + Z) is Ψ(b + w) to " +
		"leading order by the central limit theorem, which an Edgeworth expansion refines for a smooth ψ. Expand in " +
		"w = Σ_{l∈A}φ_lq_l, which is of the order n^(−1/2) and has E y = 0, E[yw] = (γ/σ̃)Σ_{l∈A}q_l. On A, E[yφⱼΨ(b " +
		"+ w)] → E[yφⱼ]Ψ(b). Under both symmetries moments of odd order vanish, and with them every other term.",
	Tolerance: "Values at 16, 32, 64, … or 16, 64, 256, … times the weights are extrapolated to n = ∞ by the polynomial " +
		"through them, in 1/n or in n^(−1/2). Each value is an integral of characteristic functions, which converge " +
		"pointwise to those of the limit, and b enters by a factor of modulus 1. The tolerance is a bound on the integral " +
		"of |extrapolated − limit|, (1/π)∫|f| ≤ (∫|f|²·∫t²|f|²)^(1/4)/√π by Carlson's inequality, plus every rounding of " +
		"the convolution, of the extrapolation and of the formula. The bound presumes E y = 0 and uses neither b nor the " +
		"measurements.",
	Limits: "Four different weights outside A, up to 1024 of them, k ≤ 5. Without noise the law of Z, which lies on a " +
		"lattice here, is not smooth, and the claim is not checked there. Gaussian weights have a sum of fourth powers of " +
		"the same order; the proof covers them, but the check does not.",
	Predict: func(v theory.Values) []theory.Quantity {
		s, sum, largest, square := leadingOf(v)
		outside := math.Abs(s.Outside(1, sum))
		return theory.Limits("D → ∞", []theory.Quantity{
			{Name: "tau", Symbol: "τ", Value: s.Noise, Meaning: "noise and background together"},
			{Name: "on", Symbol: "Ψ(b)γ/σ̃", Value: s.Level(), Meaning: "T on A"},
			{Name: "outside", Symbol: "max|T| outside", Value: outside * largest, Meaning: "to leading order"},
			{Name: "ratio", Symbol: "‖T outside A‖/‖T on A‖",
				Value:   outside * math.Sqrt(square) / (s.Level() * math.Sqrt(v.Float("k"))),
				Meaning: "of the order 1/(k√D)"},
		}, "tau")
	},
	Violated: func(v theory.Values) error {
		m := mixtureOf(v)
		s, _, _, _ := leadingOf(v)
		return cmp.Or(
			m.Valid(),
			theory.Require(m.Dim != m.Count && m.Covariance() > 0,
				"emergence: D > k and λ < 1, so that there is a background and γ > 0"),
			theory.Require(s.Level() > 1e-300, "emergence: the gate is closed: b is too far from (0, 1)"),
		)
	},
	RestsOn: []string{"emergence/firststep", "emergence/secondstep"},
}

// leadingOf returns the neuron for a user's parameters, with the sum of its weights on A, and the largest weight and
// the sum of squares outside A.
func leadingOf(v theory.Values) (s Second, sum, largest, square float64) {
	m := mixtureOf(v)
	for l, step := range Sevens(m.Dim) {
		q := float64(step) * v.Float("spread") / 20
		if l < m.Count {
			sum += q
			continue
		}
		largest, square = max(largest, math.Abs(q)), square+q*q
	}
	return LeadingOrder(m, square, v.Float("bias"), v.Float("noise")), sum, largest, square
}

// LeadingOrder returns the neuron of emergence/secondstep whose formulas are the first gradient's leading order on a
// mixture law: square is Σ q² outside A, noise is σ_ξ.
func LeadingOrder(m Mixture, square, bias, noise float64) Second {
	sigma := m.Deviation()
	return Second{Gamma: m.Covariance(), Sigma: sigma, Mean: 0.5, Background: m.Background, Bias: bias,
		Noise: Together(noise, m.Background, square, sigma)}
}

// Together returns τ = √(σ_ξ² + p_o(1−p_o)Σq²/σ̃²), NaN unless σ_ξ, Σq² ≥ 0, 0 ≤ p_o ≤ 1 and σ̃ > 0.
func Together(noise, background, square, sigma float64) float64 {
	return theory.When(noise >= 0 && square >= 0 && background >= 0 && background <= 1 && sigma > 0,
		math.Sqrt(noise*noise+background*(1-background)*square/(sigma*sigma)))
}
