package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// RankDraws is the smallest number of draws with which [RankMean] with that lean is valid at level alpha, and with
// lean 0 [Median]: the smallest n with (1/2+lean)^n ≤ alpha/2. It is 0 when the arguments are out of range.
func RankDraws(lean, alpha float64) int {
	if !(lean >= 0 && lean < 0.5) || !level(alpha) {
		return 0
	}
	n := max(1, int(math.Log(alpha/2)/math.Log(0.5+lean))-1) // the logarithms may be off by a rounding
	for lowRank(n, 0.5-lean, alpha/2) == 0 {
		n++
	}
	return n
}

// RankTail is the share of the law of a draw that may lie beyond an equivalence margin, on each side, if [RankMean]
// with that lean, or with lean 0 [Median], is to lie inside the margin with probability at least 1-gamma: the largest
// p with P(Bin(n, p) ≥ k) ≤ gamma/2, where k is the rank of the ends. It is exact and needs independence only. If the
// laws differ, p bounds the average of their shares (Hoeffding, Ann. Math. Statist. 27 (1956) 713). It is NaN where
// the interval is invalid.
func RankTail(n int, lean, alpha, gamma float64) float64 {
	if !(lean >= 0) || !level(alpha) || !level(gamma) {
		return math.NaN()
	}
	k := lowRank(n, 0.5-lean, alpha/2)
	switch k {
	case 0:
		return math.NaN()
	case 1: // no draw may lie there: the union bound, whether the laws differ or not
		return gamma / 2 / float64(n)
	}
	p, _ := bisect(0, 0.5, func(p float64) bool { return !(binomialAtLeast(k, n, p) <= gamma/2) })
	return min(p, float64(k-1)/float64(n)) // where Hoeffding's comparison ends
}

// RankUndecided is the other way round: a bound on the probability that the interval of [RankMean], or with lean 0 of
// [Median], sticks out of an equivalence margin beyond which lies at most a share p of each draw's law on each side.
// It is 1 where the interval is invalid.
func RankUndecided(p float64, n int, lean, alpha float64) float64 {
	k := 0
	if lean >= 0 && level(alpha) {
		k = lowRank(n, 0.5-lean, alpha/2)
	}
	mean := p * float64(n)
	switch {
	case k == 1 && mean >= 0:
		return min(1, 2*mean)
	case k > 1 && mean >= 0 && mean <= float64(k-1):
		return min(1, 2*binomialAtLeast(k, n, p))
	}
	return 1
}

// MedianMargin is the equivalence margin in which [Median] of n draws at level alpha accepts, with probability at
// least 1-gamma, a claimed value from which each draw lies farther than tail(p)·sd, on either side, with probability
// at most p. A bias, that is the distance of the claimed value from the centre that the tail is about, has to be
// added; between a mean and a median it is about sd·skewness/6. It is NaN where the interval is invalid.
//
// The least number of draws for which the interval is valid makes a poor plan: no draw may then lie outside of the
// margin. In standard deviations, at [CriterionAlpha] and [CriterionUndecided]:
//
//	draws                  31    40    48    64    96   216  1800
//	NormalTail            6.6   4.8   3.5   2.5   1.8   1.1  0.36
//	SkewedTail(1.4)        31    13   6.8   3.6   2.2   1.0  0.49
//	HeavyTail(5)          175    20   6.3   2.9   1.8   1.0  0.30
func MedianMargin(tail Tail, sd float64, n int, alpha, gamma float64) float64 {
	return RankMargin(tail, sd, n, 0, alpha, gamma)
}

// RankMargin is [MedianMargin] for [RankMean] with a lean.
func RankMargin(tail Tail, sd float64, n int, lean, alpha, gamma float64) float64 {
	if !(sd >= 0) || math.IsInf(sd, 1) {
		return math.NaN()
	}
	return sd * tail(RankTail(n, lean, alpha, gamma))
}

// Tail bounds how far draws lie from their mean: one lies farther than Tail(p) standard deviations above with
// probability at most p, and likewise below. It is NaN unless 0 < p < 1/2.
type Tail func(p float64) float64

// tailed is a tail with its domain.
func tailed(at func(p float64) float64) Tail {
	return func(p float64) float64 {
		if !(p > 0 && p < 0.5) {
			return math.NaN()
		}
		return at(p)
	}
}

// Tails of laws, to plan with; a plan that rests on the wrong one leaves true claims undecided more often, and never
// refutes them.
var (
	// NormalTail is the tail of a normal law.
	NormalTail = tailed(func(p float64) float64 { return -distuv.UnitNormal.Quantile(p) })
	// SubGaussianTail is proven when sd² is a variance proxy, E exp(λ(X-m)) ≤ exp(λ²sd²/2) for all λ.
	SubGaussianTail = tailed(func(p float64) float64 { return math.Sqrt(-2 * math.Log(p)) })
	// AnyTail is proven for every law with that standard deviation (Cantelli's inequality), and of use with many
	// draws only.
	AnyTail = tailed(func(p float64) float64 { return math.Sqrt((1 - p) / p) })
)

// SkewedTail returns the tail of a lognormal law with the given skewness, of either sign: its long tail, and near the
// mean, where that is shorter, the other side. With skewness 0 it is [NormalTail].
func SkewedTail(skewness float64) Tail {
	s := lognormalSigma(math.Abs(skewness))
	if s < 1e-6 { // closer to the normal law than its quantiles are known
		return NormalTail
	}
	return tailed(func(p float64) float64 {
		z := s * NormalTail(p)
		long, short := math.Expm1(z-s*s/2), -math.Expm1(-z-s*s/2)
		return max(long, short) / math.Sqrt(math.Expm1(s*s))
	})
}

// HeavyTail returns the tail of Student's law with nu > 2 degrees of freedom.
func HeavyTail(nu float64) Tail {
	return tailed(func(p float64) float64 {
		if !(nu > 2) {
			return math.NaN()
		}
		return studentQuantile(p, nu) * math.Sqrt((nu-2)/nu)
	})
}

// lognormalSigma is the standard deviation of the logarithm of a lognormal law with skewness (e^{s²}+2)√(e^{s²}-1).
func lognormalSigma(skewness float64) float64 {
	if !(skewness >= 0 && skewness < 1e6) {
		return math.NaN()
	}
	s, _ := bisect(0, 4, func(s float64) bool {
		e := math.Expm1(s * s)
		return (e+3)*math.Sqrt(e) > skewness
	})
	return s
}
