// Package stat holds the statistics behind the verdicts: intervals with a stated error probability, equivalence
// margins, and their common error budget.
//
// # Rates
//
// The level alpha is the probability that an interval misses the true value, and so that a true claim is refuted. The
// rate gamma is the probability that a true claim is left undecided because the interval extends beyond the equivalence
// margin. Every criterion declares both as a [Risk], [CriterionAlpha] and [CriterionUndecided], and a [Budget] adds
// them up to at most [SuiteAlpha].
//
// # Which procedure
//
// Each procedure documents its assumptions, the number of looks that it allows, and when it is invalid. From the
// weakest assumption to the strongest:
//
//	[Median], [Quantile]    independent draws                                          one look, exact
//	[MedianSlope]           independent sweeps, one slope each                         one look, exact
//	[Proportion]            a probability of success                                   anytime
//	[RankMean]              independent draws, a bound on how far they lean            one look, exact
//	[SubGaussianMean]       a proven variance proxy                                    anytime
//	[SubGamma.Mean]         a proven bound on the moment generating function           one look
//	[Mean], [Paired], [Fit] normal draws; at small alpha, nothing less                 one look
//
// A claim about a limit in probability is a claim about medians as much as about means, and takes [Median]. A claim
// about an expectation takes [SubGamma.Mean] if the law is known, otherwise [RankMean].
//
// Planning functions give the equivalence margin: [MedianMargin], [RankMargin], [SubGamma.Margin], [ProportionMargin].
// A margin is the sum of three parts: the difference that does not matter, the finite-size error of the measured
// quantity, and the width that the interval needs.
//
// # Calibration
//
// [Calibrate] simulates every procedure at levels at which plain simulation shows a failure, [CalibrateRare] at the
// level used and on distributions like those of the claims' data.
package stat

import "math"

// Interval is a confidence interval, as a procedure of this package makes it.
type Interval struct {
	Estimate float64
	Lo, Hi   float64

	alpha float64 // it misses the true value with at most this probability
}

// Alpha is the probability with which the interval may miss the true value: 0 for one that no procedure made, on which
// no verdict can rest.
func (iv Interval) Alpha() float64 { return iv.alpha }

// Valid reports whether the interval is made of finite numbers in the right order. Anything else loses.
func (iv Interval) Valid() bool {
	for _, x := range []float64{iv.Estimate, iv.Lo, iv.Hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return iv.Lo <= iv.Estimate && iv.Estimate <= iv.Hi
}

// invalid returns the interval that stands for no statement. It fails [Interval.Valid].
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
