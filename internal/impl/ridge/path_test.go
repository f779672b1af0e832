package ridge_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/ridge"
)

// Every value of the path is what Cholesky's factorisation gives for that value alone, up to the condition number.
func TestPathAgainstCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	phi, y := mat.NewDense(60, 23, nil), make([]float64, 60)
	phi.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, phi)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	path, err := ridge.Features(phi, y)
	require.NoError(t, err)
	norm := math.Inf(1)
	for _, lambda := range ridge.Penalties(1e-4, 1e2, 13) {
		var moment mat.SymDense
		moment.SymOuterK(1, phi.T())
		for i := range 23 {
			moment.SetSym(i, i, moment.At(i, i)+30*lambda)
		}
		l, err := linalg.Cholesky(&moment)
		require.NoError(t, err)
		var want mat.Dense
		want.Mul(phi.T(), mat.NewDense(60, 1, y))
		linalg.CholeskySolve(l, &want)
		got, err := path.Solve(30 * lambda)
		require.NoError(t, err)
		var diff mat.Dense
		diff.Sub(mat.NewDense(23, 1, got), &want)
		if !(mat.Norm(&diff, 2) <= 1e-12*mat.Norm(&want, 2)) {
			t.Errorf("λ = %g: off by %g", lambda, mat.Norm(&diff, 2))
		}
		require.Less(t, floats.Norm(got, 2), norm)
		norm = floats.Norm(got, 2)
	}
}

func TestPathByHand(t *testing.T) {
	path, err := ridge.NewPath(mat.NewSymDense(1, []float64{3}), []float64{8})
	require.NoError(t, err)
	a, err := path.Solve(1)
	require.NoError(t, err)
	require.Equal(t, []float64{2}, a)
	_, err = path.Solve(-3)
	require.ErrorIs(t, err, linalg.ErrNotPositiveDefinite)
	require.PanicsWithValue(t, "ridge: the right-hand side does not fit the matrix",
		func() { _, _ = ridge.NewPath(mat.NewSymDense(1, nil), nil) })
	require.Equal(t, []float64{1, 10, 100}, ridge.Penalties(1, 100, 3))
}
