package tangent_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/tangent"
)

// R2: three samples, B of the optimum of one quadratic side, from an independent computation to 10 digits.
func TestLayerReference(t *testing.T) {
	b := mat.NewDense(3, 2, []float64{0.6962480035, -0.2976358115, -0.1135441593, 0.9309096686, 0.7331168772,
		0.6397254508})
	f1 := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	f2 := mat.NewDense(3, 2, []float64{0, 2, 1, -1, 0, 1})
	fixed, quadratic := tangent.Side{Family: tangent.Fixed, Factor: 1}, side(tangent.Quadratic)
	left, right := tangent.Layer{B: b, Left: quadratic, Right: fixed}, tangent.Layer{B: b, Left: fixed, Right: quadratic}
	near(t, "optimum", left.Optimum(), 1.536097829823, 1e-9)
	near(t, "optimum, other side", right.Optimum(), 1.536097829823, 1e-9)
	near(t, "K11", left.Kernel(f1, f1), 8.1432864277, 1e-8)
	near(t, "K12", left.Kernel(f1, f2), 0.0515110843, 1e-6)
	near(t, "K22", left.Kernel(f2, f2), 13.0233855677, 1e-8)
	near(t, "K11, other side", right.Kernel(f1, f1), 8.2023163599, 1e-8)
	near(t, "K12, other side", right.Kernel(f1, f2), 0.3298190598, 1e-7)
	near(t, "K22, other side", right.Kernel(f2, f2), 14.3355220784, 1e-8)
	near(t, "z₁", 1+left.Splits()[0].Excess[0], 1.4591823094, 1e-9)
	near(t, "z₂", 1+left.Splits()[1].Excess[0], 1.3745873574, 1e-9)

	// Stationary: the gradient lies in the span of F₁ and F₂; and the dual function there is the optimum.
	g := left.Gradient()
	solve := func(x *mat.Dense) (l1, l2 float64) { // ⟨F₁,F₁⟩ = 4, ⟨F₂,F₂⟩ = 7, ⟨F₁,F₂⟩ = 0
		return mat.Trace(product(f1.T(), x)) / 4, mat.Trace(product(f2.T(), x)) / 7
	}
	l1, l2 := solve(g)
	var x, y mat.Dense
	x.Scale(l1, f1)
	y.Scale(l2, f2)
	x.Add(&x, &y)
	if !mat.EqualApprox(&x, g, 1e-8) {
		t.Errorf("gradient %v is not %v", mat.Formatted(g), mat.Formatted(&x))
	}
	near(t, "dual", 3*l1-l2-left.Conjugate(&x), 1.536097829823, 1e-8)
}

func product(a, b mat.Matrix) *mat.Dense {
	var p mat.Dense
	p.Mul(a, b)
	return &p
}

// The stated factors multiply to B and cost the optimum, by their own singular values.
func TestLayerFactors(t *testing.T) {
	b := mat.NewDense(2, 3, []float64{2, 1, 0, -1, 3, 0.5})
	l := tangent.Layer{B: b, Left: tangent.Side{Family: tangent.LogDet, Factor: 0.7}, Right: side(tangent.Absolute)}
	a, theta, c := l.Factors()
	if got := product(product(a, theta), c); !mat.EqualApprox(got, b, 1e-13) {
		t.Errorf("AΘC = %v", mat.Formatted(got))
	}
	cost := math.Pow(mat.Norm(theta, 2), 2)
	for _, z := range singular(t, a) {
		cost += 0.7 * (z*z - 1 - 2*math.Log(z))
	}
	for _, z := range singular(t, c) {
		cost += math.Abs(z - 1)
	}
	near(t, "cost", cost, l.Optimum(), 1e-12)
	left, right := l.Moments()
	if !mat.EqualApprox(left, product(a, a.T()), 1e-12) || !mat.EqualApprox(right, product(c.T(), c), 1e-12) {
		t.Error("moments are not those of the factors")
	}
	if !math.IsNaN(l.Conjugate(b)) || (tangent.Layer{}).Valid() == nil || l.Valid() != nil {
		t.Error("hypotheses")
	}
}

func singular(t *testing.T, m *mat.Dense) []float64 {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	return svd.Values(nil)
}

// By hand: sup over v of xv − ω̃(v) at slope x, for the quadratic penalty x = 2√(1−1/s), value xv − (s−1)(2s−1).
func TestConjugate(t *testing.T) {
	const s = 1.5
	v, x := math.Sqrt(s*s*s*(s-1)), 2*math.Sqrt(1-1/s)
	fixed := tangent.Side{Family: tangent.Fixed, Factor: 1}
	l := tangent.Layer{Left: fixed, Right: side(tangent.Quadratic)}
	near(t, "quadratic", l.Conjugate(mat.NewDense(1, 1, []float64{x})), x*v-(s-1)*(2*s-1), 1e-13)
	l.Right = side(tangent.LogDet) // s²(s²−1) = v², x = 2√(1−1/s²)
	v, x = s*math.Sqrt(s*s-1), 2*math.Sqrt(1-1/(s*s))
	near(t, "log-det", l.Conjugate(mat.NewDense(1, 1, []float64{x})), x*v-(2*(s*s-1)-2*math.Log(s)), 1e-13)
	if !math.IsInf(l.Conjugate(mat.NewDense(1, 1, []float64{2})), 1) {
		t.Error("beyond the largest slope the dual function is infinite")
	}
}
