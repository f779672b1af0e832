package vcl

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

var factPaper = theory.Source{
	Paper: "E. Boix-Adserà, N. Mallinar, J. B. Simon, M. Belkin: FACT: the Features At Convergence Theorem for " +
		"neural networks",
	ArXiv: "2507.05644", Version: "v1", Year: 2025,
}

// Fact is the claim vcl/fact.
var Fact = theory.Statement{
	Slug:  "vcl/fact",
	Title: "Features at convergence: the Gram matrix under weight decay",
	Plain: "At a stationary point under weight decay, a layer's Gram matrix is determined by its inputs and the " +
		"gradients with respect to them.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "L = (1/N)Σ ℓᵢ + (λ/2)‖W‖² with λ > 0, minimised over the weights of a network; z = Wh one of its " +
		"layers.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "weight decay", Domain: theory.Inside(0, 1e100), Default: "0.01"},
		{Name: "weights", Symbol: "‖W‖", Meaning: "operator norm of the weights",
			Domain: theory.Between(0, 1e100), Default: "1"},
		{Name: "gradient", Symbol: "‖∇L‖_F", Meaning: "norm of the gradient of the regularised loss in W",
			Domain: theory.Between(0, 1e100), Default: "1e-6"},
		{Name: "step", Symbol: "γ", Meaning: "step size of the virtual shift",
			Domain: theory.Inside(0, 1e100), Default: "0.1"},
		layerWeights, allInputs,
		{Name: "Gamma", Symbol: "Γ",
			Meaning: "gradients of the per-sample losses ℓᵢ in the pre-activations; they only set the scale of rounding",
			Shape:   "m×N"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the per-sample losses ℓᵢ in the layer's inputs", Shape: "n×N"},
		{Name: "grad", Symbol: "∇L", Meaning: "gradient of the regularised mean loss in W", Shape: "m×n"},
	},
	Claim: "WᵀW + (1/(λN)) Σ ∇_hℓᵢ hᵢᵀ = Wᵀ∇L/λ; at a stationary point WᵀW = −(1/(λN)) Σ ∇_hℓᵢ hᵢᵀ, and the virtual " +
		"covariance shifts by 2γλWᵀW to first order.",
	TeX: `W^{\top} W + \frac{1}{\lambda N} \sum_{i=1}^{N} \nabla_h \ell_i \, h_i^{\top} ` +
		`= \frac{1}{\lambda} W^{\top} \nabla L`,
	Assumptions: []theory.Assumption{
		{ID: "decay", Text: "the loss carries the weight decay λ/2‖W‖² with the λ of the formula"},
		{ID: "stationary", Text: "the gradient of the regularised loss in W vanishes (for the second form)"},
		{ID: "only-use", Text: "z = Wh is the only use of h and of W"},
	},
	Source: factPaper.At("theorem on features at convergence"),
	Deviations: "The paper was known only from second-hand accounts; the identity is proved below. The factor ½ of the " +
		"decay and the mean over samples are written out. The printed form is the stationary one; the error off " +
		"stationarity and the link to the covariance shift are derived here.",
	Proof: "Multiply ∇L = (1/N)Σ gᵢhᵢᵀ + λW by Wᵀ and use vcl/equation. Where ∇L = 0 the sum is −λWᵀW, symmetric and " +
		"negative semidefinite, and the first-order shift of a step γ, −(γ/N)Σ(∇_hℓᵢhᵢᵀ + hᵢ∇_hℓᵢᵀ), is +2γλWᵀW: it " +
		"balances the decay.",
	Tolerance: "All sides are multiplied by λ. Inner products run over the m units or the N samples, nested: " +
		"(2(m+N)+10)·u times λ‖W‖² + ‖W‖‖Γ‖‖H‖/N. On integers, with dyadic λ and 1/N and with all gradients taken by " +
		"central differences of step 1 of quadratic losses, nothing is rounded and the tolerance is 0. At a point with " +
		"‖∇L‖ ≤ ε the stationary form errs by at most ‖W‖ε/λ; training ends with Newton's method at ε = 10⁻¹⁰.",
	Limits: "Convergence is tested on two-layer networks with up to 5 hidden units on 16 samples, for λ between 0.003 " +
		"and 0.03. In practice no training converges to gradients of 10⁻¹⁰; the bound ‖W‖‖∇L‖/λ then shows how weak the " +
		"conclusion is.",
	RestsOn: []string{"vcl/equation"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Stationarity{Lambda: v.Float("lambda"), Weights: v.Float("weights"), Gradient: v.Float("gradient")}
		return []theory.Quantity{
			{Name: "error", Symbol: "‖W‖‖∇L‖/λ", Value: s.Error(),
				Meaning: "largest distance of WᵀW from its value at convergence"},
			{Name: "shift", Symbol: "2γλ‖W‖²", Value: s.Shift(v.Float("step")),
				Meaning: "norm of the virtual covariance's shift at convergence"},
		}
	},
}

// Stationarity describes how close a layer is to convergence.
type Stationarity struct {
	Lambda   float64 // λ
	Weights  float64 // ‖W‖, operator norm
	Gradient float64 // ‖∇L‖_F
}

// Valid names the violated hypothesis.
func (s Stationarity) Valid() error {
	return cmp.Or(
		theory.Require(s.Lambda > 0, "vcl: the weight decay must be positive"),
		theory.Require(s.Weights >= 0 && s.Gradient >= 0, "vcl: norms must not be negative"),
	)
}

// Error returns ‖W‖‖∇L‖_F/λ, the largest ‖WᵀW + (1/(λN))Σ∇_hℓᵢhᵢᵀ‖_F.
func (s Stationarity) Error() float64 {
	return theory.When(s.Valid() == nil, s.Weights*s.Gradient/s.Lambda)
}

// Shift returns 2γλ‖W‖², the operator norm of the first-order shift at a stationary point.
func (s Stationarity) Shift(step float64) float64 {
	return theory.When(s.Valid() == nil, 2*step*s.Lambda*s.Weights*s.Weights)
}

// FactGram returns −(1/(λN))Σ ∇_hℓᵢ hᵢᵀ, n×n, for hidden states and their gradients in the columns of h and p (n×N):
// the Gram matrix at convergence. All entries are NaN for λ that is not positive.
func FactGram(h, p *mat.Dense, lambda float64) *mat.Dense {
	_, size := h.Dims()
	var gram mat.Dense
	gram.Mul(p, h.T())
	scale := -1 / (lambda * float64(size))
	if !(lambda > 0) {
		scale = math.NaN()
	}
	gram.Scale(scale, &gram)
	return &gram
}
