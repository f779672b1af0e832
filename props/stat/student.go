package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// maxDegrees is the number of degrees of freedom beyond which Student's distribution is taken at this number. At the
// tail 5e-9 the quantile is then 5.730777 where that of the normal limit is 5.730729: wider by one part in 10⁵.
const maxDegrees = 1e6

// studentTail is P(T > t) for t ≥ 0 and Student's T with nu degrees of freedom: half of the regularised incomplete
// beta function I(nu/2, 1/2) at nu/(nu+t²). That function is scaled by a difference of logarithms of the gamma
// function, each rounded, which loses nu·ln(nu)/2 units in the last place and so four digits for nu = 10³ and seven for
// 10⁶. From 100 degrees of freedom on the tail is integrated, as a share of the half-line.
func studentTail(t, nu float64) float64 {
	if nu >= 100 {
		return studentIntegral(t, nu) / studentIntegral(0, nu) / 2 * math.Exp(-(nu+1)/2*math.Log1p(t*t/nu))
	}
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+t*t)) / 2
}

// studentIntegral is ∫₀^∞ p(t+s)/p(t) ds for the density p of Student's T, a sum of positive numbers, so that nothing
// cancels. The trapezoidal rule converges exponentially after the substitution s = c·exp(v-exp(-v)) of Takahasi and
// Mori (double exponential formulas, 1974), where c is the width of the integrand.
func studentIntegral(t, nu float64) float64 {
	const step, from, to = 1. / 8, -4 * 8, 5 * 8
	square := nu + t*t
	width := square / ((nu+1)*t + math.Sqrt((nu+1)*square))
	sum := 0.0
	for k := from; k <= to; k++ {
		v := step * float64(k)
		e := math.Exp(-v)
		s := width * math.Exp(v-e)
		sum += s * (1 + e) * math.Exp(-(nu+1)/2*math.Log1p(s*(2*t+s)/square))
	}
	return step * sum
}

// studentQuantile is the t ≥ 0 with P(T > t) = tail, for 0 < tail < 1/2. Outside of that, and for less than one degree
// of freedom, it is NaN. The tail is a convex function of t, so that Newton's method climbs from 0 to the quantile
// without passing it, and has arrived when it stops to climb.
//
// gonum's distuv.StudentsT.Quantile is not used, because it fails far out in the tail (v0.17.0): for 10⁶ degrees of
// freedom it puts the tail 5e-9 at 258 in place of 5.73, and for 10⁴ the tail 1e-15 at 8.88 in place of 7.95.
func studentQuantile(tail, nu float64) float64 {
	if !(tail > 0 && tail < 0.5 && nu >= 1) {
		return math.NaN()
	}
	nu = min(nu, maxDegrees)
	return studentQuantiles.of([2]float64{tail, nu}, func() float64 {
		density := distuv.StudentsT{Sigma: 1, Nu: nu}.Prob
		for t := 0.0; ; {
			next := t + (studentTail(t, nu)-tail)/density(t)
			if !(next > t) {
				return t
			}
			t = next
		}
	})
}

var studentQuantiles memo[[2]float64, float64]

// around is the interval estimate ± t·se, where t is Student's quantile for the level alpha.
func around(estimate, se, t, alpha float64) Interval {
	return Interval{estimate, estimate - t*se, estimate + t*se, alpha}
}

// Known is the interval for the mean of a normal estimate whose standard deviation is known, as that of a mean of very
// many independent draws is.
//
// Level: one look; alpha exactly for a normal estimate. Invalid with a standard deviation that is not positive.
func Known(estimate, sd, alpha float64) Interval {
	if !(sd > 0) || !level(alpha) {
		return invalid(alpha)
	}
	return around(estimate, sd, number.NormalQuantile(alpha/2), alpha)
}

// Mean is Student's interval for the mean of draws.
//
// Assumption: the draws are independent and normal with one variance. It matters more, the smaller alpha is: of 24
// draws from a lognormal law of skewness 1.4 the interval at 1e-9 misses the mean with probability 4e-7. It is made
// for looking at data at the usual levels; a criterion at [CriterionAlpha] takes [Median], [RankMean] or
// [SubGamma.Mean].
//
// Level: one look at a number of draws fixed in advance; alpha exactly for normal draws, and nearly so for others at
// levels like 0.05.
//
// Invalid with fewer than two draws, and when one is not finite.
func Mean(xs []float64, alpha float64) Interval {
	if len(xs) < 2 || !level(alpha) {
		return invalid(alpha)
	}
	n := float64(len(xs))
	mean, _, norm := centred(xs)
	return around(mean, norm/math.Sqrt(n*(n-1)), studentQuantile(alpha/2, n-1), alpha)
}

// Paired is [Mean] of the differences a[i] - b[i]: the interval for the difference of two quantities that were measured
// on the same draws, whose differences are normal. It panics when the lengths differ.
func Paired(a, b []float64, alpha float64) Interval {
	if len(a) != len(b) {
		panic("stat: pairs of different lengths")
	}
	d := list.Fill(len(a), func(i int) float64 { return a[i] - b[i] })
	return Mean(d, alpha)
}
