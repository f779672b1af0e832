package tangent_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/tangent"
)

// Two layers without biases, K = Σ φ(zⱼ)φ(z'ⱼ) + xᵀx' Σ aⱼ²φ'(zⱼ)φ'(z'ⱼ), numbers computed independently; by hand for
// ReLU.
func TestPerceptronKernel(t *testing.T) {
	net := func(act string) tangent.Perceptron {
		return tangent.Perceptron{Weights: []*mat.Dense{mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, -1}),
			mat.NewDense(1, 3, []float64{1, -1, 2})},
			Biases: make([][]float64, 2), Activations: []tangent.Curve{tangent.Curves[act], tangent.Curves["identity"]}}
	}
	x, y := []float64{0.5, -0.2}, []float64{0.3, 0.8}
	tanh, relu := net("tanh"), net("relu")
	near(t, "K(x,x)", tanh.Kernel(x, x), 1.5323371957319, 1e-12)
	near(t, "K(x,y)", tanh.Kernel(x, y), -0.3082700477464, 1e-12)
	near(t, "K(y,y)", tanh.Kernel(y, y), 3.3848936324146, 1e-12)
	near(t, "relu K(x,x)", relu.Kernel(x, x), 2.19, 1e-14)
	near(t, "relu K(x,y)", relu.Kernel(x, y), 0.14, 1e-13)
	near(t, "relu K(y,y)", relu.Kernel(y, y), 2.19, 1e-14)
	if m := tanh.Magnitude(x, y); !(m >= 3.4) {
		t.Errorf("magnitude %v", m)
	}
}

// Slopes are derivatives of the values: central differences err by 1e-10.
func TestCurves(t *testing.T) {
	for name, c := range tangent.Curves {
		for _, z := range []float64{-2, -0.3, 0.4, 1.7} {
			const h = 1e-5
			if d := (c.Value(z+h) - c.Value(z-h)) / (2 * h); !(d-c.Slope(z) < 1e-9 && c.Slope(z)-d < 1e-9) {
				t.Errorf("%s at %v: slope %v, difference %v", name, z, c.Slope(z), d)
			}
		}
	}
}
