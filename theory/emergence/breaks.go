package emergence

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/thm-suite/thm/theory"
)

// Breaks is the claim emergence/breaks: the parts of the source's recipe that make the features emerge.
var Breaks = theory.Statement{
	Slug:  "emergence/breaks",
	Title: "Ingredients without which the feature does not emerge, in 16 pairs of neurons on 20 to 60 bits",
	Plain: "In experiments, leaving out any one of forgetting, noise, mirrored neurons and structured inputs changes " +
		"how the relevant feature emerges, within explicit bounds.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Parity of k bits under D_A(λ), k odd; bits outside A are one with probability p_o. The recipe: paired " +
		"neurons at the source's initial scales and two steps over n fresh samples each, with injected noise s = k^(−3/2) " +
		"and forgetting, λ_w = 1/(2η), at η₁ = 10⁻³ and η₂ = 1. Each variant leaves one ingredient out. u = Σ_A Mⱼ/√k is " +
		"the effective feature, θ the angle between w and ±u, and L = σ̃²(1−v)/(nkγ²) the law of tan²θ in " +
		"emergence/sampling. z = ⟨w,x⟩ + b is taken before the second step.",
	Params: []theory.Param{
		hiddenBits(3, 1000, "30"), relevantBits(3, 15, "3"),
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
			Domain: theory.Between(0.05, 0.5), Default: "0.5"},
		{Name: "uniform", Symbol: "λ",
			Meaning: "share of the inputs whose bits on A are uniform; less than 1, so that γ > 0",
			Domain:  theory.Between(0, 0.9), Default: "0.5"},
		{Name: "n", Symbol: "n", Meaning: "samples in each step", Domain: theory.IntegerBetween(100, 1e6),
			Default: "4000"},
		{Name: "m", Symbol: "m", Meaning: "number of neurons; as many mirrors", Domain: theory.IntegerBetween(8, 1000),
			Default: "32"},
	},
	Claim: "With the full recipe no neuron is dead. The median of tan²θ is at most the median of (√(rρL(1+δ)) + τ)² " +
		"after the first step, and at most rL after the second, where r allows for the scatter of the samples, ρ and δ are " +
		"defined in emergence/sampling, and τ = ‖T outside A‖/‖T on A‖ to leading order as in emergence/leading. Without " +
		"forgetting (λ_w = 0, η = 10⁻³ in both steps) the direction of a neuron moves by at most 2η(|a|+|a′|)max‖x‖/‖w⁰‖, " +
		"with a and a′ its output weights before the two steps. Without noise a neuron's second gradient is exactly zero " +
		"if z < 0 on all inputs, and not zero if 0 < z < 1 on all inputs. Without mirrors the median of tan²θ after " +
		"the second step is at most 2rL, if in that step all inputs are inside their margins, or exactly those of " +
		"one label. On uniform inputs and for k > 1, the distance between the vectors w/(aψ(b)) of two neurons i and " +
		"j after the second step is at most sup|ψ′|·max‖x‖·(max|zᵢ−bᵢ|/ψ(bᵢ) + max|zⱼ−bⱼ|/ψ(bⱼ)): the neurons lie " +
		"near a common line, which is not along the effective feature.",
	TeX: `\tan^2 \theta \le r \frac{\tilde\sigma^2 (1-v)}{n k \gamma^2}, \qquad \left\lVert \frac{w_i}{a_i ` +
		`\psi(b_i)} - \frac{w_j}{a_j \psi(b_j)} \right\rVert \le \sup |\psi'| \max \lVert x \rVert \left( ` +
		`\frac{\max |u_i|}{\psi(b_i)} + \frac{\max |u_j|}{\psi(b_j)} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "forgetting", Text: "λ_w = 1/(2η) in both steps"},
		{ID: "noise", Text: "noise is injected"},
		{ID: "paired", Text: "neurons come with mirrors: the network is 0 before the first step"},
		{ID: "structured", Text: "the bits on A are equal on part of the inputs: γ > 0"},
	},
	Source: paper.At("section 5 and the slides: step-wise emergence"),
	Deviations: "The source says that all neurons converge. They do, up to sign and the sampling noise of " +
		"emergence/sampling, but only with injected noise: without it, the neurons with b < 0, about half, are dead.",
	Proof: "The second step is emergence/sampling. A gradient in w is at most |a|max‖x‖ long, and unit vectors along w " +
		"and w + δ are at most 2‖δ‖/‖w‖ apart. Where z < 0 the gate is closed, and where 0 < z < 1 on all inputs the " +
		"gradient is −a times the mean of yx. After the first step the output of a network without mirrors is nearly a " +
		"constant: beyond ±1 only the samples of one label count, n/2 in number, whose part of E[yx] is half of it up to " +
		"sign. With every input within its margin w = a·mean(yψ(b + u)x), and ψ(b + u) equals ψ(b) up to sup|ψ′||u|. On " +
		"uniform inputs the mean of yx is isotropic for large n, so the probability of |cos| > t is below (1 − " +
		"t²)^((D−1)/2).",
	Tolerance: "r is a quantile of χ² with D − k degrees of freedom, divided by D − k, at the level of a criterion, " +
		"and divided by the square of 1 − 6.2 deviations of the part along u, as in emergence/clusters. That this " +
		"covers the terms beyond the leading order of the first step, of relative order k/σ̃², is a finding. The " +
		"bound on the distance to one line is two orders of magnitude above the observed values, because u and x " +
		"hardly depend on each other.",
	Limits: "20 ≤ D ≤ 60, k ≤ 5, 0.2 ≤ λ ≤ 0.6, p_o = 1/4 and 1/2, 2000 ≤ n < 4000, 16 neurons and their mirrors. The " +
		"loss of accuracy of the first step without mirrors is measured and not claimed.",
	Cost: "Every case takes ten steps of a network.",
	Predict: func(v theory.Values) []theory.Quantity {
		d := directionOf(v)
		return theory.Limits("D → ∞", []theory.Quantity{
			{Name: "second", Symbol: "|cos| after step 2", Value: d.Cosine(), Meaning: "median, by the recipe"},
			{Name: "kept", Symbol: "|cos| without forgetting", Value: medianCosine(v.Int("D")),
				Meaning: "median for a uniform direction, as at the start"},
			{Name: "dead", Symbol: "Pr[b < 0]", Value: 0.5, Meaning: "share of dead neurons without noise",
				Nonnegative: true},
		}, "kept", "dead")
	},
	Violated: func(v theory.Values) error { return mixtureOf(v).Valid() },
	RestsOn:  []string{"emergence/sampling", "emergence/leading", "emergence/secondstep"},
}

// FirstStep returns (√(rρL(1+δ)) + τ)², which bounds tan² of a neuron after the first step of the recipe up to terms of
// relative order k/σ̃². Here r is the scatter of the samples, L = Tan2 for ρ = 1, δ the dependence of gate and length,
// and τ = ‖T outside A‖/‖T on A‖ to leading order; q (length D) are the weights, relevant the indicator of A, and s the
// noise. It is NaN outside the hypotheses.
func (d Direction) FirstStep(r float64, q, relevant []float64, bias, s float64) float64 {
	if d.Valid() != nil || len(q) != d.Mixture.Dim || len(relevant) != len(q) {
		return math.NaN()
	}
	m, on, onSquare, square := d.Mixture, 0.0, 0.0, 0.0
	for j, x := range q {
		if relevant[j] == 1 {
			on, onSquare = on+x, onSquare+x*x
		} else {
			square += x * x
		}
	}
	deviation := math.Sqrt(m.Background*(1-m.Background)*square+onSquare/4) / m.Deviation()
	d.Rho = Rho(bias, deviation, s)
	sampled := r * d.Tan2() * (1 + d.Dependence(q, relevant, bias, deviation, s))
	lead := LeadingOrder(m, square, bias, s)
	missed := lead.Outside(1, on) / lead.Level() * math.Sqrt(square/float64(m.Count))
	return math.Pow(math.Sqrt(sampled)+math.Abs(missed), 2)
}

// medianCosine returns the median of |cos| of a uniform direction in d dimensions with a given one, whose square is a
// Beta(1/2, (d−1)/2) variable.
func medianCosine(d int) float64 { return math.Sqrt(mathext.InvRegIncBeta(0.5, float64(d-1)/2, 0.5)) }

// IsotropicCosine returns t with (1 − t²)^((d−1)/2) = probability. With at most that probability, |cos| between a
// uniform direction and a given one exceeds t. It is NaN unless d ≥ 2 and 0 < probability ≤ 1.
func IsotropicCosine(d int, probability float64) float64 {
	return theory.When(d >= 2 && probability > 0 && probability <= 1, math.Sqrt(1-math.Pow(probability, 2/float64(d-1))))
}
