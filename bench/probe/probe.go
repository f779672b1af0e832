// Package probe estimates norms of errors by random vectors, in twice the working precision. What it sees are the errors of
// the result on trial, and not its own.
package probe

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/streams"
)

// probes is how many random vectors an estimate of a norm uses.
const probes = 8

// seed of all random vectors.
const seed = 1

// Frobenius estimates the Frobenius norm of a linear map L on ℝⁿ as the root mean square of ‖L g‖ over Gaussian
// vectors g, for which E‖L g‖² = ‖L‖²_F. It costs O(n²) where L is applied factor by factor, and it needs no
// reference result.
//
// The estimate is smallest beside the truth when L has rank one (a single wrong entry, say): it is then the truth
// Times √(χ²/8) with 8 = probes degrees of freedom, which falls below one tenth with probability
// P(χ² < 0.08) ≤ 0.04⁴/4! = 1.1·10⁻⁷.
func Frobenius(n int, name string, L func(x []DoubleDouble) []DoubleDouble) float64 {
	rng := streams.New(seed, "bench", "probe", name)
	var sum float64
	x := make([]DoubleDouble, n)
	for range probes {
		for i := range x {
			x[i] = DoubleDouble{hi: rng.NormFloat64()}
		}
		for _, y := range L(x) {
			sum += y.Value() * y.Value()
		}
	}
	return math.Sqrt(sum / probes)
}

// DoubleDouble is the unevaluated sum hi + lo. Sums of products in this form are as accurate as if computed in twice the
// working precision and then rounded: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci.
// Comput. 26 (2005), algorithm 5.3 with a fused multiply-add. The probes therefore see the rounding errors of what is
// verified and not their own.
type DoubleDouble struct{ hi, lo float64 }

// Value rounds to a float64.
func (s DoubleDouble) Value() float64 { return s.hi + s.lo }

// Minus returns s − t.
func (s DoubleDouble) Minus(t DoubleDouble) DoubleDouble { return s.Plus(-1, t) }

// Plus returns s + a·x. Conversions keep the compiler from fusing what must be rounded.
func (s DoubleDouble) Plus(a float64, x DoubleDouble) DoubleDouble {
	p := float64(a * x.hi)
	pErr := math.FMA(a, x.hi, -p)
	sum := s.hi + p
	t := sum - s.hi
	sumErr := (s.hi - (sum - t)) + (p - t)
	return DoubleDouble{sum, s.lo + (sumErr + (pErr + float64(a*x.lo)))}
}

// Times returns A x.
func Times(a *mat.Dense, x []DoubleDouble) []DoubleDouble {
	rows, _ := a.Dims()
	y := make([]DoubleDouble, rows)
	for i := range y {
		for j, aij := range a.RawRowView(i) {
			y[i] = y[i].Plus(aij, x[j])
		}
	}
	return y
}

// TransposeTimes returns Aᵀ x.
func TransposeTimes(a *mat.Dense, x []DoubleDouble) []DoubleDouble {
	_, cols := a.Dims()
	y := make([]DoubleDouble, cols)
	for i, xi := range x {
		for j, aij := range a.RawRowView(i) {
			y[j] = y[j].Plus(aij, xi)
		}
	}
	return y
}

// Difference sets x to x − y and returns it.
func Difference(x, y []DoubleDouble) []DoubleDouble {
	for i := range x {
		x[i] = x[i].Minus(y[i])
	}
	return x
}

// Scaled returns diag(d)·x, cut or filled with zeros to n entries.
func Scaled(d []float64, x []DoubleDouble, n int) []DoubleDouble {
	y := make([]DoubleDouble, n)
	for i, di := range d {
		y[i] = DoubleDouble{}.Plus(di, x[i])
	}
	return y
}
