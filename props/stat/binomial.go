package stat

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// binomialAtMost is P(X ≤ k) for X ~ Bin(n, p), by the incomplete beta function and so with a small relative error
// however rare the event is. It is NaN when p is no probability.
func binomialAtMost(k, n int, p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// binomialAtLeast is P(X ≥ k) for X ~ Bin(n, p), as accurately.
func binomialAtLeast(k, n int, p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	return mathext.RegIncBeta(float64(k), float64(n-k+1), p)
}

// lowRank is the largest k ≤ n such that fewer than k among n independent events happen with probability at most
// tail, when each happens with probability at least p. It is 0 when there is none.
func lowRank(n int, p, tail float64) int {
	return lowRanks.of([3]float64{float64(n), p, tail}, func() int {
		return sort.Search(max(0, n), func(k int) bool { return !(binomialAtMost(k, n, p) <= tail) })
	})
}

var lowRanks memo[[3]float64, int]

// highCount is the smallest k such that more than k among n independent events happen with probability at most tail,
// when each happens with probability at most p.
func highCount(n int, p, tail float64) int {
	return sort.Search(max(0, n), func(k int) bool { return binomialAtLeast(k+1, n, p) <= tail })
}
