package latent

import "github.com/thm-suite/thm/theory"

// Algorithm is the claim latent/algorithm: the identities on which Algorithm 1 is built.
var Algorithm = theory.Statement{
	Slug:  "latent/algorithm",
	Title: "First step of Algorithm 1",
	Plain: "At its first step, Algorithm 1 forgets its initial weights and keeps only the gradient, which flips " +
		"its sign within each pair of neurons.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "f(x) = Σ_{j≤m} aⱼ max(0, wⱼ·x + bⱼ) with even m, aⱼ = ±1, and neurons j and j + m/2 with the same wⱼ and " +
		"bⱼ and opposite aⱼ. Arbitrary samples (xᵢ, yᵢ), with loss L = (1/n)Σ(f(xᵢ) − yᵢ)², without ½. The slope of ReLU " +
		"at 0 is 1. One step W ← W − η(∇L + λW).",
	Params: []theory.Param{
		{Name: "x", Symbol: "xᵢ", Meaning: "samples", Shape: "n×d"},
		{Name: "y", Symbol: "yᵢ", Meaning: "labels", Shape: "n"},
		{Name: "w", Symbol: "wⱼ", Meaning: "first layer", Shape: "m×d"},
	},
	Claim: "f = 0 at the start. The loss has the directional derivative ⟨∇L, D⟩ with $∇_{wⱼ}L = −2aⱼ(1/n)Σᵢ " +
		"yᵢxᵢ1{wⱼ·xᵢ+bⱼ≥0}$, which for bⱼ = 0 depends only on the direction of wⱼ, and has opposite signs within a pair. " +
		"With λ = 1/η the step forgets the initial weights: $W⁽¹⁾ = −η∇L$. For an initial network without pairs the " +
		"same gradient has the residuals yᵢ − f(xᵢ) in place of yᵢ.",
	TeX: `\nabla_{w_j} L = -\tfrac{2 a_j}{n} \sum_i y_i x_i 1_{w_j \cdot x_i + b_j \ge 0}, \quad ` +
		`W^{(1)} = -\eta_1 \nabla_W L`,
	Assumptions: []theory.Assumption{
		{ID: "paired", Text: "the neurons come in pairs with opposite signs (not for the last sentence)"},
		{ID: "decay", Text: "λ = 1/η"},
		{ID: "loss", Text: "the loss has no ½"},
		{ID: "no-kink", Text: "no wⱼ·xᵢ + bⱼ is 0 (for the derivative)",
			NoControl: "at a kink the loss has no derivative; the cases move the weights by less than the distance to a kink"},
	},
	Source: paper.At("section 2.2 and Algorithm 1"),
	Deviations: "Pairs are j and j + m/2, as in the authors' program; the source's index rule, as reported in our " +
		"notes, pairs neuron m/2 with itself.",
	Proof: "The chain rule; f = 0 for pairs. Between kinks f is linear in W along a line, so that L is a quadratic " +
		"polynomial and its central difference is its derivative.",
	Tolerance: "A sum over m neurons errs by (m+d+4)u of the sum with all signs positive. The central difference " +
		"with step h errs by 4(m+d+n+8)u(L + size of f)²/h; the formula by (n+8)u of the sum over samples of |yᵢ|‖xᵢ‖.",
	Limits: "At most 12 neurons, 12 samples and 5 dimensions. Nothing is said about what the step learns.",
	Readings: []theory.Reading{{
		ID:      "index-rule",
		Reading: "Pairs by the rule aⱼ = −a_{m−j} for j ≤ m/2, with aⱼ = ±1 where the rule does not determine it.",
		Locus:   "section 2.2 of the COLT version and companion slides, as reported in our notes",
		Correct: "aⱼ = −a_{m+1−j}, or aⱼ = −a_{j+m/2}.",
		Counterexample: "m = 2: a₁ = −a₁ cannot hold with a₁ = ±1, and a₂ is not paired; f(x) = a₁σ(w₁·x) + " +
			"a₂σ(w₂·x) is not 0.",
	}},
}

// NeuronGradient returns −2a(1/n)Σ yᵢxᵢ1{w·xᵢ + b ≥ 0} for the rows xᵢ of x.
func NeuronGradient(x [][]float64, y []float64, w []float64, a, b float64) []float64 {
	g := make([]float64, len(w))
	for i, xi := range x {
		p := b
		for k, v := range xi {
			p += w[k] * v
		}
		if p < 0 {
			continue
		}
		for k, v := range xi {
			g[k] -= 2 * a / float64(len(x)) * y[i] * v
		}
	}
	return g
}
