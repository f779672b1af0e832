package props

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// countingKernel counts products.
type countingKernel struct {
	blas.Float64
	products *atomic.Int64
}

func (k countingKernel) Dgemm(ta, tb blas.Transpose, m, n, inner int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	k.products.Add(1)
	k.Float64.Dgemm(ta, tb, m, n, inner, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Kernels that are given back by a deferred call, before any parallel subtest has begun, compute in all of them.
func TestKernelsOfTheCaller(t *testing.T) {
	var products atomic.Int64
	before := blas64.Implementation()
	multiplying := claim("multiplying", Drawn[float64, float64]{
		Name: "product", Cases: Times(40), Draw: Constant(2.0), Claim: 4,
		Judge: func(r *Record, x, claim float64) {
			var product mat.Dense
			product.Mul(mat.NewDense(1, 1, []float64{x}), mat.NewDense(1, 1, []float64{x}))
			r.Exactly("square", product.At(0, 0), claim)
		},
		Controls: []Wrong[float64, float64]{{Name: "five", Claim: func(c *float64) { *c = 5 }}},
	})
	t.Run("as a user would", func(t *testing.T) {
		blas64.Use(countingKernel{before, &products})
		defer blas64.Use(before)
		Test(t, []Claim{multiplying})
	})
	require.Positive(t, products.Load())
	require.Equal(t, before, blas64.Implementation(), "the kernels are not given back")
}
