package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// definite is xᵀx + shift·I for a random square x.
func definite(n int, shift float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	a.SymOuterK(1, gaussian(stream(), n, n))
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+shift)
	}
	return a
}

// TestCholesky holds the factor to |A − LLᵀ| ≤ γ_{n+1}|L||Lᵀ| (Higham, Accuracy and Stability, theorem 10.3), entry by
// entry; γ_n more is for the product that the test computes itself.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 15, 16, 17, 30, 33, 65, 129} {
		for _, shift := range []float64{1, 1e-6} {
			a := definite(n, shift)
			l, err := linalg.Cholesky(a)
			require.NoError(t, err)
			for i := range n {
				require.Positive(t, l.At(i, i))
				for j := range i + 1 {
					sum, size := 0.0, 0.0
					for p := range j + 1 {
						sum += l.At(i, p) * l.At(j, p)
						size += math.Abs(l.At(i, p) * l.At(j, p))
					}
					if ok := math.Abs(sum-a.At(i, j)) <= (roundoff.Gamma(n+1)+roundoff.Gamma(n))*size; !ok {
						t.Fatalf("n=%d: entry (%d, %d) is off by %g of %g", n, i, j, sum-a.At(i, j), size)
					}
				}
			}
		}
	}
	l, err := linalg.Cholesky(new(mat.SymDense))
	require.NoError(t, err)
	require.True(t, l.IsEmpty())
}

// TestCholeskyIsExact: an integer factor comes back exactly, whatever the order of the operations, and nothing above
// the diagonal is touched.
func TestCholeskyIsExact(t *testing.T) {
	const n, ld = 53, 60
	r := stream()
	l, a := make([]float64, n*ld), make([]float64, n*ld)
	for i := range n {
		for j := range i {
			l[i*ld+j] = float64(r.IntN(7) - 3)
		}
		l[i*ld+i] = float64(int(1) << r.IntN(3))
	}
	for i := range n {
		for j := range ld {
			a[i*ld+j] = math.NaN()
			if j <= i {
				a[i*ld+j] = 0
				for p := range j + 1 {
					a[i*ld+j] += l[i*ld+p] * l[j*ld+p]
				}
			}
		}
	}
	require.NoError(t, linalg.CholeskyInPlace(n, a, ld))
	for i := range n {
		for j := range ld {
			if j <= i {
				require.Equal(t, l[i*ld+j], a[i*ld+j], "(%d, %d)", i, j)
			} else {
				require.True(t, math.IsNaN(a[i*ld+j]), "(%d, %d) was written", i, j)
			}
		}
	}
}

func TestCholeskyNamesTheBadPivot(t *testing.T) {
	for _, pivot := range []int{0, 3, 16, 40, 69} {
		a := mat.NewSymDense(70, nil)
		for i := range 70 {
			a.SetSym(i, i, 4)
		}
		a.SetSym(pivot, pivot, -2)
		_, err := linalg.Cholesky(a)
		require.ErrorIs(t, err, linalg.ErrNotPositiveDefinite)
		require.ErrorContains(t, err, fmt.Sprintf("pivot %d is -2", pivot))
	}
	for _, at := range [][2]int{{0, 0}, {7, 0}, {7, 4}, {7, 7}, {19, 19}} { // first and last columns too
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			a := definite(20, 1)
			a.SetSym(at[0], at[1], bad)
			_, err := linalg.Cholesky(a)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			require.ErrorContains(t, err, fmt.Sprintf("(%d, %d)", at[0], at[1]))
		}
	}
	require.ErrorIs(t, linalg.CholeskyInPlace(1, []float64{math.NaN()}, 1), linalg.ErrNotPositiveDefinite)
	require.Panics(t, func() { _ = linalg.CholeskyInPlace(3, make([]float64, 8), 3) })
}

// TestCholeskySolve: the residual of a solution is at most γ_{3n+1}|L||Lᵀ||x| (Higham, theorem 10.4), here in norms:
// ‖|L||Lᵀ|‖ ≤ n‖A‖.
func TestCholeskySolve(t *testing.T) {
	const n, k = 70, 9
	a, b := definite(n, 1), gaussian(stream(), n, k)
	l, err := linalg.Cholesky(a)
	require.NoError(t, err)
	x := mat.DenseCopyOf(b)
	linalg.CholeskySolve(l, x)
	var residual mat.Dense
	residual.Mul(a, x)
	residual.Sub(&residual, b)
	if got, allowed := mat.Norm(&residual, 2), roundoff.Gamma(3*n+1)*n*mat.Norm(a, 2)*mat.Norm(x, 2); !(got <= allowed) {
		t.Errorf("residual %g, allowed %g", got, allowed)
	}
	require.Panics(t, func() { linalg.CholeskySolve(l, mat.NewDense(n+1, 2, nil)) })
}
