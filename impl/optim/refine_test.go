package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/optim"
)

// The minima of (x² + y² − 1)² + (z − xy)² form the curve x² + y² = 1, z = xy.
func TestRefineReachesRounding(t *testing.T) {
	circle := func(grad, x []float64) float64 {
		a, b := x[0]*x[0]+x[1]*x[1]-1, x[2]-x[0]*x[1]
		grad[0], grad[1], grad[2] = 4*a*x[0]-2*b*x[1], 4*a*x[1]-2*b*x[0], 2*b
		return a*a + b*b
	}
	start := []float64{0.9, -0.5, 0.1}
	rough, err := optim.LBFGS(circle, start, optim.Stop{Gradient: 1e-3, Evaluations: 100})
	require.NoError(t, err)
	m := optim.Refine(circle, rough)
	if !(m.Gradient <= 1e-15 && math.Abs(math.Hypot(m.X[0], m.X[1])-1) <= 1e-15 &&
		math.Abs(m.X[2]-m.X[0]*m.X[1]) <= 1e-15) {
		t.Errorf("gradient %v at %v", m.Gradient, m.X)
	}
	require.Less(t, math.Hypot(m.X[0]-rough.X[0], m.X[1]-rough.X[1]), 0.01, "far along the curve")
	require.Equal(t, []float64{0.9, -0.5, 0.1}, start)
}

// A gradient that is not one, and one that is not finite, leave the minimum as it is.
func TestRefineGivesUp(t *testing.T) {
	wrong := func(grad, x []float64) float64 { grad[0] = 1 / x[0]; return x[0] }
	m := optim.Refine(wrong, optim.Minimum{X: []float64{1}})
	require.False(t, math.IsNaN(m.Gradient))
	nan := func(grad, x []float64) float64 { grad[0] = math.NaN(); return math.NaN() }
	require.Equal(t, []float64{2}, optim.Refine(nan, optim.Minimum{X: []float64{2}}).X)
}

// Where curvature falls by a factor of four on the way the first Hessian does not lead to the minimum, or in many steps
// only: it is made again.
func TestRefineMakesTheHessianAgain(t *testing.T) {
	count := 0
	narrow := func(grad, x []float64) float64 { // a valley of width 10⁻³ around 1
		count++
		grad[0] = 1e-3 * math.Sinh(1000*(x[0]-1))
		return 1e-6 * math.Cosh(1000*(x[0]-1))
	}
	m := optim.Refine(narrow, optim.Minimum{X: []float64{1.002}})
	if !(m.Gradient <= 1e-15) || count > 30 {
		t.Errorf("gradient %v after %d evaluations", m.Gradient, count)
	}
}
