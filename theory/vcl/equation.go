package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Equation says that a layer's weights and its input see the same gradient: the identity from which every other claim
// of this source follows.
//
// # Setting
//
// z = W h (W m×n) is the only use of h and of W in a differentiable function f, which may be a loss or an output. Biases
// may be added to z.
//
// # Claim
//
// Wᵀ ∇_W f = ∇_h f · hᵀ, n×n. With g = ∂f/∂z the chain rule gives ∇_W f = g hᵀ and ∇_h f = Wᵀg; both sides are Wᵀg hᵀ.
//
// # Numerical form
//
// For a linear network with integer entries and the loss ½‖f(x) − y‖² the loss is a quadratic function of W and of h.
// A central difference of a quadratic is its derivative, and with step 1 it is computed without rounding: the tolerance
// is 0 and no backward pass is involved. For smooth networks the two sides are compared along random directions,
// uᵀ(Wᵀ∇_W f)v = D_W f[(Wu)vᵀ] and (u·∇_h f)(h·v), each by differences of f. With backpropagated gradients an entry
// of Wᵀ(ghᵀ) is an inner product of length m of products, and one of (Wᵀg)hᵀ is an inner product times a number; the two
// differ by at most 2(m+1)·u‖W‖‖g‖‖h‖.
//
// # Source
//
// Equation (1) of the paper, Feature Learning Equation of the successor.
var Equation = theory.Statement{
	Slug:     "vcl/equation",
	Title:    "Feature learning equation: weights and hidden state see the same gradient",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting:  "z = W h is the only use of h and of W in a differentiable scalar function f, a loss or an output. Biases may be added to z.",
	Params: []theory.Param{
		{Name: "w", Symbol: "‖∇_h f‖", Meaning: "norm of the gradient in the layer's input", Domain: theory.AtLeast(0), Default: "0.5"},
		{Name: "h", Symbol: "‖h‖", Meaning: "norm of the layer's input", Domain: theory.AtLeast(0), Default: "1"},
		{Name: "cosine", Symbol: "cos(h, ∇_h f)", Meaning: "cosine between input and its gradient", Domain: theory.Between(-1, 1), Default: "0"},
		{Name: "W", Symbol: "W", Meaning: "weights of the layer", Shape: "m×n"},
	},
	Claim: "Wᵀ∇_W f = ∇_h f · hᵀ for every differentiable function of z = W h.",
	TeX:   `W^{\top} \nabla_W f = \nabla_h f \cdot h^{\top}`,
	Assumptions: []theory.Assumption{
		{ID: "only-use-of-h", Text: "z = W h is the only use of h"},
		{ID: "only-use-of-w", Text: "z = W h is the only use of W"},
		{ID: "same-function", Text: "both gradients are those of the same function"},
	},
	Source: paper.At("equation (1)"),
	Predict: func(v theory.Values) []theory.Quantity {
		e := Transport{Gradient: v.Float("w"), Input: v.Float("h"), Cosine: v.Float("cosine")}
		lo, hi := e.Shift()
		return []theory.Quantity{
			{Name: "frobenius", Symbol: "‖Wᵀ∇_W f‖_F", Value: e.Frobenius(), Meaning: "Frobenius norm of both sides"},
			{Name: "trace", Symbol: "tr Wᵀ∇_W f", Value: e.Trace(), Meaning: "trace of both sides: ⟨W, ∇_W f⟩ = ⟨h, ∇_h f⟩"},
			{Name: "shift_min", Symbol: "λ₋", Value: lo, Meaning: "smaller eigenvalue of the symmetric part, doubled: what a unit step takes from WᵀW to first order"},
			{Name: "shift_max", Symbol: "λ₊", Value: hi, Meaning: "its larger eigenvalue"},
		}
	},
}

// Transport is the matrix ∇_h f · hᵀ seen through its invariants.
type Transport struct {
	Gradient, Input float64 // ‖∇_h f‖, ‖h‖
	Cosine          float64 // of the angle between them
}

// Valid names the violated hypothesis.
func (e Transport) Valid() error {
	if !(e.Gradient >= 0 && e.Input >= 0) {
		return errors.New("vcl: norms must not be negative")
	}
	if !(e.Cosine >= -1 && e.Cosine <= 1) {
		return errors.New("vcl: a cosine lies in [-1, 1]")
	}
	return nil
}

// Frobenius returns ‖∇_h f‖‖h‖, the norm of a matrix of rank one.
func (e Transport) Frobenius() float64 {
	if e.Valid() != nil {
		return math.NaN()
	}
	return e.Gradient * e.Input
}

// Trace returns h·∇_h f.
func (e Transport) Trace() float64 { return e.Frobenius() * e.Cosine }

// Shift returns the two eigenvalues of ∇_h f hᵀ + h ∇_h fᵀ that may differ from zero, h·∇_h f ∓ ‖h‖‖∇_h f‖.
func (e Transport) Shift() (lo, hi float64) {
	f, t := e.Frobenius(), e.Trace()
	return t - f, t + f
}
