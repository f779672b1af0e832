package blas

import (
	"math"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/internal/roundoff"
)

// definite is a symmetric positive definite matrix: a random symmetric one with a diagonal that dominates, poisoned outside the triangle.
func definite(rng *rand.Rand, ul gblas.Uplo, n, pad int) stored {
	s := newStored(rng, n, n, pad)
	for i := range n {
		s.data[i*s.ld+i] = float64(2*n) + rng.Float64()
	}
	return halve(s, ul)
}

// TestCholesky holds the factor to |A − LLᵀ| ≤ γ_{n+1}|L||Lᵀ|, entry by entry (Higham, Accuracy and Stability, theorem 10.3; it holds for any order of
// the operations), the sums by the oracle. Nothing outside the triangle is read or written.
func TestCholesky(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(21, 1))
		for _, n := range []int{1, 2, 3, 4, 5, 8, 11, 16, 29, 64, 65, 70, 200} {
			for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
				a := definite(rng, ul, n, n%3)
				f := a.clone()
				if bad, pivot := Cholesky(ul, n, f.data, f.ld); bad >= 0 {
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
			if i != j && (i > j) == (ul == gblas.Upper) {
				if math.Float64bits(f.data[i*f.ld+j]) != math.Float64bits(poison) {
					t.Fatalf("%c, n=%d: entry (%d,%d) was written", ul, n, i, j)
				}
				continue
			}
			if n > 100 && (i+j)%17 != 0 {
				continue // the oracle is slow
			}
			r, size := residual(min(i, j)+1, func(p int) float64 { return f.op(transposeOf(ul), p, i) }, func(p int) float64 { return f.op(transposeOf(ul), p, j) }, -a.op('N', i, j))
			if ok := r <= roundoff.Gamma(n+1)*size; !ok {
				t.Fatalf("%c, n=%d: entry (%d,%d) is off by %g of %g", ul, n, i, j, r, size)
			}
		}
	}
	checkPadding(t, "Cholesky", f)
}

// transposeOf is the operation that makes an upper triangle of one that is stored.
func transposeOf(ul gblas.Uplo) gblas.Transpose {
	if ul == gblas.Upper {
		return gblas.NoTrans
	}
	return gblas.Trans
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
		Cholesky(gblas.Upper, n, u.data, u.ld)
		Cholesky(gblas.Lower, n, l.data, l.ld)
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
					got, pivot := Cholesky(ul, n, a, n)
					if got != want || math.Float64bits(pivot) != math.Float64bits(bad) {
						t.Errorf("%c, n=%d: pivot %d is %g, want %d and %g", ul, n, got, pivot, want, bad)
					}
				}
			}
		}
	})
}
