package peers

import (
	"math"
	"slices"
)

// medianInterval covers the median of the distribution that x is an independent sample of with at least the given
// probability, whatever the distribution: from the k-th smallest value to the k-th largest, for the largest k with P(B
// < k) ≤ (1 − level)/2, B binomial with n trials of probability ½. With fewer than six values at 0.95 there is none,
// and the ends are infinite.
func medianInterval(x []float64, level float64) (low, high float64) {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	k, below := 0, 0.0 // below = P(B < k)
	for choose := 1.0; k < n; k++ {
		p := choose * math.Pow(0.5, float64(n)) // P(B = k)
		if ok := below+p <= (1-level)/2; !ok {
			break
		}
		below += p
		choose = choose * float64(n-k) / float64(k+1)
	}
	if k == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return s[k-1], s[n-k]
}
