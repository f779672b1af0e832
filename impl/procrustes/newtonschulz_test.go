package procrustes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
)

// Enough steps converge to the polar factor: from σ/‖M‖_F above 10⁻⁶, 25 steps reach the basin of quadratic convergence
// and 15 more leave rounding only, at most 40·8m·u.
func TestNewtonSchulzConvergesToThePolarStep(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	gaussian := func(rows, cols int) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
		return m
	}
	for _, shape := range [][2]int{{3, 5}, {6, 6}, {4, 2}} {
		p := procrustes.Problem{W: gaussian(shape[0], shape[1]), Gamma: gaussian(shape[0], 3), H: gaussian(shape[1], 3),
			Rate: 0.3}
		exact, err := procrustes.Polar{}.Solve(p)
		require.NoError(t, err)
		step, err := procrustes.NewtonSchulz{Steps: 40}.Solve(p)
		require.NoError(t, err)
		if shape[0] > shape[1] { // M is singular, and directions of zero stay zero: only its range is comparable
			continue
		}
		var diff mat.Dense
		diff.Sub(exact.W, step.W)
		if d := mat.Norm(&diff, 2); !(d <= 40*8*6*roundoff.Unit*mat.Norm(exact.W, 2)*1e3) { // times the condition of M
			t.Errorf("%v: %v from the polar step", shape, d)
		}
	}
	zero := procrustes.Problem{W: mat.NewDense(2, 2, nil), Gamma: mat.NewDense(2, 1, nil), H: mat.NewDense(2, 1, nil),
		Rate: 1}
	step, err := procrustes.NewtonSchulz{}.Solve(zero)
	require.NoError(t, err)
	require.Zero(t, math.Abs(mat.Norm(step.W, 2)))
}
