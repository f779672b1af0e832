package claims

import (
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory"
)

// balance is the identity that makes gradient flow keep W₂ᵀW₂ − W₁W₁ᵀ: a step changes it to second order alone.
var balance = props.Spec{
	Statement: &theory.Statement{
		Slug: "four/balance", Title: "A step changes the balance to second order", Kind: theory.Identity,
		Plain:    "A gradient step changes the balance between two linear layers only to second order in the step size.",
		Standing: theory.Derivation, Setting: "f(X) = W₂W₁X, loss ½‖f(X) − Y‖²; one step η along both gradients.",
		Params: []theory.Param{
			{Name: "step", Symbol: "η", Meaning: "step size", Domain: theory.Above(0), Default: "0.1"},
			{Name: "first", Symbol: "‖∇₁‖", Meaning: "norm of the first gradient", Domain: theory.AtLeast(0), Default: "1"},
			{Name: "second", Symbol: "‖∇₂‖", Meaning: "norm of the second gradient", Domain: theory.AtLeast(0), Default: "1"},
			{Name: "W1", Symbol: "W₁", Meaning: "first weights before the step", Shape: "h×d"},
			{Name: "W2", Symbol: "W₂", Meaning: "second weights before the step", Shape: "m×h"},
			{Name: "X", Symbol: "X", Meaning: "inputs, in columns", Shape: "d×n"},
			{Name: "Y", Symbol: "Y", Meaning: "targets, in columns", Shape: "m×n"},
			{Name: "W1next", Symbol: "W₁⁺", Meaning: "first weights after the step", Shape: "h×d"},
			{Name: "W2next", Symbol: "W₂⁺", Meaning: "second weights after the step", Shape: "m×h"},
		},
		Claim: "$B⁺ − B = η²(∇₂ᵀ∇₂ − ∇₁∇₁ᵀ)$ for B = W₂ᵀW₂ − W₁W₁ᵀ.",
		TeX:   `B^+ - B = \eta^2 \left( \nabla_2^{\top} \nabla_2 - \nabla_1 \nabla_1^{\top} \right)`,
		Assumptions: []theory.Assumption{
			{ID: "linear", Text: "no activation between the layers"},
			{ID: "same-step", Text: "both layers take the same step"},
		},
		Source: theory.Source{Paper: "S. Arora, N. Cohen, E. Hazan: On the Optimization of Deep Networks", ArXiv: "1802.06509",
			Version: "v2", Year: 2018, Locus: "Theorem 1, for a step"},
		Proof:     "With the residual R, ∇₁ = W₂ᵀRXᵀ and ∇₂ = RXᵀW₁ᵀ, so that W₂ᵀ∇₂ = ∇₁W₁ᵀ: the terms linear in η cancel.",
		Tolerance: "Every product of matrices errs by a multiple of its inner dimension of u.",
		Limits:    "Up to six rows and columns.",
		Predict: func(v theory.Values) []theory.Quantity {
			step, first, second := v.Float("step"), v.Float("first"), v.Float("second")
			return []theory.Quantity{{Name: "trace", Symbol: "tr(B⁺ − B)", Value: step * step * (second*second - first*first),
				Meaning: "change of the trace"}}
		},
	},
	Checks: []props.Check{props.Drawn[layerStep, balanceClaim]{
		Name: "change of the balance", Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
		Draw: func(t *props.T) layerStep { return drawLayers(t).after(1, 1, identity) },
		Claim: balanceClaim{change: func(step float64, first, second mat.Matrix) *mat.Dense {
			change := balanceOf(first, second)
			change.Scale(step*step, change)
			return change
		}},
		Judge: func(r *props.Record, in layerStep, c balanceClaim) {
			got := balanceOf(in.W1next, in.W2next)
			got.Sub(got, balanceOf(in.W1, in.W2))
			first, second := in.gradients(identity)
			r.WithinMatrix("B⁺ − B", got, c.change(in.Step, first, second), in.rounding(r.Unit()))
		},
		Controls: []props.Wrong[layerStep, balanceClaim]{
			{Name: "ReLU between the layers", Assumption: "linear",
				Draw: func(t *props.T) layerStep { return drawLayers(t).after(1, 1, relu) }},
			{Name: "half the step for the second layer", Assumption: "same-step",
				Draw: func(t *props.T) layerStep { return drawLayers(t).after(1, 0.5, identity) }},
			{Name: "opposite sign", Claim: changeTimes(-1)},
			{Name: "nothing changes", Claim: changeTimes(0)},
		},
	}},
}.Claim()

// balanceClaim is the change that is claimed.
type balanceClaim struct {
	change func(step float64, first, second mat.Matrix) *mat.Dense
}

func changeTimes(factor float64) func(*balanceClaim) {
	return func(c *balanceClaim) {
		right := c.change
		c.change = func(step float64, first, second mat.Matrix) *mat.Dense {
			change := right(step, first, second)
			change.Scale(factor, change)
			return change
		}
	}
}

// layerStep is a step of a network of two layers.
type layerStep struct {
	Step   float64    `npy:"step"`
	X      *mat.Dense `npy:"X"`
	Y      *mat.Dense `npy:"Y"`
	W1     *mat.Dense `npy:"W1"`
	W2     *mat.Dense `npy:"W2"`
	W1next *mat.Dense `npy:"W1next"`
	W2next *mat.Dense `npy:"W2next"`
}

func identity(float64) float64 { return 1 }

func relu(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

func drawLayers(t *props.T) layerStep {
	d, h, m, n := gen.Dim(t.T, "d", 6), gen.Dim(t.T, "h", 6), gen.Dim(t.T, "m", 6), gen.Dim(t.T, "n", 6)
	in := layerStep{Step: rapid.Float64Range(0.01, 0.5).Draw(t.T, "η")}
	r := t.Stream("entries")
	in.W1, in.W2 = gen.Gaussian(r, h, d, 1), gen.Gaussian(r, m, h, 1)
	in.X, in.Y = gen.Gaussian(r, d, n, 1), gen.Gaussian(r, m, n, 1)
	return in
}

// gradients returns the gradients of the loss, by backpropagation through an activation with the given slopes.
func (in layerStep) gradients(slope func(float64) float64) (first, second *mat.Dense) {
	var hidden, residual, back mat.Dense
	hidden.Mul(in.W1, in.X)
	slopes := mat.DenseCopyOf(&hidden)
	slopes.Apply(func(_, _ int, x float64) float64 { return slope(x) }, slopes)
	hidden.MulElem(&hidden, slopes)
	residual.Mul(in.W2, &hidden)
	residual.Sub(&residual, in.Y)
	first, second = new(mat.Dense), new(mat.Dense)
	second.Mul(&residual, hidden.T())
	back.Mul(in.W2.T(), &residual)
	back.MulElem(&back, slopes)
	first.Mul(&back, in.X.T())
	return first, second
}

// after takes the step, by a multiple of η for each layer.
func (in layerStep) after(first, second float64, slope func(float64) float64) layerStep {
	g1, g2 := in.gradients(slope)
	in.W1next, in.W2next = moved(in.W1, -first*in.Step, g1), moved(in.W2, -second*in.Step, g2)
	return in
}

func moved(w *mat.Dense, by float64, g *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Scale(by, g)
	out.Add(w, &out)
	return &out
}

// balanceOf returns W₂ᵀW₂ − W₁W₁ᵀ.
func balanceOf(first, second mat.Matrix) *mat.Dense {
	var out, left mat.Dense
	out.Mul(second.T(), second)
	left.Mul(first, first.T())
	out.Sub(&out, &left)
	return &out
}

// rounding bounds the errors of all products: p roundings of each, and those of the gradients through the step.
func (in layerStep) rounding(unit float64) float64 {
	h, d := in.W1.Dims()
	m, n := in.Y.Dims()
	p := 4 * float64(h+d+m+n+8) * unit
	norm := func(a mat.Matrix) float64 { return mat.Norm(a, 2) } // of Frobenius
	w1, w2, x := norm(in.W1), norm(in.W2), norm(in.X)
	residual := w2*w1*x + norm(in.Y)
	g1, g2 := in.Step*w2*residual*x, in.Step*residual*w1*x
	return p * (w1*w1 + w2*w2 + (w1+g1)*(w1+g1) + (w2+g2)*(w2+g2))
}
