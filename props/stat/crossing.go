package stat

import "math"

// Crossing returns where a curve first passes a level from below, interpolated between two of its points, and NaN where
// it does not: the place of a threshold as one draw shows it. The abscissae x increase, and y has their length.
func Crossing(x, y []float64, level float64) float64 {
	if len(x) != len(y) {
		panic("stat: a curve has as many abscissae as values")
	}
	for i := 1; i < len(x); i++ {
		if y[i-1] < level && y[i] >= level {
			return x[i-1] + (x[i]-x[i-1])*(level-y[i-1])/(y[i]-y[i-1])
		}
	}
	return math.NaN()
}
