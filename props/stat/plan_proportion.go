package stat

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// DetectableProportion returns the probabilities nearest to p, on either side, that [Proportion] after n trials tells from
// p at false-alarm rate alpha: if the true probability of success is below or less, or above or more, the interval
// misses p except with probability beta, the false-pass rate. NaN says that no probability on that side is found with so
// few trials, or that an argument is out of range.
func DetectableProportion(p float64, n int, alpha, beta float64) (below, above float64) {
	if !(p >= 0 && p <= 1) || !counts(0, n) || !level(alpha) || !level(beta) {
		return math.NaN(), math.NaN()
	}
	return 1 - foundAbove(1-p, n, alpha, beta), foundAbove(p, n, alpha, beta)
}

// foundAbove is the smallest q > p under which successes are numerous enough to reject p, except with probability beta.
func foundAbove(p float64, n int, alpha, beta float64) float64 {
	// The evidence against p grows with every success beyond n·p.
	first := min(n, int(math.Ceil(float64(n)*p)))
	least := first + sort.Search(n-first+1, func(k int) bool { return BernoulliEValue(first+k, n, p).Rejects(alpha) })
	if least > n {
		return math.NaN()
	}
	found := func(q float64) bool { // P(fewer than so many successes among n) = I(n-least+1, least) at 1-q
		return mathext.RegIncBeta(float64(n-least+1), float64(least), 1-q) <= beta
	}
	_, q := bisect(p, 1, found)
	return q
}
