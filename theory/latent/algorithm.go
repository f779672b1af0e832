package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Algorithm is the claim latent/algorithm: the identities on which Algorithm 1 is built.
var Algorithm = theory.Statement{
	Slug:     "latent/algorithm",
	Title:    "First step of Algorithm 1",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "f(x) = Σ_{j≤m} aⱼ max(0, wⱼ·x + bⱼ) with even m, aⱼ = ±1, and neurons j and j + m/2 with the same wⱼ and bⱼ and " +
		"opposite aⱼ. Samples (xᵢ, yᵢ), any, with loss L = (1/n)Σ(f(xᵢ) − yᵢ)², without ½. The slope of ReLU at 0 is 1. " +
		"One step W ← W − η(∇L + λW).",
	Params: []theory.Param{
		{Name: "x", Symbol: "xᵢ", Meaning: "samples", Shape: "n×d"},
		{Name: "y", Symbol: "yᵢ", Meaning: "labels", Shape: "n"},
		{Name: "w", Symbol: "wⱼ", Meaning: "first layer", Shape: "m×d"},
	},
	Claim: "f = 0 at the start. The loss has the directional derivative ⟨∇L, D⟩ with ∇_{wⱼ}L = −2aⱼ(1/n)Σᵢ yᵢxᵢ1{wⱼ·xᵢ+bⱼ≥0}, " +
		"which for bⱼ = 0 depends on the direction of wⱼ alone and changes its sign within a pair. With λ = 1/η the step " +
		"forgets the initial weights: W⁽¹⁾ = −η∇L.",
	TeX: `W^{(1)} = -\eta_1 \nabla_W L, \quad \nabla_{w_j} L = -\tfrac{2 a_j}{n} \sum_i y_i x_i 1_{w_j \cdot x_i + b_j \ge 0}`,
	Assumptions: []theory.Assumption{
		{ID: "paired", Text: "the neurons come in pairs with opposite signs"},
		{ID: "decay", Text: "λ = 1/η"},
		{ID: "loss", Text: "the loss has no ½"},
		{ID: "no-kink", Text: "no wⱼ·xᵢ + bⱼ is 0, for the derivative",
			NoControl: "on a kink the loss has no derivative; the cases move the weights by less than the distance to one"},
	},
	Source: paper.At("section 2.2 and Algorithm 1"),
	Deviations: "Pairs are j and j + m/2, as in the authors' program; the index rule as our notes report it pairs neuron m/2 " +
		"with itself.",
	Proof: "The chain rule at f = 0. Between kinks f is linear in W along a line, so that L is a quadratic polynomial and its " +
		"central difference is its derivative.",
	Tolerance: "A sum over m neurons errs by (m+d+4)u of the sum with all signs positive. The central difference with step h " +
		"errs by 4(m+d+n+8)u(L + size of f)²/h; the formula by (n+8)u of the sum over samples of |yᵢ|‖xᵢ‖.",
	Limits: "At most 12 neurons, 12 samples and 5 dimensions. Nothing is said about what the step learns.",
	Readings: []theory.Reading{{
		ID:             "index-rule",
		Reading:        "Pairs by the rule aⱼ = −a_{m−j} for j ≤ m/2, with aⱼ = ±1 where the rule leaves it open.",
		Locus:          "section 2.2 of the COLT version and companion slides, as our notes report the rule",
		Correct:        "aⱼ = −a_{m+1−j}, or aⱼ = −a_{j+m/2}.",
		Counterexample: "m = 2: a₁ = −a₁ cannot hold with a₁ = ±1, and a₂ is not paired; f(x) = a₁σ(w₁·x) + a₂σ(w₂·x) is not 0.",
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

// Head is the claim latent/head: where the second stage of Algorithm 1 ends, and when.
var Head = theory.Statement{
	Slug:     "latent/head",
	Title:    "Ridge regression as the end of the second stage of Algorithm 1",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Fixed features Φ (n×m), labels y, loss (1/n)‖Φa − y‖² without ½; a ← a − η(∇L + λa) from any a₀, with λ > 0. μ_k " +
		"are the eigenvalues of (2/n)ΦᵀΦ.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "weight decay", Domain: theory.Above(0), Default: "0.1"},
		{Name: "eta", Symbol: "η", Meaning: "step size", Domain: theory.Above(0), Default: "0.01"},
		{Name: "epsilon", Symbol: "ε", Meaning: "relative distance from the limit", Domain: theory.Inside(0, 1), Default: "1e-6"},
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerFrom(1), Default: "400"},
	},
	Claim: "The limit solves (ΦᵀΦ + (nλ/2)I)a = Φᵀy, whatever a₀ is, and the distance from it has the components " +
		"(1−η(μ_k+λ))^t of the one at the start. If η(μ_k+λ) ≤ 1 for all k, a relative distance ε takes at most " +
		"ln(1/ε)/(ηλ) + 1 steps. Along λ, ‖a‖ never grows and the training loss never falls.",
	TeX: `\left(\Phi^\top\Phi + \tfrac{n\lambda}{2} I\right) a = \Phi^\top y`,
	Assumptions: []theory.Assumption{
		{ID: "decay", Text: "λ > 0 in every step"},
		{ID: "loss", Text: "the loss has no ½ and a mean over the samples"},
		{ID: "small", Text: "η(μ_k+λ) ≤ 1, for the number of steps"},
	},
	Source: paper.At("Algorithm 1, second loop, and Theorem 1 with T = Θ̃(1/(ηλ))"),
	Proof: "The step is affine, a ← a − η[((2/n)ΦᵀΦ + λ)a − (2/n)Φᵀy]. (1−ηλ)^t ≤ e^(−ηλt). In the basis of eigenvectors a_k = " +
		"c_k/(μ_k+λ), and each term of ‖a‖² falls with λ while each term of the loss grows.",
	Tolerance: "Solutions err by 200(n+m)u times the condition number κ' = (μ₁+λ)/λ and the size of the solution; each step " +
		"adds (n+m+20)u of ‖a‖ and η‖∇L‖, which the later ones do not enlarge, so that t steps add min(t, 1/(ηλ)) times it.",
	Limits: "At most 20 samples and 12 features, of networks with random weights and of full or deficient rank.",
	Readings: []theory.Reading{{
		ID:             "ridge-formula",
		Reading:        "The limit is (ΦᵀΦ + λI)⁻¹Φᵀy with the λ of the algorithm.",
		Locus:          "companion slides, ridge formula",
		Correct:        "λ there is nλ/2 in the algorithm, whose loss is a mean without ½.",
		Counterexample: "n = 1, Φ = 1, y = 1, λ = 1: the limit is 1/(1 + ½) = 2/3, the formula gives ½.",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{
			{Name: "penalty", Symbol: "nλ/2", Value: v.Float("n") * v.Float("lambda") / 2, Meaning: "penalty of the ridge regression"},
			{Name: "steps", Symbol: "T ≤", Value: HeadSteps(v.Float("eta"), v.Float("lambda"), v.Float("epsilon")),
				Meaning: "steps that suffice"},
		}
	},
}

// HeadSteps returns ln(1/ε)/(ηλ) + 1.
func HeadSteps(eta, lambda, epsilon float64) float64 { return math.Log(1/epsilon)/(eta*lambda) + 1 }
