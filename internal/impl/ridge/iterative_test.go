package ridge_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/ridge"
)

// brownian is min(i,j)/n, whose inverse is n times the second difference with a free end.
func brownian(n int) (k *mat.SymDense, inverse *mat.Dense) {
	k, inverse = mat.NewSymDense(n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, float64(i+1)/float64(n))
		}
		inverse.Set(i, i, 2*float64(n))
		if i > 0 {
			inverse.Set(i, i-1, -float64(n))
			inverse.Set(i-1, i, -float64(n))
		}
	}
	inverse.Set(n-1, n-1, float64(n))
	return k, inverse
}

func labels(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		x := float64(i+1) / float64(n)
		if y[i] = math.Sin(2 * math.Pi * x); x > 0.5 {
			y[i]++
		}
	}
	return y
}

// Every method finds the α that the tridiagonal inverse gives, to the residual asked for times the condition number.
func TestSolvers(t *testing.T) {
	const n = 16
	k, inverse := brownian(n)
	y := labels(n)
	want := mat.NewVecDense(n, nil)
	want.MulVec(inverse, mat.NewVecDense(n, y))
	stop := ridge.Stop{Iterations: 100000, Tolerance: 1e-10}
	eigenpro, err := ridge.EigenPro(k, y, 4, stop)
	require.NoError(t, err)
	for name, got := range map[string]ridge.Result{
		"richardson":          ridge.Richardson(k, y, 1/6.901384, stop),
		"eigenpro":            eigenpro,
		"conjugate gradients": ridge.ConjugateGradients(k, y, stop),
	} {
		require.True(t, got.Converged, name)
		floats.Sub(got.Alpha, want.RawVector().Data)
		if off := floats.Norm(got.Alpha, 2); !(off <= 440*1e-10*mat.Norm(want, 2)) {
			t.Errorf("%s: off by %g of %g", name, off, mat.Norm(want, 2))
		}
	}
}

// The counts of our notes, found there with another program.
func TestIterationsOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		n, plain, conjugate int
		lambda              float64
	}{{16, 4925, 15, 6.901384}, {32, 18556, 27, 13.380167}} {
		k, _ := brownian(c.n)
		stop := ridge.Stop{Iterations: 100000, Tolerance: 1e-6}
		require.InDelta(t, c.plain, ridge.Richardson(k, labels(c.n), 1/c.lambda, stop).Iterations, 1)
		require.InDelta(t, c.conjugate, ridge.ConjugateGradients(k, labels(c.n), stop).Iterations, 1)
	}
	k, _ := brownian(64)
	for q, want := range map[int]int{4: 873, 8: 244, 16: 64, 32: 15} {
		got, err := ridge.EigenPro(k, labels(64), q, ridge.Stop{Iterations: 2000, Tolerance: 1e-6})
		require.NoError(t, err)
		require.InDelta(t, want, got.Iterations, 1, "q = %d", q)
	}
}

func TestStopsAndPanics(t *testing.T) {
	k, _ := brownian(4)
	got := ridge.Richardson(k, labels(4), 10, ridge.Stop{Iterations: 7})
	require.False(t, got.Converged)
	require.Equal(t, 7, got.Iterations)
	zero := ridge.ConjugateGradients(k, make([]float64, 4), ridge.Stop{Iterations: 5})
	require.True(t, zero.Converged)
	require.Zero(t, zero.Iterations)
	_, err := ridge.EigenPro(mat.NewSymDense(2, nil), []float64{1, 1}, 1, ridge.Stop{Iterations: 5})
	require.ErrorContains(t, err, "not positive")
	require.PanicsWithValue(t, "iterative: as many eigenvectors as the matrix has are too many",
		func() { _, _ = ridge.EigenPro(k, labels(4), 4, ridge.Stop{}) })
	require.PanicsWithValue(t, "iterative: the right-hand side does not fit the matrix",
		func() { ridge.Richardson(k, labels(3), 1, ridge.Stop{}) })
}
