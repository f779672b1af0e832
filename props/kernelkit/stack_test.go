package kernelkit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
)

// stackSVD is an SVD by way of a stack: the matrix at a place among others of its shape, its multiples.
func stackSVD(put, get int) func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
	const count = 11
	return func(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
		m, n := a.Dims()
		r := min(m, n)
		if r == 0 {
			return nil, nil, nil, nil
		}
		stack := blas.NewStack(count, m, n, nil)
		for i := range count {
			factor := float64(i-put) / count
			if i == put {
				factor = 1
			}
			mat.NewDense(m, n, stack.At(i)).Apply(func(_, _ int, x float64) float64 { return factor * x }, a)
			if i != put {
				stack.At(i)[0] = float64(i)
			}
		}
		var left, right blas.Stack
		if kind != mat.SVDNone {
			colsU, colsV := r, r
			if kind == mat.SVDFull {
				colsU, colsV = m, n
			}
			left, right = blas.NewStack(count, m, colsU, nil), blas.NewStack(count, n, colsV, nil)
			u, v = mat.NewDense(m, colsU, left.At(get)), mat.NewDense(n, colsV, right.At(get))
		}
		values := make([]float64, count*r)
		if err := linalg.SVDStack(stack, values, left, right); err != nil {
			return nil, nil, nil, err
		}
		return u, values[get*r : (get+1)*r], v, nil
	}
}

// TestStacks holds the decomposition of a matrix in a stack to the checks of an SVD that look at numbers, and shows
// that they notice when it belongs to its neighbour.
func TestStacks(t *testing.T) {
	stack := Kernel{Name: "stack", SVD: stackSVD(6, 6)}
	result, err := Run(t.Context(), stack, Options{Seed: 1,
		Match: "svd/residual,svd/orthogonality,svd/values,svd/order,svd/not finite"})
	require.NoError(t, err)
	require.NotEmpty(t, result.Checks)
	for _, row := range result.Checks {
		if row.Verdict != Holds && row.Verdict != NotOffered {
			t.Errorf("%s: %s", row.Check, row.complaint())
		}
	}
	require.Equal(t, result.Cases.Planned, result.Cases.Run)

	result, err = Run(t.Context(), Kernel{Name: "neighbour", SVD: stackSVD(6, 7)}, Options{Seed: 1,
		Match: "svd/residual,svd/values"})
	require.NoError(t, err)
	require.NotEmpty(t, result.Checks)
	for _, row := range result.Checks {
		require.Equal(t, Failed, row.Verdict, row.Check)
	}
}
