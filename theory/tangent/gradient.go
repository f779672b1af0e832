package tangent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// Gradient is the claim tangent/gradient: the tangent kernel of a network of any depth.
var Gradient = theory.Statement{
	Slug:  "tangent/gradient",
	Title: "Tangent features of a layer have rank one, and the tangent kernel adds up over layers",
	Plain: "At one input, the gradient in a layer's weights has rank one, so the tangent kernel is a sum of " +
		"products over layers.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A network with one output, hₗ = φₗ(zₗ), zₗ = Wₗhₗ₋₁ + bₗ, h₀ = x, of any depth, each layer with or " +
		"without biases; at a kink the derivative of φ is the one from the left. The tangent features are the gradient in " +
		"all weights and biases, the kernel K₀(x,x') their inner product.",
	Params: []theory.Param{
		{Name: "w", Symbol: "w", Meaning: "weight of a tanh unit without bias", Domain: theory.Between(-100, 100),
			Default: "1"},
		{Name: "a", Symbol: "a", Meaning: "weight of the output", Domain: theory.Between(-100, 100), Default: "2"},
		{Name: "x", Symbol: "x", Meaning: "input", Domain: theory.Between(-100, 100), Default: "0.5"},
		{Name: "x2", Symbol: "x'", Meaning: "other input", Domain: theory.Between(-100, 100), Default: "0.3"},
	},
	Claim: "With δ_L = φ'_L(z_L) at the output and δₗ = (Wₗ₊₁ᵀδₗ₊₁)∘φ'ₗ(zₗ), the gradient in Wₗ is δₗhₗ₋₁ᵀ and in bₗ " +
		"δₗ, so K₀(x,x') = Σₗ ⟨δₗ,δ'ₗ⟩(⟨hₗ₋₁,h'ₗ₋₁⟩ + 1), without the 1 in layers that have no biases.",
	TeX: `K_0(x,x') = \sum_l \langle \delta_l, \delta_l' \rangle \left( \langle h_{l-1}, h_{l-1}' \rangle + 1 \right)`,
	Assumptions: []theory.Assumption{
		{ID: "one-output", Text: "the features belong to one output; with several outputs, each has its own kernel",
			NoControl: "the features are defined for one output"},
		{ID: "all-parameters", Text: "the kernel includes all weights and biases"},
	},
	Source:     paper.At("tangent features of a network's layers, as restored from the authors' code"),
	Deviations: "The paper gives the features of one layer; the sum over layers and the recursion are spelled out here.",
	Proof:      "The chain rule; ⟨δhᵀ, δ'h'ᵀ⟩ = ⟨δ,δ'⟩⟨h,h'⟩.",
	Tolerance: "Both sides are polynomials in weights, activations and slopes. Their rounding errors are at most 2u " +
		"times the number of operations along a path, times the value of the same recursion with absolute values and with " +
		"first and second derivatives of at most 1, times one more factor for the errors of the pre-activations. Small " +
		"integers are exact with ReLU.",
	Limits: "Depths up to 5, widths up to 6. tangent/path checks that the recursion gives the gradient of the function: " +
		"the gradients integrate to differences of the function.",
	Predict: func(v theory.Values) []theory.Quantity {
		p := Perceptron{Weights: []*mat.Dense{mat.NewDense(1, 1, []float64{v.Float("w")}),
			mat.NewDense(1, 1, []float64{v.Float("a")})}, Biases: make([][]float64, 2),
			Activations: []Curve{Curves["tanh"], Curves["identity"]}}
		x, y := []float64{v.Float("x")}, []float64{v.Float("x2")}
		return []theory.Quantity{
			{Name: "kernel", Symbol: "K₀(x,x')", Value: p.Kernel(x, y), Meaning: "tangent kernel of a·tanh(wx)"},
			{Name: "norm", Symbol: "K₀(x,x)", Value: p.Kernel(x, x), Meaning: "squared length of the tangent features"},
		}
	},
}

// Curve is an activation and its derivative.
type Curve struct{ Value, Slope func(z float64) float64 }

// Curves holds the activations of the claims on networks.
var Curves = map[string]Curve{
	"identity": {func(z float64) float64 { return z }, func(float64) float64 { return 1 }},
	"relu":     {func(z float64) float64 { return (z + math.Abs(z)) / 2 }, step},
	"tanh":     {math.Tanh, func(z float64) float64 { return 1 / (math.Cosh(z) * math.Cosh(z)) }},
	"sigmoid": {func(z float64) float64 { return (1 + math.Tanh(z/2)) / 2 },
		func(z float64) float64 { return 1 / (2 + 2*math.Cosh(z)) }},
	"softplus": {func(z float64) float64 { return z/2 + math.Log(2*math.Cosh(z/2)) },
		func(z float64) float64 { return (1 + math.Tanh(z/2)) / 2 }},
}

// step returns the derivative of ReLU, 0 at the kink.
func step(z float64) float64 {
	if z > 0 {
		return 1
	}
	return 0
}

// Perceptron is a network of dense layers with one output.
type Perceptron struct {
	Weights     []*mat.Dense // out×in
	Biases      [][]float64  // nil for a layer without
	Activations []Curve
}

// sides returns the inputs h and the gradients δ of all layers at x.
func (p Perceptron) sides(x []float64) (inputs, gradients [][]float64) {
	var slopes [][]float64
	h := x
	for l, w := range p.Weights {
		out, in := w.Dims()
		next, slope := make([]float64, out), make([]float64, out)
		for i := range out {
			z := 0.0
			for j := range in {
				z += w.At(i, j) * h[j]
			}
			if p.Biases[l] != nil {
				z += p.Biases[l][i]
			}
			next[i], slope[i] = p.Activations[l].Value(z), p.Activations[l].Slope(z)
		}
		inputs, slopes, h = append(inputs, h), append(slopes, slope), next
	}
	gradients = make([][]float64, len(slopes))
	for l := len(slopes) - 1; l >= 0; l-- {
		gradients[l] = slopes[l]
		if l < len(slopes)-1 {
			above := p.Weights[l+1]
			for j := range gradients[l] {
				back := 0.0
				for i, g := range gradients[l+1] {
					back += above.At(i, j) * g
				}
				gradients[l][j] *= back
			}
		}
	}
	return inputs, gradients
}

// Kernel returns K₀(x,x').
func (p Perceptron) Kernel(x, other []float64) float64 {
	h, d := p.sides(x)
	h2, d2 := p.sides(other)
	sum := 0.0
	for l := range h {
		inner, grad := 0.0, 0.0
		if p.Biases[l] != nil {
			inner = 1
		}
		for j := range h[l] {
			inner += h[l][j] * h2[l][j]
		}
		for i := range d[l] {
			grad += d[l][i] * d2[l][i]
		}
		sum += grad * inner
	}
	return sum
}

// Magnitude bounds the terms of K₀(x,x') by the same recursion with absolute values, slopes of 1 and activations of at
// most |z|+1, times the largest pre-activation by which an error of a slope may grow.
func (p Perceptron) Magnitude(x, other []float64) float64 {
	largest := 1.0
	bound := Curve{func(z float64) float64 {
		largest = max(largest, z)
		return z + 1
	}, func(float64) float64 { return 1 }}
	majorant := Perceptron{Biases: make([][]float64, len(p.Weights))}
	for l, w := range p.Weights {
		var size mat.Dense
		size.Apply(func(_, _ int, x float64) float64 { return math.Abs(x) }, w)
		majorant.Weights = append(majorant.Weights, &size)
		majorant.Activations = append(majorant.Activations, bound)
		if p.Biases[l] != nil {
			majorant.Biases[l] = list.Map(p.Biases[l], math.Abs)
		}
	}
	return majorant.Kernel(list.Map(x, math.Abs), list.Map(other, math.Abs)) * largest
}
