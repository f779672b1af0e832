package lapack_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/impl/lapack"
	"github.com/thm-suite/thm/internal/roundoff"
)

// definite is a symmetric positive definite matrix: a random symmetric one with a diagonal that dominates, poisoned
// outside the triangle.
func definite(rng *rand.Rand, ul gblas.Uplo, n, pad int) stored {
	s := newStored(rng, n, n, pad)
	for i := range n {
		s.data[i*s.ld+i] = float64(2*n) + rng.Float64()
		for j := range n {
			if outside(ul, i, j) {
				s.data[i*s.ld+j] = poison
			}
		}
	}
	return s
}

// outside reports whether an entry is not in the triangle.
func outside(ul gblas.Uplo, i, j int) bool { return i != j && (i > j) == (ul == gblas.Upper) }

// upper is entry (i, j) of the upper triangle that is stored, or of the transpose of a lower one.
func (s stored) upper(ul gblas.Uplo, i, j int) float64 {
	if ul == gblas.Lower {
		i, j = j, i
	}
	return s.data[i*s.ld+j]
}

// TestCholesky compares the factor with the bound |A − LLᵀ| ≤ γ_{n+1}|L||Lᵀ|, entry by entry (Higham, Accuracy and
// Stability, theorem 10.3; it holds for any order of the operations). Nothing outside the triangle is read or written.
func TestCholesky(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(21, 1))
		for _, n := range []int{1, 2, 3, 4, 5, 8, 11, 16, 29, 64, 65, 70, 200} {
			for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
				a := definite(rng, ul, n, n%3)
				f := a.clone()
				if bad, pivot := lapack.Cholesky(ul, n, f.data, f.ld); bad >= 0 {
					t.Fatalf("%c, n=%d: pivot %d is %g", ul, n, bad, pivot)
				}
				choleskyCase(t, ul, a, f)
			}
		}
	})
}

func choleskyCase(t *testing.T, ul gblas.Uplo, a, f stored) {
	t.Helper()
	n := a.rows
	for i := range n {
		for j := range n {
			if outside(ul, i, j) {
				require.Equal(t, math.Float64bits(poison), math.Float64bits(f.data[i*f.ld+j]), "entry (%d,%d)", i, j)
				continue
			}
			sum, size := doubledouble.Sum{Hi: -a.data[i*a.ld+j]}, 0.0
			for p := range min(i, j) + 1 {
				x, y := f.upper(ul, p, i), f.upper(ul, p, j)
				sum.AddProduct(x, y)
				size += math.Abs(x * y)
			}
			require.LessOrEqual(t, math.Abs(sum.Float64()), roundoff.Gamma(n+1)*size, "%c, n=%d, (%d,%d)", ul, n, i, j)
		}
	}
	for i, v := range f.data {
		if i%f.ld >= f.cols {
			require.Equal(t, math.Float64bits(poison), math.Float64bits(v), "padding at %d", i)
		}
	}
}

// TestCholeskyTriangles: L has the bits of the transposed U.
func TestCholeskyTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	for _, n := range []int{3, 50, 64, 100, 331} {
		u := definite(rng, gblas.Upper, n, 1)
		l := u.clone()
		for i := range n {
			for j := range i {
				l.data[i*l.ld+j], l.data[j*l.ld+i] = u.data[j*u.ld+i], poison
			}
		}
		lapack.Cholesky(gblas.Upper, n, u.data, u.ld)
		lapack.Cholesky(gblas.Lower, n, l.data, l.ld)
		for i := range n {
			for j := range i + 1 {
				if math.Float64bits(l.data[i*l.ld+j]) != math.Float64bits(u.data[j*u.ld+i]) {
					t.Fatalf("n=%d: L(%d,%d) is %v, U(%d,%d) is %v", n, i, j, l.data[i*l.ld+j], j, i, u.data[j*u.ld+i])
				}
			}
		}
	}
}

// TestCholeskyBadPivot: the first pivot that is not positive and finite is named, wherever it lies in its block.
func TestCholeskyBadPivot(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, n := range []int{1, 7, 64, 150, 300} {
			for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
				for _, bad := range []float64{0, -3, math.Inf(1), math.NaN()} {
					a, want := make([]float64, n*n), n*2/3
					for i := range n {
						a[i*n+i] = 1
					}
					a[want*n+want] = bad
					got, pivot := lapack.Cholesky(ul, n, a, n)
					if got != want || math.Float64bits(pivot) != math.Float64bits(bad) {
						t.Errorf("%c, n=%d: pivot %d is %g, want %d and %g", ul, n, got, pivot, want, bad)
					}
				}
			}
		}
	})
}
