package ridge_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/ridge"
)

// BenchmarkPath solves for 13 penalties and reports what that costs over the factorisation that they share, which it
// times in turns.
func BenchmarkPath(b *testing.B) {
	previous, threads := blas.Use(), blas.Threads()
	blas.SetThreads(1)
	b.Cleanup(func() { blas64.Use(previous); blas.SetThreads(threads) })
	const n = 500
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, 2*n, nil), make([]float64, n)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	var k mat.SymDense
	k.SymOuterK(1./n, x)
	solve := func(penalties []float64) float64 {
		before := cputime.Process()
		path, err := ridge.NewPath(&k, y)
		require.NoError(b, err)
		for _, lambda := range penalties {
			_, err := path.Solve(lambda)
			require.NoError(b, err)
		}
		return cputime.Process() - before
	}
	var ratios []float64
	for b.Loop() {
		factor, whole := solve(nil), solve(ridge.Penalties(1e-4, 1e2, 13))
		ratios = append(ratios, whole/factor)
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "of-factorisation")
}
