package stat

import "math/rand/v2"

// plan is a planning function for the mean of n draws.
type plan func(sd float64, n int, alpha, rate float64) float64

// outside reports whether an equivalence test refutes the claimed value: the whole interval lies outside its zone.
func (iv Interval) outside(claimed, zone float64) bool {
	return iv.Valid() && (iv.Lo > claimed+zone || iv.Hi < claimed-zone)
}

// inside reports whether an equivalence test accepts the claimed value: the whole interval lies inside its zone.
func (iv Interval) inside(claimed, zone float64) bool {
	return iv.Valid() && iv.Lo >= claimed-zone && iv.Hi <= claimed+zone
}

// meanPower: a truth that is off by the zone and what is detectable beyond it is refuted.
func meanPower(detectable plan) experiment {
	const n, zone = 12, 0.3
	off := zone + detectable(2, n, calibrationAlpha, calibrationBeta)
	return experiment{"Mean, at Detectable", "power", 1 - calibrationBeta, func(r *rand.Rand) bool {
		return Mean(gaussian.sample(r, n), calibrationAlpha).outside(gaussian.mean-off, zone)
	}}
}

// zonePower: an exact truth is accepted in the zone that was planned for it.
func zonePower(zone plan) experiment {
	const n = 12
	width := zone(2, n, calibrationAlpha, calibrationBeta)
	return experiment{"Mean, in Zone", "power", 1 - calibrationBeta, func(r *rand.Rand) bool {
		return Mean(gaussian.sample(r, n), calibrationAlpha).inside(gaussian.mean, width)
	}}
}

func slopePower(detectable func(x []float64, residualSD, alpha, beta float64) float64) experiment {
	off := detectable(ladder, 0.5, calibrationAlpha, calibrationBeta)
	return experiment{"Slope, at DetectableSlope", "power", 1 - calibrationBeta, func(r *rand.Rand) bool {
		return Slope(ladder, scatter(r, 2, -0.5+off), calibrationAlpha).outside(-0.5, 0)
	}}
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
