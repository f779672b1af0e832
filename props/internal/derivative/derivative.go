// Package derivative differentiates functions numerically, from their values alone: an oracle for gradients that shares
// no code with a backward pass.
package derivative

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/roundoff"
)

// Quadratic returns the derivatives of f in the entries of x, which f reads, by central differences of the given step.
// They are exact where f is quadratic along every entry within the step, as the loss of a linear network is, and free
// of rounding on small integers with a dyadic step.
func Quadratic(x []float64, step float64, f func() float64) []float64 {
	d := make([]float64, len(x))
	for i, at := range x {
		x[i] = at + step
		up := f()
		x[i] = at - step
		d[i] = (up - f()) / (2 * step)
		x[i] = at
	}
	return d
}

// Step is the distance of the nearest points of [Along].
const Step = 0x1p-11

// Along returns the derivative of a smooth f at x along d, and how far it may be off. f reads x, which is restored.
//
// With central differences D(s) at s = Step/‖d‖ the derivative is R(s) = (4D(s) − D(2s))/3, whose error is of fourth
// order in s: that of R(2s) is sixteen times as large, and |R(2s) − R(s)| is fifteen errors of R(s). All of it is
// allowed. As to rounding, a network's loss of size M ends about 100 operations whose errors the layers amplify less
// than tenfold, so that R errs by at most (8 + 1)/6 of 1000·u(1+M)/s, and its last subtractions by less.
func Along(x, d []float64, f func() float64) (slope, err float64) {
	s, origin, largest := Step/floats.Norm(d, 2), slices.Clone(x), 0.0
	at := func(s float64) float64 {
		floats.AddScaledTo(x, origin, s, d)
		value := f()
		largest = max(largest, math.Abs(value))
		return value
	}
	quotient := func(s float64) float64 { return (at(s) - at(-s)) / (2 * s) }
	once, twice, fourfold := quotient(s), quotient(2*s), quotient(4*s)
	copy(x, origin)
	slope = (4*once - twice) / 3
	return slope, math.Abs((4*twice-fourfold)/3-slope) + 1500*roundoff.Unit*(1+largest)/s
}
