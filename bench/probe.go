package bench

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// probes is how many random vectors an estimate of a norm uses.
const probes = 8

// seed of all random numbers of this package.
const seed = 1

// frobenius estimates the Frobenius norm of a linear map L on ℝⁿ as the root mean square of ‖L g‖ over Gaussian
// vectors g, for which E‖L g‖² = ‖L‖²_F. It costs O(n²) where L is applied factor by factor, and it needs no
// reference result.
//
// The estimate is smallest beside the truth when L has rank one (a single wrong entry, say): it is then the truth
// times √(χ²/8) with 8 = probes degrees of freedom, which falls below one tenth with probability
// P(χ² < 0.08) ≤ 0.04⁴/4! = 1.1·10⁻⁷.
func frobenius(n int, name string, L func(x []twofold) []twofold) float64 {
	rng := props.Stream(seed, "bench", "probe", name)
	var sum float64
	x := make([]twofold, n)
	for range probes {
		for i := range x {
			x[i] = twofold{hi: rng.NormFloat64()}
		}
		for _, y := range L(x) {
			sum += y.value() * y.value()
		}
	}
	return math.Sqrt(sum / probes)
}

// twofold is the unevaluated sum hi + lo. Sums of products in this form are as accurate as if computed in twice the
// working precision and then rounded: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci.
// Comput. 26 (2005), algorithm 5.3 with a fused multiply-add. The probes therefore see the rounding errors of what is
// verified and not their own.
type twofold struct{ hi, lo float64 }

// value rounds to a float64.
func (s twofold) value() float64 { return s.hi + s.lo }

// minus returns s − t.
func (s twofold) minus(t twofold) twofold { return s.plus(-1, t) }

// plus returns s + a·x. Conversions keep the compiler from fusing what must be rounded.
func (s twofold) plus(a float64, x twofold) twofold {
	p := float64(a * x.hi)
	pErr := math.FMA(a, x.hi, -p)
	sum := s.hi + p
	t := sum - s.hi
	sumErr := (s.hi - (sum - t)) + (p - t)
	return twofold{sum, s.lo + (sumErr + (pErr + float64(a*x.lo)))}
}

// times returns A x.
func times(a *mat.Dense, x []twofold) []twofold {
	rows, _ := a.Dims()
	y := make([]twofold, rows)
	for i := range y {
		for j, aij := range a.RawRowView(i) {
			y[i] = y[i].plus(aij, x[j])
		}
	}
	return y
}

// transposeTimes returns Aᵀ x.
func transposeTimes(a *mat.Dense, x []twofold) []twofold {
	_, cols := a.Dims()
	y := make([]twofold, cols)
	for i, xi := range x {
		for j, aij := range a.RawRowView(i) {
			y[j] = y[j].plus(aij, xi)
		}
	}
	return y
}

// difference sets x to x − y and returns it.
func difference(x, y []twofold) []twofold {
	for i := range x {
		x[i] = x[i].minus(y[i])
	}
	return x
}

// scaled returns diag(d)·x, cut or filled with zeros to n entries.
func scaled(d []float64, x []twofold, n int) []twofold {
	y := make([]twofold, n)
	for i, di := range d {
		y[i] = twofold{}.plus(di, x[i])
	}
	return y
}
