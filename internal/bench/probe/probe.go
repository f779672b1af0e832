// Package probe estimates norms of errors by random vectors, in twice the working precision, so that it sees the errors
// of the tested result and not its own.
package probe

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/streams"
)

// probes is the number of random vectors that an estimate of a norm uses.
const probes = 8

// seed of all random vectors.
const seed = 1

// Frobenius estimates the Frobenius norm of a linear map L on ℝⁿ as the root mean square of ‖L g‖ over Gaussian
// vectors g, for which E‖L g‖² = ‖L‖²_F. It costs O(n²) where L is applied factor by factor, and it needs no
// reference result.
//
// The estimate is smallest against the truth when L has rank one (a single wrong entry, say): it is then the truth
// times √(χ²/8) with 8 = probes degrees of freedom, which falls below one tenth with probability
// P(χ² < 0.08) ≤ 0.04⁴/4! = 1.1·10⁻⁷.
func Frobenius(n int, name string, L func(x []doubledouble.Sum) []doubledouble.Sum) float64 {
	rng := streams.New(seed, "bench", "probe", name)
	var sum float64
	x := make([]doubledouble.Sum, n)
	for range probes {
		for i := range x {
			x[i] = doubledouble.Sum{Hi: rng.NormFloat64()}
		}
		for _, y := range L(x) {
			sum += y.Float64() * y.Float64()
		}
	}
	return math.Sqrt(sum / probes)
}

// Times returns A x.
func Times(a *mat.Dense, x []doubledouble.Sum) []doubledouble.Sum {
	rows, _ := a.Dims()
	y := make([]doubledouble.Sum, rows)
	for i := range y {
		for j, aij := range a.RawRowView(i) {
			y[i].AddMultiple(aij, x[j])
		}
	}
	return y
}

// TransposeTimes returns Aᵀ x.
func TransposeTimes(a *mat.Dense, x []doubledouble.Sum) []doubledouble.Sum {
	_, cols := a.Dims()
	y := make([]doubledouble.Sum, cols)
	for i, xi := range x {
		for j, aij := range a.RawRowView(i) {
			y[j].AddMultiple(aij, xi)
		}
	}
	return y
}

// Difference sets x to x − y and returns it.
func Difference(x, y []doubledouble.Sum) []doubledouble.Sum {
	for i := range x {
		x[i].AddMultiple(-1, y[i])
	}
	return x
}

// Scaled returns diag(d)·x, cut or filled with zeros to n entries.
func Scaled(d []float64, x []doubledouble.Sum, n int) []doubledouble.Sum {
	y := make([]doubledouble.Sum, n)
	for i, di := range d {
		y[i].AddMultiple(di, x[i])
	}
	return y
}
