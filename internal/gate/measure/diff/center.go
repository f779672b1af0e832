package diff

import (
	"math"
	"slices"
)

// hodgesLehmann is the median of all means of two of n numbers, pairs of a number with itself included, and NaN of
// none. It sorts the numbers. The means are counted and not listed, in O(n log n) steps: simulated looks can have many
// rounds.
//
// Hodges, Lehmann: Estimates of location based on rank tests, Ann. Math. Stat. 34 (1963).
func hodgesLehmann(x []float64) float64 {
	slices.Sort(x)
	if len(x) == 0 || math.IsNaN(x[0]) {
		return math.NaN()
	}
	means := len(x) * (len(x) + 1) / 2
	lower := nthMean(x, (means+1)/2)
	if count, next := meansUpTo(x, lower); count < means/2+1 { // of an even number, the two in the middle differ
		return (lower + next) / 2
	}
	return lower
}

// nthMean is the n-th smallest mean (from 1) of two of the sorted numbers, found by bisection over all floating-point
// numbers between the ends.
func nthMean(sorted []float64, n int) float64 {
	lo, hi := place(sorted[0]), place(sorted[len(sorted)-1])
	for lo < hi {
		mid := lo + int64(uint64(hi-lo)/2)
		if count, _ := meansUpTo(sorted, atPlace(mid)); count >= n {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return atPlace(lo)
}

// meansUpTo counts the means of two of the sorted numbers that are at most m, and returns the next one.
func meansUpTo(sorted []float64, m float64) (count int, next float64) {
	j := len(sorted) - 1
	next = math.Inf(1)
	for i, x := range sorted {
		for j >= i && x/2+sorted[j]/2 > m {
			next = min(next, x/2+sorted[j]/2)
			j--
		}
		count += max(0, j-i+1)
	}
	return count, next
}

// place numbers the floating-point numbers in their order.
func place(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}

func atPlace(p int64) float64 {
	if p < 0 {
		p ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(p))
}
