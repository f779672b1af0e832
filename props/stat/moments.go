package stat

// average is the mean of xs, corrected by the mean of the residuals so that a large common offset does not spoil it.
// Of nothing it is 0.
func average(xs []float64) float64 {
	n := float64(len(xs))
	mean, rest := 0.0, 0.0
	for _, x := range xs {
		mean += x / n // and not sum/n, which overflows earlier
	}
	for _, x := range xs {
		rest += (x - mean) / n
	}
	return mean + rest
}

// squaresAbout is the sum of (x-centre)².
func squaresAbout(centre float64, xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += (x - centre) * (x - centre)
	}
	return sum
}

// constant reports whether all xs are equal. Their sum of squares about a rounded mean need not be zero then.
func constant(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}
