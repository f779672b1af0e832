package linalg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// The residual of (A + λI)x = b is some n roundings of ‖A + λI‖‖x‖ for a stable method, whatever the condition.
func TestTridiagonalSolvesEveryShift(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 17, 40, 150} {
		g := mat.NewDense(n, n, nil)
		g.Apply(func(int, int, float64) float64 { return 1e3 * r.NormFloat64() }, g)
		var a mat.SymDense
		a.SymOuterK(1, g)
		factor, err := linalg.Tridiagonalise(&a)
		require.NoError(t, err)
		b := make([]float64, n)
		for i := range b {
			b[i] = r.NormFloat64()
		}
		for _, lambda := range []float64{1e-3, 1, 1e6} {
			x := append([]float64{}, b...)
			factor.Rotate(x)
			x, err = factor.SolveShifted(lambda, x)
			require.NoError(t, err)
			factor.RotateBack(x)
			var left mat.VecDense
			left.MulVec(&a, mat.NewVecDense(n, x))
			left.AddScaledVec(&left, lambda, mat.NewVecDense(n, x))
			left.SubVec(&left, mat.NewVecDense(n, b))
			size := (mat.Norm(&a, 2) + lambda) * mat.Norm(mat.NewVecDense(n, x), 2)
			if got := mat.Norm(&left, 2); !(got <= 20*float64(n)*0x1p-53*size) {
				t.Errorf("n = %d, λ = %g: residual %g of %g", n, lambda, got, size)
			}
		}
	}
}

func TestTridiagonalRefuses(t *testing.T) {
	_, err := linalg.Tridiagonalise(mat.NewSymDense(2, []float64{1, 0, 0, math.NaN()}))
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	factor, err := linalg.Tridiagonalise(mat.NewSymDense(2, []float64{1, 2, 2, 1}))
	require.NoError(t, err)
	_, err = factor.SolveShifted(0, []float64{1, 1})
	require.ErrorIs(t, err, linalg.ErrNotPositiveDefinite)
	require.PanicsWithValue(t, "linalg: the right-hand side does not fit the factor", func() { factor.Rotate(nil) })
}
