// Package smoothing estimates a function from noisy values on a grid: by running means, which are linear in the values,
// and by the best step function, which is not.
package smoothing

import "math"

// Box returns running means of y over windows that reach so many samples to either side, cut off at the ends.
func Box(y []float64, reach int) []float64 {
	if reach < 0 {
		panic("smoothing: a window of negative length")
	}
	sums := prefix(y)
	out := make([]float64, len(y))
	for i := range y {
		from, to := max(0, i-reach), min(len(y), i+reach+1)
		out[i] = (sums[to] - sums[from]) / float64(to-from)
	}
	return out
}

// prefix returns the sums of the first i values for i = 0, …, n.
func prefix(y []float64) []float64 {
	sums := make([]float64, len(y)+1)
	for i, v := range y {
		sums[i+1] = sums[i] + v
	}
	return sums
}

// Step returns the step function with one jump that fits y best in the sense of least squares, in O(n).
func Step(y []float64) []float64 {
	n, sums := len(y), prefix(y)
	at, explained := 0, math.Inf(-1)
	for k := 1; k < n; k++ {
		left, right := sums[k], sums[n]-sums[k]
		if e := left*left/float64(k) + right*right/float64(n-k); e > explained {
			at, explained = k, e
		}
	}
	out := make([]float64, n)
	for i := range out {
		switch {
		case at == 0: // fewer than two values
			out[i] = sums[n] / float64(n)
		case i < at:
			out[i] = sums[at] / float64(at)
		default:
			out[i] = (sums[n] - sums[at]) / float64(n-at)
		}
	}
	return out
}
