package blas

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/internal/roundoff"
)

// The oracle here shares nothing with the kernels: sums in 300 bits, which holds products of float64 near 1 exactly and
// adds them with an error far below any bound used.

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }

// residual is |Σ x_p·y_p + extra| and size Σ |x_p·y_p|.
func residual(n int, x, y func(p int) float64, extra float64) (value, size float64) {
	sum, term, a, b := exactly(extra), exactly(0), exactly(0), exactly(0)
	for p := range n {
		xp, yp := x(p), y(p)
		if xp == 0 { // as half of a triangle is
			continue
		}
		sum.Add(sum, term.Mul(a.SetFloat64(xp), b.SetFloat64(yp)))
		size += math.Abs(xp * yp)
	}
	value, _ = sum.Float64()
	return math.Abs(value), size
}

// TestGemmAccuracy holds Dgemm to the bound of BLAS++: ‖C − C*‖_F ≤ u·(√(k+2)·|α|·‖A‖‖B‖ + 2|β|‖C₀‖), the growth √k of
// rounding errors that do not conspire.
func TestGemmAccuracy(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 1))
		for _, s := range [][3]int{{5, 6, 7}, {13, 17, 40}, {9, 20, 500}, {30, 31, 33}} {
			m, n, k := s[0], s[1], s[2]
			a, b, c := newStored(rng, m, k, 0), newStored(rng, k, n, 0), newStored(rng, m, n, 0)
			c0 := c.clone()
			const alpha, beta = -1.7, 0.3
			Implementation{}.Dgemm('N', 'N', m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
			err := 0.0
			for i := range m {
				for j := range n {
					sum, term, x, y := exactly(0), exactly(0), exactly(0), exactly(0)
					for p := range k {
						sum.Add(sum, term.Mul(x.SetFloat64(a.op('N', i, p)), y.SetFloat64(b.op('N', p, j))))
					}
					sum.Mul(sum, exactly(alpha))
					sum.Add(sum, term.Mul(exactly(beta), exactly(c0.op('N', i, j))))
					d, _ := sum.Sub(sum, exactly(c.op('N', i, j))).Float64()
					err = math.Hypot(err, d)
				}
			}
			bound := roundoff.Unit * (math.Sqrt(float64(k+2))*math.Abs(alpha)*norm(a)*norm(b) + 2*math.Abs(beta)*norm(c0))
			if ok := err <= bound; !ok {
				t.Errorf("%v: error %g, bound %g", s, err, bound)
			}
		}
	})
}

func norm(s stored) float64 {
	sum := 0.0
	for i := range s.rows {
		for j := range s.cols {
			sum = math.Hypot(sum, s.op('N', i, j))
		}
	}
	return sum
}

// newTriangle is well conditioned, with poison where nothing may be read.
func newTriangle(rng *rand.Rand, ul gblas.Uplo, d gblas.Diag, n, pad int) stored {
	a := newStored(rng, n, n, pad)
	for i := range n {
		for j := range n {
			v := &a.data[i*a.ld+j]
			switch {
			case i == j && d == gblas.Unit, (i > j) == (ul == gblas.Upper) && i != j:
				*v = poison
			case i == j:
				*v = 2 + rng.Float64()
			default:
				*v /= float64(n)
			}
		}
	}
	return a
}

// triangleOp is the entry of op(A) with the diagonal and the zeros that are not stored.
func triangleOp(a stored, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, i, j int) float64 {
	if tA != gblas.NoTrans {
		i, j = j, i
	}
	switch {
	case i == j && d == gblas.Unit:
		return 1
	case i != j && (i > j) == (ul == gblas.Upper):
		return 0
	}
	return a.data[i*a.ld+j]
}

// TestTriangular holds Dtrsm, Dtrsv, Dtrmm and Dtrmv to componentwise bounds. A solution by substitution in any order
// is exact for a matrix within γ_n·|A| (Higham, Accuracy and Stability, theorem 8.5), so |op(A)X − αB| ≤ γ_n|A||X| +
// u|αB|, the last for the rounding of αB; a product satisfies |B' − αAB| ≤ γ_{n+1}|α||A||B|. γ_n = nu/(1-nu).
func TestTriangular(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 1))
		for _, s := range [][2]int{{1, 1}, {2, 5}, {7, 3}, {8, 8}, {9, 13}, {16, 27}, {29, 5}, {6, 29}, {66, 3}, {3, 66},
			{150, 2}} {
			for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
				for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
					for _, tA := range transposes {
						for _, d := range []gblas.Diag{gblas.Unit, gblas.NonUnit} {
							triangularCase(t, rng, side, ul, tA, d, s[0], s[1])
						}
					}
				}
			}
		}
	})
}

func triangularCase(t *testing.T, rng *rand.Rand, side gblas.Side, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag,
	m, n int) {
	t.Helper()
	order := n
	if side == gblas.Left {
		order = m
	}
	const alpha = -1.25
	a, b := newTriangle(rng, ul, d, order, 1), newStored(rng, m, n, 2)
	a0, x, y := a.clone(), b.clone(), b.clone()
	impl := Implementation{}
	if n == 1 && side == gblas.Left { // the vector routines know no alpha
		for i := range m {
			x.data[i*x.ld] *= alpha
			y.data[i*y.ld] *= alpha
		}
		impl.Dtrsv(ul, tA, d, m, a.data, a.ld, x.data, x.ld)
		impl.Dtrmv(ul, tA, d, m, a.data, a.ld, y.data, y.ld)
	} else {
		impl.Dtrsm(side, ul, tA, d, m, n, alpha, a.data, a.ld, x.data, x.ld)
		impl.Dtrmm(side, ul, tA, d, m, n, alpha, a.data, a.ld, y.data, y.ld)
	}
	id := fmt.Sprintf("side %c, triangle %c, op %c, diagonal %c, %d×%d", side, ul, tA, d, m, n)
	if sameBits(a.data, a0.data) != nil {
		t.Errorf("%s: A changed", id)
	}
	times := func(z stored, i, j int, extra float64) (value, size float64) {
		return residual(order, func(p int) float64 {
			if side == gblas.Left {
				return triangleOp(a, ul, tA, d, i, p)
			}
			return triangleOp(a, ul, tA, d, p, j)
		}, func(p int) float64 {
			if side == gblas.Left {
				return z.data[p*z.ld+j]
			}
			return z.data[i*z.ld+p]
		}, extra)
	}
	for i := range m {
		for j := range n {
			rhs := alpha * b.data[i*b.ld+j] // exact enough: alpha has three bits
			r, size := times(x, i, j, -rhs)
			if ok := r <= roundoff.Gamma(order)*size+2*roundoff.Unit*math.Abs(rhs); !ok {
				t.Fatalf("%s: solve (%d,%d): residual %g, |A||X| %g", id, i, j, r, size)
			}
			r, size = times(b, i, j, -y.data[i*y.ld+j]/alpha)
			if ok := r <= roundoff.Gamma(order+3)*size; !ok { // two more roundings for the division by alpha here
				t.Fatalf("%s: product (%d,%d): error %g, |A||B| %g", id, i, j, r, size)
			}
		}
	}
	checkPadding(t, id, x)
	checkPadding(t, id, y)
}

func checkPadding(t *testing.T, id string, s stored) {
	t.Helper()
	for i, v := range s.data {
		if i%s.ld >= s.cols && math.Float64bits(v) != math.Float64bits(poison) {
			t.Fatalf("%s: padding at %d changed", id, i)
		}
	}
}

// TestSums holds Ddot, Dasum and both forms of Dgemv to worst-case bounds: a lane has at most ⌈n/32⌉ roundings, the
// reduction 5, and alpha and beta add three; the transposed Dgemv is a chain of m roundings, and one more each for
// alpha·x and beta·y.
func TestSums(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(10, 1))
		impl := Implementation{}
		for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 100, 1000} {
			a, y := newStored(rng, 6, n, 1), newStored(rng, 1, 6, 0)
			x := a.data[:n]
			in := func(s []float64) func(int) float64 { return func(i int) float64 { return s[i] } }
			sign := func(i int) float64 { return math.Copysign(1, x[i]) }
			bound := float64((n+31)/32+5) * roundoff.Unit

			err, size := residual(n, in(x), in(a.data[a.ld:]), -impl.Ddot(n, x, 1, a.data[a.ld:], 1))
			within(t, "dot", n, err, bound*size)
			err, size = residual(n, in(x), sign, -impl.Dasum(n, x, 1))
			within(t, "asum", n, err, bound*size)

			got := y.clone()
			impl.Dgemv('N', 6, n, 0.5, a.data, a.ld, x, 1, 0.25, got.data, 1)
			for i := range 6 {
				err, size = residual(n, in(x), in(a.data[i*a.ld:]), y.data[i]/2-2*got.data[i])
				within(t, "gemv", n, err, (bound+3*roundoff.Unit)*(size+math.Abs(y.data[i])))
			}
			z := newStored(rng, 1, n, 0)
			got = z.clone()
			impl.Dgemv('T', 6, n, 0.5, a.data, a.ld, y.data, 1, 0.25, got.data, 1)
			for j := range n {
				err, size = residual(6, in(y.data), func(i int) float64 { return a.data[i*a.ld+j] }, z.data[j]/2-2*got.data[j])
				within(t, "gemv transposed", n, err, 8*roundoff.Unit*(size+math.Abs(z.data[j])))
			}
		}
	})
}

func within(t *testing.T, name string, n int, err, bound float64) {
	t.Helper()
	if ok := err <= bound; !ok {
		t.Errorf("%s, n=%d: error %g, bound %g", name, n, err, bound)
	}
}
