package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Detectable is the smallest discrepancy that [Mean] of n normal draws with standard deviation sd finds: when the
// mean is off by that much, the interval of false-alarm rate alpha misses what is claimed, except with probability
// beta, the false-pass rate. Beside an equivalence margin it is the distance from its edge.
//
// It is NaN outside sd ≥ 0, n ≥ 2, 0 < alpha, beta < 1.
func Detectable(sd float64, n int, alpha, beta float64) float64 {
	return detectable(sd/math.Sqrt(float64(n)), float64(n-1), alpha, beta)
}

// Zone is the smallest equivalence margin in which a claim that is exactly true is accepted, by
// [Mean] of n normal draws at false-alarm rate alpha, with probability at least 1-gamma. In a narrower one it would
// too often be left undecided. It bounds the two ends of the interval separately, each by gamma/2.
//
// To be removed with the criteria that rest on [Mean]: their draws are not normal. [MedianMargin] takes its place.
func Zone(sd float64, n int, alpha, gamma float64) float64 {
	if !level(gamma) {
		return math.NaN()
	}
	return Detectable(sd, n, alpha, gamma/2)
}

// DetectableSlope is the smallest error of a slope that [Slope] over the abscissae x finds, at false-alarm rate alpha
// and false-pass rate beta, when the points scatter about the line with standard deviation residualSD. It is NaN
// where [Slope] is invalid. To be removed with the criteria that rest on [Slope]; [MedianMargin] at [SlopeSD] takes
// its place.
func DetectableSlope(x []float64, residualSD, alpha, beta float64) float64 {
	_, _, norm := centred(x)
	if !(norm > 0) || math.IsInf(norm, 1) {
		return math.NaN()
	}
	return detectable(residualSD/norm, float64(len(x)-2), alpha, beta)
}

// detectable is the discrepancy, for an estimate with standard error se, at which Student's interval overlaps the
// claimed value with probability beta.
func detectable(se, nu, alpha, beta float64) float64 {
	if !(se >= 0) || math.IsInf(se, 1) || !(nu >= 1) || !level(alpha) || !level(beta) {
		return math.NaN()
	}
	nu = min(nu, maxDegrees)
	overlaps := overlap(studentQuantile(alpha/2, nu), nu)
	hi := 1.0
	for overlaps(hi) > beta {
		hi *= 2
	}
	_, d := bisect(0, hi, func(d float64) bool { return overlaps(d) <= beta })
	return d * se
}

// overlap returns the probability, as a function of d, that the interval about an estimate d standard errors away
// reaches back to zero: P(Z + d ≤ t·S) for standard normal Z and S² ~ χ²(nu)/nu. The interval's other end adds less
// than alpha/2 to the power and is left out.
//
// It is an integral over one of the two variables with the distribution function of the other, by the trapezoidal rule:
// over the one that varies less, so that the function is smooth on the scale of its step, 1/10 of a standard deviation.
// Nine standard deviations leave out 1e-18.
func overlap(t, nu float64) func(d float64) float64 {
	const step, reach = 0.1, 9.0
	var points, weights []float64
	total := 0.0
	for u := -reach; u <= reach; u += step {
		point, weight := u, math.Exp(-u*u/2)
		if t*t < 2*nu { // t·S varies by t/sqrt(2nu), less than Z does: integrate over S = 1+u/sqrt(nu)
			point = 1 + u/math.Sqrt(nu)
			weight = math.Exp((nu-1)*math.Log(point) - nu*(point*point-1)/2)
			if !(point > 0) {
				continue
			}
		}
		points, weights = append(points, point), append(weights, weight)
		total += weight
	}
	return func(d float64) float64 {
		sum := 0.0
		for i, x := range points {
			if t*t < 2*nu {
				sum += weights[i] * distuv.UnitNormal.CDF(t*x-d)
			} else if s := (x + d) / t; s <= 0 {
				sum += weights[i]
			} else {
				sum += weights[i] * mathext.GammaIncRegComp(nu/2, nu*s*s/2)
			}
		}
		return sum / total
	}
}
