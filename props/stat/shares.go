package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MostEvents returns how many of n independent events may happen before chance no longer explains it, when each happens
// with probability at most p: the smallest k such that more than k happen with probability at most tail. The bound
// holds as well where the probabilities differ and p bounds their mean (Hoeffding, Ann. Math. Statist. 27 (1956) 713),
// since k is above that mean.
func MostEvents(n int, p, tail float64) int { return highCount(n, p, tail) }

// MoreEvents is the probability that more than k of n such events happen.
func MoreEvents(k, n int, p float64) float64 { return binomialAtLeast(k+1, n, p) }

// NoEvent bounds the probability that none of n independent events happens in a later run, after k of cases did: with
// q the lower confidence bound of Clopper and Pearson on their mean probability at the given level,
//
//	(1-q)^n.
//
// Where the probabilities differ from case to case, the mean of the logarithms of 1-q is at most that of the mean. It
// is 1 where k is 0, and NaN where k is no count of cases or the level none.
func NoEvent(k, cases, n int, alpha float64) float64 {
	if k < 0 || k > cases || n < 1 || !level(alpha) {
		return math.NaN()
	}
	if k == 0 {
		return 1
	}
	_, q := bisect(0, 1, func(q float64) bool { return binomialAtLeast(k, cases, q) >= alpha })
	return math.Pow(1-q, float64(n))
}

// CrossedBy bounds the probability that an interval at level alpha, whose near end lies reserve half-widths beyond a
// limit, comes to lie on its other side when the data are drawn again: by the tail of a normal law, of which the
// half-width is the quantile of alpha/2. It is 1 for an interval that does not lie beyond the limit.
func CrossedBy(reserve, alpha float64) float64 {
	if !(reserve > 0) || !level(alpha) {
		return 1
	}
	return math.Erfc(-distuv.UnitNormal.Quantile(alpha/2)*reserve/math.Sqrt2) / 2
}
