package stat

import "gonum.org/v1/gonum/floats"

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

// centred returns the average of xs, the deviations from it, and their Euclidean norm, which is scaled such that
// squares neither overflow nor vanish. The norm of equal numbers is 0, whatever rounding does to their average.
func centred(xs []float64) (mean float64, deviations []float64, norm float64) {
	mean, deviations = average(xs), make([]float64, len(xs))
	equal := true
	for i, x := range xs {
		deviations[i] = x - mean
		equal = equal && x == xs[0]
	}
	if equal {
		return mean, deviations, 0
	}
	return mean, deviations, floats.Norm(deviations, 2)
}
