package stat

import "math"

// BoundedMean is a confidence sequence for the mean of draws in [lo, hi], each of which has this mean given the ones
// before it: over all numbers of draws together it misses with probability at most alpha, the false-alarm rate. It
// adapts to the variance. The draws count in the order in which they were made. No draw, one outside [lo, hi], and
// bounds that are not finite or out of order give an invalid interval; so do draws that contradict a common mean.
//
// Two gamblers play. The first holds that the mean exceeds m and stakes λ on every draw, which multiplies the capital
// by 1+λ(x-m); if the mean is m the game is fair, and the capital ever reaches 2/alpha with probability at most alpha/2
// (Ville's inequality). The second holds that the mean is below m. The interval consists of the m at which neither has
// got so far.
//
// Source: Waudby-Smith and Ramdas, arXiv 2010.09686, the hedged capital process with predictable plug-in stakes.
func BoundedMean(xs []float64, lo, hi, alpha float64) Interval {
	if len(xs) == 0 || !(lo < hi) || math.IsInf(hi-lo, 0) || !level(alpha) {
		return invalid(alpha)
	}
	unit, mirrored := make([]float64, len(xs)), make([]float64, len(xs))
	for i, x := range xs {
		if !(x >= lo && x <= hi) {
			return invalid(alpha)
		}
		unit[i] = (x - lo) / (hi - lo)
		mirrored[i] = 1 - unit[i]
	}
	staked, limit := stakes(unit, alpha), math.Log(2/alpha)
	below := lowerEnd(unit, staked, limit)
	above := 1 - lowerEnd(mirrored, staked, limit)
	if !(below <= above) {
		return invalid(alpha)
	}
	estimate := min(max(average(unit), below), above) // early draws weigh more, and the average can lie outside
	at := func(u float64) float64 { return lo + u*(hi-lo) }
	return Interval{at(estimate), at(below), at(above), alpha}
}

// stakes are the λ of each draw, chosen from the draws before it: sqrt(2 log(2/alpha)/(v·i·log(1+i))) for the i-th draw,
// with v the variance so far, regularised by one imagined draw at distance 1/2 from the mean.
func stakes(unit []float64, alpha float64) []float64 {
	out := make([]float64, len(unit))
	sum, squares := 0.5, 0.25
	for i, x := range unit {
		k := float64(i + 1)
		out[i] = math.Sqrt(2 * math.Log(2/alpha) / (squares * math.Log1p(k))) // squares = v·k
		sum += x
		mean := sum / (k + 1)
		squares += (x - mean) * (x - mean)
	}
	return out
}

// lowerEnd is the largest m at which the first gambler's capital has reached the limit, or 0. The capital falls as m
// grows. The end is rounded down.
func lowerEnd(unit, staked []float64, limit float64) float64 {
	const resolution = 1e-9
	below, above := 0.0, 1.0
	for above-below > resolution {
		m := (below + above) / 2
		if logCapital(unit, staked, m) >= limit {
			below = m
		} else {
			above = m
		}
	}
	return below
}

// betCap keeps a gambler from being ruined by one draw: at most this part of the capital is ever lost.
const betCap = 0.5

// logCapital is the logarithm of the first gambler's capital after all draws. It takes the logarithm of blocks of 16
// factors, each of which lies between 1-betCap and 1+betCap/m < 10⁹: a block neither vanishes nor overflows.
func logCapital(unit, staked []float64, m float64) float64 {
	log, block := 0.0, 1.0
	for i, x := range unit {
		block *= 1 + min(staked[i], betCap/m)*(x-m)
		if i%16 == 15 {
			log += math.Log(block)
			block = 1
		}
	}
	return log + math.Log(block)
}
