package number

import (
	"math"
	"slices"
)

// Median is the middle value, or the mean of the middle two; the argument stays as it is. There must be a value, and no
// NaN.
func Median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// NormalQuantile is the point that a standard normal number exceeds with probability p: √2·erfc⁻¹(2p). It belongs to
// a probability that differs from p by 2⁻⁵² at most, since math has erfc⁻¹(x) as erf⁻¹(1-x).
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfcinv(2*p) }

// Indicator is one of what is true, and zero of what is false.
func Indicator(is bool) int {
	if is {
		return 1
	}
	return 0
}
