// Package stat holds the statistics that verdicts rest on: intervals with a stated error probability, fits of
// scaling exponents, confidence sequences, and the arithmetic of errors and sample sizes.
//
// Two rates run through the package. The false-alarm rate alpha is the probability that an interval misses what is true,
// hence that a true claim is refuted. The false-pass rate beta is the probability that a claim that is wrong by a stated
// amount is not refuted. [Mean], [Paired] and [Fit] are for one look at a number of draws fixed in advance; [Proportion],
// [BoundedMean] and [SubGaussianMean] are confidence sequences, which stay valid however often one looks and whenever one
// stops; evidence from separate shards is combined as [EValue]. [Detectable] and its relatives say beforehand what a plan
// can find.
//
// Every procedure is calibrated by simulation in this package's tests and in every report.
package stat

import "math"

// SuiteAlpha is the probability that a whole run of the suite raises any false alarm.
const SuiteAlpha = 1e-6

// PartAlpha is the share of SuiteAlpha that one statistical condition of a claim may spend. A test adds up the
// shares of all claims.
const PartAlpha = 1e-8

// Interval is a confidence interval: it misses the true value with probability at most Alpha.
type Interval struct {
	Estimate float64
	Lo, Hi   float64
	Alpha    float64
}

// Valid reports whether the interval is made of finite numbers in the right order. Anything else loses.
func (iv Interval) Valid() bool {
	for _, x := range []float64{iv.Estimate, iv.Lo, iv.Hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return iv.Lo <= iv.Estimate && iv.Estimate <= iv.Hi
}

// invalid is what every procedure returns when it cannot say anything. It fails [Interval.Valid].
func invalid(alpha float64) Interval {
	return Interval{math.NaN(), math.NaN(), math.NaN(), alpha}
}

// level reports whether alpha can be an error probability. Below 1e-100 the quantiles would leave the range of float64.
func level(alpha float64) bool { return alpha >= 1e-100 && alpha < 1 }

// bisect narrows [lo, hi] to two neighbouring floats between which a predicate turns from false at lo to true at hi.
func bisect(lo, hi float64, turned func(float64) bool) (below, above float64) {
	for {
		mid := lo + (hi-lo)/2
		if !(lo < mid && mid < hi) {
			return lo, hi
		}
		if turned(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
}
