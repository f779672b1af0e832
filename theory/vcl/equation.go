package vcl

import (
	"cmp"

	"github.com/thm-suite/thm/theory"
)

// Equation is the claim vcl/equation.
var Equation = theory.Statement{
	Slug:  "vcl/equation",
	Title: "Feature learning equation: weights and hidden state see the same gradient",
	Plain: "A layer's transposed weights times their gradient equal the gradient in its input times the " +
		"transposed input, for every differentiable loss.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "Z = WH is the only use of H and of W in a differentiable scalar function f, a loss or an output; the " +
		"columns of H are the layer's inputs, one or a batch. Biases may be added to Z.",
	Params: []theory.Param{
		{Name: "w", Symbol: "‖∇_h f‖", Meaning: "norm of the gradient in the layer's input",
			Domain: theory.Between(0, 1e100), Default: "0.5"},
		{Name: "h", Symbol: "‖h‖", Meaning: "norm of the layer's input", Domain: theory.Between(0, 1e100),
			Default: "1"},
		{Name: "cosine", Symbol: "cos(h, ∇_h f)", Meaning: "cosine between input and its gradient",
			Domain: theory.Between(-1, 1), Default: "0"},
		layerWeights, layerInputs,
		{Name: "Gamma", Symbol: "Γ",
			Meaning: "gradient of f in the pre-activations Z; it only sets the scale of rounding",
			Shape:   "m×B"},
		{Name: "grad_W", Symbol: "∇_W f", Meaning: "gradient of f in the weights", Shape: "m×n"},
		{Name: "grad_H", Symbol: "∇_H f", Meaning: "gradient of f in the layer's inputs", Shape: "n×B"},
	},
	Claim: "$Wᵀ∇_W f = ∇_H f · Hᵀ$ for every differentiable function f of Z = WH.",
	TeX:   `W^{\top} \nabla_W f = \nabla_H f \cdot H^{\top}`,
	Assumptions: []theory.Assumption{
		{ID: "only-use-of-h", Text: "Z = WH is the only use of H"},
		{ID: "only-use-of-w", Text: "Z = WH is the only use of W"},
		{ID: "same-function", Text: "both gradients are of the same function"},
	},
	Source: paper.At("equation (1); Feature Learning Equation of arXiv 2605.06258"),
	Deviations: "The source prints the equation for one input h. For a batch in the columns of H it is the same " +
		"equation, summed.",
	Proof: "With Γ = ∂f/∂Z the chain rule gives ∇_W f = ΓHᵀ and ∇_H f = WᵀΓ; both sides are WᵀΓHᵀ. At a kink of an " +
		"activation the same holds for whatever derivative Γ uses.",
	Tolerance: "An entry of Wᵀ(ΓHᵀ) is an inner product of length m of inner products of length B, an entry of (WᵀΓ)Hᵀ " +
		"the other way round: they differ by at most (2(m+B)+1)·u‖W‖‖Γ‖‖H‖, where the 1 covers terms of higher order. On " +
		"integers and on piecewise linear networks the loss is quadratic in W and in H between kinks. Central differences " +
		"of dyadic steps then give its derivatives without rounding, so the tolerance is 0, and no backward pass is " +
		"involved. For smooth networks both sides are compared along random directions, uᵀ(Wᵀ∇_W f)v = D_W f[(Wu)vᵀ] and " +
		"uᵀ(∇_H f·Hᵀ)v = D_H f[u(Hᵀv)ᵀ], each by an extrapolated difference quotient of f with an estimate of its error.",
	Limits: "The chain rule, on networks of three dense layers with up to 12 units and 4 samples. The backpropagated " +
		"gradients come from one backward pass, so they show only that it is consistent; differences of the loss " +
		"show that it is right.",
	Predict: func(v theory.Values) []theory.Quantity {
		e := Transport{Gradient: v.Float("w"), Input: v.Float("h"), Cosine: v.Float("cosine")}
		lo, hi := e.Shift()
		return []theory.Quantity{
			{Name: "frobenius", Symbol: "‖Wᵀ∇_W f‖_F", Value: e.Frobenius(),
				Meaning: "Frobenius norm of both sides, for one input"},
			{Name: "trace", Symbol: "tr Wᵀ∇_W f", Value: e.Trace(),
				Meaning: "trace of both sides: ⟨W, ∇_W f⟩ = ⟨h, ∇_h f⟩"},
			{Name: "shift_min", Symbol: "λ₋", Value: lo,
				Meaning: "smaller eigenvalue of the symmetric part, doubled: the first-order decrease of WᵀW in a unit step"},
			{Name: "shift_max", Symbol: "λ₊", Value: hi, Meaning: "its larger eigenvalue"},
		}
	},
}

// Transport describes the matrix ∇_h f · hᵀ by its invariants.
type Transport struct {
	Gradient, Input float64 // ‖∇_h f‖, ‖h‖
	Cosine          float64 // of the angle between them
}

// Valid names the violated hypothesis.
func (e Transport) Valid() error {
	return cmp.Or(
		theory.Require(e.Gradient >= 0 && e.Input >= 0, "vcl: norms must not be negative"),
		theory.Require(e.Cosine >= -1 && e.Cosine <= 1, "vcl: a cosine lies in [-1, 1]"),
	)
}

// Frobenius returns ‖∇_h f‖‖h‖, the norm of a matrix of rank one.
func (e Transport) Frobenius() float64 {
	return theory.When(e.Valid() == nil, e.Gradient*e.Input)
}

// Trace returns h·∇_h f.
func (e Transport) Trace() float64 { return e.Frobenius() * e.Cosine }

// Shift returns the two eigenvalues of ∇_h f hᵀ + h ∇_h fᵀ that may differ from zero, h·∇_h f ∓ ‖h‖‖∇_h f‖.
func (e Transport) Shift() (lo, hi float64) {
	f, t := e.Frobenius(), e.Trace()
	return t - f, t + f
}
