package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NearlySingular bounds the probability that a matrix of independent standard normal entries has a smallest singular
// value of at most t. A column lies within s of the span of the q-1 others, in p dimensions, p ≥ q, with probability
// P(χ²(p-q+1) ≤ s²), and some column lies within √q·t of that of the others if the smallest singular value is at most
// t:
//
//	q·P(χ²(p-q+1) ≤ q·t²), p and q the larger and the smaller dimension.
//
// It is NaN when t is negative or no number, or a dimension is not positive.
func NearlySingular(rows, cols int, t float64) float64 {
	p, q := max(rows, cols), min(rows, cols)
	if q < 1 || !(t >= 0) {
		return math.NaN()
	}
	if math.IsInf(t, 1) {
		return 1
	}
	return min(1, float64(q)*mathext.GammaIncReg(float64(p-q+1)/2, float64(q)*t*t/2))
}
