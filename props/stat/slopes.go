package stat

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Slopes fits a line by least squares to each replicate: ys[i] are the values of one independent sweep over all
// abscissae x, and the i-th slope is its own. Noise may differ between sizes and correlate within a replicate. It is
// NaN where there is no slope, and panics when a replicate has another length than x.
func Slopes(x []float64, ys [][]float64) []float64 {
	l := newLeastSquares(x)
	out := make([]float64, len(ys))
	for i, y := range ys {
		if len(y) != len(x) {
			panic("stat: x and y of different lengths")
		}
		_, dy, _ := centred(y)
		out[i] = l.slope(dy)
	}
	return out
}

// SlopeWeights returns w with Σ wₖyₖ the least-squares slope of y over the abscissae x: how much each value counts.
// They add up to zero. All are NaN where there is no slope.
func SlopeWeights(x []float64) []float64 {
	l := newLeastSquares(x)
	w := make([]float64, len(x))
	for k, d := range l.deviations {
		w[k] = d / l.norm / l.norm
	}
	return w
}

// leastSquares holds the properties of some abscissae that the least-squares slope over them needs.
type leastSquares struct {
	mean       float64
	deviations []float64 // from the mean
	norm       float64   // Euclidean, of the deviations; NaN where there is no slope
}

func newLeastSquares(x []float64) leastSquares {
	mean, deviations, norm := centred(x)
	if !(norm > 0) || math.IsInf(norm, 1) {
		norm = math.NaN()
	}
	return leastSquares{mean, deviations, norm}
}

// slope returns the slope of values with the given deviations from their own mean. Squares of the norm could overflow.
func (l leastSquares) slope(deviations []float64) float64 {
	return floats.Dot(l.deviations, deviations) / l.norm / l.norm
}

// MedianSlope is [Median] of [Slopes]: the interval for the median slope of independent sweeps. A claimed exponent
// belongs to a limit; how far the median slope over finite sizes may be from it belongs into the equivalence margin.
//
// Assumption: the replicates are independent. Level, and when it is invalid: as for [Median], the number of draws being
// the number of replicates.
//
// An exponent is the slope of log y over log x.
func MedianSlope(x []float64, ys [][]float64, alpha float64) Interval {
	return Median(Slopes(x, ys), alpha)
}

// SlopeSD is the standard deviation of the slope of one replicate over the abscissae x, when the values scatter
// independently with standard deviation at most sd. It is NaN where there is no slope.
func SlopeSD(x []float64, sd float64) float64 {
	if !(sd >= 0) {
		return math.NaN()
	}
	return sd / newLeastSquares(x).norm
}
