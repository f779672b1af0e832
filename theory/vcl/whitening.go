package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Whitening is the claim vcl/whitening.
var Whitening = theory.Statement{
	Slug:  "vcl/whitening",
	Title: "Whitening and the true covariance shift differ by the residual, and to second order",
	Plain: "Whitening matches the Gram matrix of gradient descent rather than the covariance shift; the " +
		"resulting weights differ to second order in the step size.",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting: "One step γ of a layer W (m×n) on inputs H and gradients Γ. The true shift prescribes the Gram matrix G = " +
		"WᵀW + D, where D is the covariance shift of vcl/residual. Whitening prescribes the Gram matrix of gradient " +
		"descent, G′ = W_sᵀW_s with W_s = W − γΓHᵀ.",
	Params: []theory.Param{
		{Name: "weight", Symbol: "w", Meaning: "weight of a layer with one output and one input",
			Domain: theory.Between(1e-6, 1e6), Default: "1"},
		{Name: "input", Symbol: "h", Meaning: "its input", Domain: theory.Between(-1e6, 1e6), Default: "2"},
		{Name: "g", Symbol: "g", Meaning: "gradient in its pre-activation", Domain: theory.Between(-1e6, 1e6),
			Default: "0.5"},
		stepSize(theory.Between(1e-9, 1e6), "0.1"), layerWeights, layerInputs, preActivationGrads,
		{Name: "G", Symbol: "G", Meaning: "target of the true shift, WᵀW + D", Shape: "n×n"},
		{Name: "G_descent", Symbol: "G′", Meaning: "Gram matrix of gradient descent", Shape: "n×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "whitened weights", Shape: "m×n"},
	},
	Claim: "G − G′ = −R exactly, R the residual of vcl/residual. G′ is a Gram matrix of m×n weights for every shape " +
		"and step, and polar(WW_sᵀ)W_s are the nearest weights with that Gram matrix. For W of full rank the nearest " +
		"weights for the two targets, G without its negative part and G′, differ by O(γ²), while each moves by O(γ).",
	TeX: `G - G' = -\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - W^{\top} \Gamma \Gamma^{\top} W \right), \quad ` +
		`\lVert W_+(G) - W_+(G') \rVert = O(\gamma^2)`,
	Assumptions: []theory.Assumption{
		{ID: "full-rank", Text: "W has full rank (for the order only)"},
		{ID: "both-nearest", Text: "both are the nearest weights with their Gram matrix"},
		{ID: "same-batch", Text: "both targets belong to one batch at one step size"},
	},
	Source:     successor.At("whitening, with equation (2) of the first paper"),
	Deviations: "The sources use the two targets separately; their difference is derived here.",
	Proof: "W_sᵀW_s = WᵀW + D + R is vcl/residual. The rest is vcl/procrustes: W_s is a factor of G′. For W of full " +
		"rank the nearest weights are a smooth function of the target near WᵀW, up to the negative part of G, which is of " +
		"order γ² (vcl/feasibility), and the targets differ by R, which is of order γ² too. For one weight the distance is " +
		"γ²g²(w² − h²)/(2w) to leading order.",
	Tolerance: "On integers both targets are exact; otherwise the bound of vcl/residual holds. For the order, with E(γ) " +
		"the difference of the solutions, twice E(γ) − 4E(γ/2) bounds the part that is not of second order; the rounding " +
		"error of a solution, 8(m+n)·u·κ²‖W‖, is added. That part is at most 0.41(10τ)³σ for τ = γ·max(‖ΓHᵀ‖, ‖WᵀΓ‖)/σ ≤ " +
		"1/10, σ the least singular value of W. Slopes are judged where the leading order stands out from the next; a step " +
		"that only turns the weights has no first order.",
	Limits: "Orders are measured for condition numbers of 2 and 30 and sides up to 30; nothing is said about which of " +
		"the two targets learns better.",
	RestsOn: []string{"vcl/residual", "vcl/procrustes", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := OneWeight{Weight: v.Float("weight"), Input: v.Float("input"), Gradient: v.Float("g"),
			Step: v.Float("step")}
		return []theory.Quantity{
			{Name: "residual", Symbol: "R", Value: s.Residual(), Meaning: "difference G′ − G of the targets"},
			{Name: "apart", Symbol: "|w₊(G) − w₊(G′)|", Value: s.Apart(), Meaning: "distance of the two solutions"},
			{Name: "leading", Symbol: "γ²g²|w² − h²|/(2w)", Value: s.Leading(),
				Meaning: "that distance to second order in γ"},
		}
	},
}

// OneWeight is a step of a layer with one output and one input on one sample.
type OneWeight struct{ Weight, Input, Gradient, Step float64 }

// Valid names the violated hypothesis.
func (s OneWeight) Valid() error {
	return theory.Require(s.Weight > 0 && !math.IsNaN(s.Input+s.Gradient+s.Step),
		"vcl: the weight must be positive, and the rest numbers")
}

// Residual returns G′ − G = γ²g²(h² − w²).
func (s OneWeight) Residual() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	move := s.Step * s.Gradient
	return move * move * (s.Input*s.Input - s.Weight*s.Weight)
}

// Apart returns |√G − |w − γgh||, where G = (w − γgh)² + γ²g²(w² − h²) counts as zero when it is negative.
func (s OneWeight) Apart() float64 {
	descent := math.Abs(s.Weight - s.Step*s.Gradient*s.Input)
	square := descent*descent - s.Residual()
	if math.IsNaN(square) {
		return math.NaN()
	}
	root := math.Sqrt(math.Max(0, square))
	if root > 0 { // the difference of the roots, without cancellation
		return math.Abs(s.Residual()) / (root + descent)
	}
	return descent
}

// Leading returns γ²g²|w² − h²|/(2w).
func (s OneWeight) Leading() float64 { return math.Abs(s.Residual()) / (2 * s.Weight) }

// Targets returns G = WᵀW + D and G′ = W_sᵀW_s, both n×n. All entries are NaN outside the hypotheses.
func (s LayerStep) Targets() (shift, descent *mat.Dense) {
	if s.Valid() != nil {
		return s.Shift(), s.Shift()
	}
	by := algebra.Scaled(-s.Step*s.Convention.Weights, algebra.Product(s.PreGrads, s.Inputs.T()))
	next := algebra.Sum(s.W, by)
	return algebra.Sum(s.Shift(), algebra.Product(s.W.T(), s.W)), algebra.Product(next.T(), next)
}
