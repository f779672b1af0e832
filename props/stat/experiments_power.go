package stat

import "math/rand/v2"

// inside reports whether an equivalence test accepts the claimed value: the whole interval lies inside the
// margin.
func (iv Interval) inside(claimed, margin float64) bool {
	return iv.Valid() && iv.Lo >= claimed-margin && iv.Hi <= claimed+margin
}

// medianPower: an exact truth is accepted in the margin that was planned for it.
func medianPower(margin func(tail Tail, sd float64, n int, alpha, gamma float64) float64) experiment {
	const n = 30
	width := margin(NormalTail, 2, n, calibrationAlpha, calibrationBeta)
	return experiment{"Median, in MedianMargin", "power", 1 - calibrationBeta, func(r *rand.Rand) bool {
		return Median(gaussian.sample(r, n), calibrationAlpha).inside(gaussian.mean, width)
	}}
}

// proportionPower: likewise.
func proportionPower(margin func(p float64, n int, alpha, gamma float64) float64) experiment {
	const n = 200
	width := margin(coin.mean, n, calibrationAlpha, calibrationBeta)
	return experiment{"Proportion, in ProportionMargin", "power", 1 - calibrationBeta, func(r *rand.Rand) bool {
		return proportion(coin.sample(r, n), calibrationAlpha).inside(coin.mean, width)
	}}
}
