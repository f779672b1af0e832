package stat

import (
	"math"
	"slices"
)

// Median is the exact interval for a median between two order statistics: from the k-th smallest to the k-th largest
// draw, with the largest k for which P(Bin(n, 1/2) < k) ≤ alpha/2.
//
// Assumption: the draws are independent and have a common median m, P(X ≤ m) ≥ 1/2 and P(X ≥ m) ≥ 1/2. Nothing else:
// they may be skewed, heavy-tailed, discrete, and of different laws. If their medians differ and all lie in a set C,
// the interval is disjoint from the convex hull of C with probability at most alpha.
//
// Level: one look at a number of draws fixed in advance; each end is beyond the median with probability at most
// alpha/2, by an exact binomial tail.
//
// Invalid with fewer draws than [RankDraws] says, 31 at [CriterionAlpha], and when a draw is not finite.
//
// Applied to counts or to indicators 0 and 1 it is a sign test: whether more than half of the law takes a value.
//
// Source: Thompson, Ann. Math. Statist. 7 (1936) 122.
func Median(xs []float64, alpha float64) Interval { return Quantile(xs, 0.5, alpha) }

// Quantile is [Median] for the p-quantile of independent draws, P(X ≤ m) ≥ p and P(X ≥ m) ≥ 1-p. It is invalid when
// an end would need more extreme draws than there are: p^n or (1-p)^n above alpha/2.
func Quantile(xs []float64, p, alpha float64) Interval {
	sorted, iv := between(xs, p, 1-p, alpha)
	return iv.at(quantile(sorted, p))
}

// RankMean is an interval for a mean between two order statistics, which needs to know how far from the median the mean
// can lie: it goes from the k-th smallest to the k-th largest draw, with the largest k for which
// P(Bin(n, 1/2-lean) < k) ≤ alpha/2.
//
// Assumption: the draws are independent, have a common mean m, and lean by at most lean:
//
//	P(X ≤ m) ≥ 1/2 - lean and P(X ≥ m) ≥ 1/2 - lean.
//
// A symmetric law has lean 0; [Lean] is its size for a small skewness, [LeanOfMean] a proven bound for averages of
// independent draws. Tails do not matter, and the laws may differ.
//
// Level: one look at a number of draws fixed in advance; each end is beyond the mean with probability at most
// alpha/2, by an exact binomial tail.
//
// Invalid with fewer draws than [RankDraws] says, when a draw is not finite, and unless 0 ≤ lean < 1/2.
func RankMean(xs []float64, lean, alpha float64) Interval {
	if !(lean >= 0) {
		return invalid(alpha)
	}
	_, iv := between(xs, 0.5-lean, 0.5-lean, alpha)
	return iv.at(average(xs))
}

// between is the interval of order statistics for a number m with P(X ≤ m) ≥ below and P(X ≥ m) ≥ above, and the
// draws in order. Its lower end exceeds m when fewer than k draws are at most m; likewise its upper end.
func between(xs []float64, below, above, alpha float64) ([]float64, Interval) {
	n := len(xs)
	if !level(alpha) || slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return nil, invalid(alpha)
	}
	first := lowRank(n, below, alpha/2)
	last := first
	if above != below {
		last = lowRank(n, above, alpha/2)
	}
	if first == 0 || last == 0 || first+last > n+1 {
		return nil, invalid(alpha)
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sorted, Interval{sorted[first-1], sorted[first-1], sorted[n-last], alpha}
}

// at puts the estimate to x, or to the end that is nearest.
func (iv Interval) at(x float64) Interval {
	iv.Estimate = min(max(x, iv.Lo), iv.Hi)
	return iv
}

// quantile is the p-quantile of a sample in ascending order, half-way between two draws where both would do.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	place, last := p*float64(len(sorted)), len(sorted)-1
	i := min(int(place), last)
	if place == math.Floor(place) && i > 0 {
		return sorted[i-1] + (sorted[i]-sorted[i-1])/2
	}
	return sorted[i]
}

// Lean is the lean of a law of small skewness, to first order in the skewness: |skewness|/(6√(2π)), by Edgeworth's
// expansion at the mean. It is no bound: of the laws that the calibration tries, a lognormal law of skewness 1.4
// leans by 0.083 where this says 0.093, and χ² with one degree of freedom by 0.183 where it says 0.188.
func Lean(skewness float64) float64 { return math.Abs(skewness) / (6 * math.Sqrt(2*math.Pi)) }

// LeanOfMean bounds the lean of the average of count independent draws of one law with E|X-m|³ ≤ third·sd³. It is
// proven and generous: third is at least 1, 1.6 for a normal law.
//
// Source: Berry and Esseen's theorem with the constant of Shevtsova, arXiv 1111.6554: |F(x) - Φ(x)| ≤
// 0.4690·third/√count.
func LeanOfMean(count int, third float64) float64 {
	if count < 1 || !(third >= 1) {
		return math.NaN()
	}
	return 0.4690 * third / math.Sqrt(float64(count))
}
