package network

import "github.com/thm-suite/thm/props"

// Two sizes of networks, one four times the other, take what is of order 1/d out of what they show.

// Extrapolated is (4V − v)/3, without what is of order 1/d, for v at a size and V at four times that.
func Extrapolated(large, small float64) float64 { return (4*large - small) / 3 }

// TwoSizes is the criterion for extrapolated values over the claimed one. Standard deviations are given at the size of
// standard effort, where relative errors of order 1/d² of 0.6 % are allowed; scale is that size over the one at hand.
// Standard deviations fall as the size, and what the extrapolation leaves as its square.
func TwoSizes(name string, sd, scale float64) props.Limit {
	const left = 0.006
	return props.Limit{Name: name, SD: sd * scale, Bias: left * scale * scale}
}
