package network

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// Two sizes of networks, one about four times the other, take what is of order 1/d out of what they show.

// Extrapolated is (rV − v)/(r − 1), without what is of order 1/d, for v at a size and V at r times that. Of c/d² at the
// smaller size it leaves −c/(rd²).
func Extrapolated(ratio, large, small float64) float64 { return (ratio*large - small) / (ratio - 1) }

// LimitOf takes what is of order 1/d out of what networks show: one of some size, which comes first, and the mean over
// those of a quarter of it.
func LimitOf[M any](networks []M, value func(M) float64) float64 {
	sum := 0.0
	for _, m := range networks[1:] {
		sum += value(m) / float64(len(networks)-1)
	}
	return Extrapolated(4, value(networks[0]), sum)
}

// TwoSizes is the criterion for values that are extrapolated from sizes in the ratio of four, over the claimed one.
// Standard deviations are given at a larger size at which relative errors of order 1/d² of 0.6 % are allowed, 140 to
// 200 for most; scale is that size over the one at hand. Standard deviations fall as the size, and what the
// extrapolation leaves as its square.
func TwoSizes(name string, sd, scale float64) props.Limit {
	const left = 0.006
	return props.Limit{Name: name, SD: sd * scale, Bias: left * scale * scale}
}

// CountAlpha is the level of an interval of counts of outliers at one of two sizes. Counts scatter little: most
// networks have the same one, and a level a quarter as large moves the interval by a rank or two.
const CountAlpha = stat.CriterionAlpha / 4
