package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Head is the claim latent/head: the limit of the second stage of Algorithm 1, and the number of steps.
var Head = theory.Statement{
	Slug:  "latent/head",
	Title: "Ridge regression as the limit of the second stage of Algorithm 1",
	Plain: "For small enough steps, gradient descent with weight decay on the output weights converges to ridge " +
		"regression from any start.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Fixed features Φ (n×m), labels y, loss (1/n)‖Φa − y‖² without ½; a ← a − η(∇L + λa) from any a₀, with " +
		"η, λ > 0. μ_k are the eigenvalues of (2/n)ΦᵀΦ.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "weight decay", Domain: theory.AtLeast(1e-100), Default: "0.1"},
		{Name: "eta", Symbol: "η", Meaning: "step size", Domain: theory.AtLeast(1e-100), Default: "0.01"},
		{Name: "epsilon", Symbol: "ε", Meaning: "relative distance from the limit", Domain: theory.Inside(0, 1),
			Default: "1e-6"},
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerFrom(1), Default: "400"},
	},
	Claim: "After t steps each component of the distance from the solution of $(ΦᵀΦ + (nλ/2)I)a = Φᵀy$ is " +
		"(1−η(μ_k+λ))^t times its initial value, so that this solution is the limit from every a₀ if η(μ_k+λ) < 2 for all " +
		"k. If η(μ_k+λ) ≤ 1 for all k, a relative distance ε is reached in at most ln(1/ε)/(ηλ) + 1 steps. As λ " +
		"grows, the norm ‖a‖ of the solution never grows and its training loss never falls; no a of at most this " +
		"norm has a smaller training loss.",
	TeX: `\left(\Phi^\top\Phi + \tfrac{n\lambda}{2} I\right) a = \Phi^\top y`,
	Assumptions: []theory.Assumption{
		{ID: "decay", Text: "λ > 0 in every step"},
		{ID: "loss", Text: "the loss has no ½ and a mean over the samples"},
		{ID: "small", Text: "η(μ_k+λ) ≤ 1 (for the number of steps)"},
	},
	Source: paper.At("Algorithm 1, second loop, Theorem 1 with T = Θ̃(1/(ηλ)), and appendix A.3 on norm constraints"),
	Proof: "The step is affine, a ← a − η[((2/n)ΦᵀΦ + λ)a − (2/n)Φᵀy]. (1−ηλ)^t ≤ e^(−ηλt). In the basis of " +
		"eigenvectors a_k = c_k/(μ_k+λ), and each term of ‖a‖² falls with λ while each term of the loss grows. The " +
		"solution minimises the loss plus (λ/2)‖a‖², and so it minimises the loss among vectors of at most its norm.",
	Tolerance: "Solutions err by 200(n+m)u times the condition number κ' = (μ₁+λ)/λ and the size of the solution; each " +
		"step adds (n+m+20)u(‖a‖ + η‖∇L‖), which later steps do not enlarge, so that t steps add min(t, 1/(ηλ)) times this.",
	Limits: "At most 20 samples and 12 features. The features come from networks with random weights, and have full or " +
		"deficient rank.",
	Readings: []theory.Reading{{
		ID:             "ridge-formula",
		Reading:        "The limit is (ΦᵀΦ + λI)⁻¹Φᵀy with the λ of the algorithm.",
		Locus:          "companion slides, ridge formula",
		Correct:        "λ there is nλ/2 in the algorithm, whose loss is a mean without ½.",
		Counterexample: "n = 1, Φ = 1, y = 1, λ = 1: the limit is 1/(1 + ½) = 2/3, the formula gives ½.",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{
			{Name: "penalty", Symbol: "nλ/2", Value: v.Float("n") * v.Float("lambda") / 2,
				Meaning: "penalty of the ridge regression"},
			{Name: "steps", Symbol: "T ≤", Value: HeadSteps(v.Float("eta"), v.Float("lambda"), v.Float("epsilon")),
				Meaning: "number of steps that suffices", Bound: "≤"},
		}
	},
	Violated: func(v theory.Values) error {
		return theory.Require(v.Float("eta")*v.Float("lambda") <= 1,
			"latent: the number of steps needs η(μ_k+λ) ≤ 1, and here ηλ > 1")
	},
}

// HeadSteps returns ln(1/ε)/(ηλ) + 1.
func HeadSteps(eta, lambda, epsilon float64) float64 { return math.Log(1/epsilon)/(eta*lambda) + 1 }
