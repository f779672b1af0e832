package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// maxDegrees is the number of degrees of freedom beyond which Student's distribution is taken at this number. At the
// tail 5e-9 the quantile is then 5.730777 where that of the normal limit is 5.730729: wider by one part in 10⁵.
const maxDegrees = 1e6

// studentTail is P(T > t) for t ≥ 0 and Student's T with nu degrees of freedom: half of the regularised incomplete
// beta function I(nu/2, 1/2) at nu/(nu+t²).
func studentTail(t, nu float64) float64 {
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
}

// studentQuantile is the t ≥ 0 with P(T > t) = tail, for 0 < tail < 1/2. Outside of that, and for less than one degree of
// freedom, it is NaN.
//
// gonum's distuv.StudentsT.Quantile is not used, because it fails far out in the tail (v0.17.0): for 10⁶ degrees of
// freedom it puts the tail 5e-9 at 258 in place of 5.73, and for 10⁴ the tail at its value for 1e-15 is 2500 times as
// large. Its Survival, which is what we solve for, is right to ten digits in all of that range.
func studentQuantile(tail, nu float64) float64 {
	if !(tail > 0 && tail < 0.5 && nu >= 1) {
		return math.NaN()
	}
	nu = min(nu, maxDegrees)
	hi := 1.0
	for studentTail(hi, nu) > tail {
		hi *= 2
	}
	_, t := bisect(0, hi, func(t float64) bool { return studentTail(t, nu) <= tail })
	return t
}

// around is the interval estimate ± t·se, with Student's t of nu degrees of freedom at the level alpha.
func around(estimate, se, nu, alpha float64) Interval {
	if !level(alpha) {
		return invalid(alpha)
	}
	half := studentQuantile(alpha/2, nu) * se
	return Interval{estimate, estimate - half, estimate + half, alpha}
}

// Mean is Student's interval for the mean of independent draws from one normal distribution. Its false-alarm rate, the
// probability of missing the mean, is alpha exactly for normal draws and nearly so for others; it is made for one look
// at a number of draws that was fixed in advance. Fewer than two draws, or one that is not finite, give an invalid
// interval.
func Mean(xs []float64, alpha float64) Interval {
	if len(xs) < 2 {
		return invalid(alpha)
	}
	n, mean := float64(len(xs)), average(xs)
	return around(mean, math.Sqrt(squaresAbout(mean, xs)/(n-1)/n), n-1, alpha)
}

// Paired is [Mean] of the differences a[i] - b[i]: the interval for the difference of two quantities that were measured
// on the same draws. It panics when the lengths differ.
func Paired(a, b []float64, alpha float64) Interval {
	if len(a) != len(b) {
		panic("stat: pairs of different lengths")
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Mean(d, alpha)
}
