package stat

import (
	"fmt"
	"math/rand/v2"
)

// The experiments take the procedure on trial as an argument, so that tests can hand them a faulty one.

// meanCoverage: ten normal draws.
func meanCoverage(interval sequence) experiment {
	return experiment{"Mean", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return interval(gaussian.sample(r, 10), calibrationAlpha).covers(gaussian.mean)
	}}
}

// pairedCoverage: two quantities that share most of their noise.
func pairedCoverage(interval func(a, b []float64, alpha float64) Interval) experiment {
	return experiment{"Paired", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		a, b := gaussian.sample(r, 10), make([]float64, 10)
		for i := range b {
			b[i] = a[i] + 3 + 0.1*r.NormFloat64()
		}
		return interval(a, b, calibrationAlpha).covers(-3)
	}}
}

// ladder is a design as scaling claims use it: four replicates at each of five sizes, on a logarithmic scale.
var ladder = func() []float64 {
	var x []float64
	for size := range 5 {
		for range 4 {
			x = append(x, float64(size+3))
		}
	}
	return x
}()

// scatter is a line over the ladder with normal errors of standard deviation 1/2.
func scatter(r *rand.Rand, intercept, slope float64) []float64 {
	y := make([]float64, len(ladder))
	for i, x := range ladder {
		y[i] = intercept + slope*x + 0.5*r.NormFloat64()
	}
	return y
}

func slopeCoverage(interval func(x, y []float64, alpha float64) Interval) experiment {
	return experiment{"Slope", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return interval(ladder, scatter(r, 2, -0.5), calibrationAlpha).covers(-0.5)
	}}
}

func interceptCoverage(fit func(x, y []float64, alpha float64) Line) experiment {
	return experiment{"Intercept", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return fit(ladder, scatter(r, 2, -0.5), calibrationAlpha).Intercept.covers(2)
	}}
}

// coverage is that of a confidence sequence at one look, which is much more than promised.
func coverage(name string, from source, interval sequence) experiment {
	return experiment{name, "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return interval(from.sample(r, 50), calibrationAlpha).covers(from.mean)
	}}
}

// looks are the sizes of sample at which peeking looks.
var looks = []int{4, 6, 9, 14, 21, 32, 48, 72, 108, 162, 243}

// peeking looks at a growing sample until an interval misses the mean or the sample ends.
func peeking(name string, from source, interval sequence) experiment {
	name = fmt.Sprintf("%s, looked at %d times", name, len(looks))
	return experiment{name, "false alarms", calibrationAlpha, func(r *rand.Rand) bool {
		xs := from.sample(r, looks[len(looks)-1])
		for _, n := range looks {
			if !interval(xs[:n], calibrationAlpha).covers(from.mean) {
				return true
			}
		}
		return false
	}}
}

// shards multiplies the evidence of five shards against a true hypothesis, and looks after each.
func shards(product func(...EValue) EValue) experiment {
	return experiment{"Product of e-values", "false alarms", calibrationAlpha, func(r *rand.Rand) bool {
		total := EValue{}
		for range 5 {
			successes := 0
			for _, x := range coin.sample(r, 20) {
				successes += int(x)
			}
			total = product(total, BernoulliEValue(successes, 20, coin.mean), SubGaussianEValue(gaussian.sample(r, 20), gaussian.mean, 2))
			if total.Rejects(calibrationAlpha) {
				return true
			}
		}
		return false
	}}
}
