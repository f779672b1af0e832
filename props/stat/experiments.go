package stat

import (
	"fmt"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/list"
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

// sweep is a design as scaling claims use it: four replicates at each of five sizes, on a logarithmic scale.
var sweep = func() []float64 {
	var x []float64
	for size := range 5 {
		for range 4 {
			x = append(x, float64(size+3))
		}
	}
	return x
}()

// scatter is a line over the sweep with normal errors of standard deviation 1/2.
func scatter(r *rand.Rand, intercept, slope float64) []float64 {
	return list.Map(sweep, func(x float64) float64 { return intercept + slope*x + 0.5*r.NormFloat64() })
}

func slopeCoverage(interval func(x, y []float64, alpha float64) Interval) experiment {
	return experiment{"Slope", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return interval(sweep, scatter(r, 2, -0.5), calibrationAlpha).covers(-0.5)
	}}
}

func interceptCoverage(fit func(x, y []float64, alpha float64) Line) experiment {
	return experiment{"Intercept", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return fit(sweep, scatter(r, 2, -0.5), calibrationAlpha).Intercept.covers(2)
	}}
}

// coverage measures the coverage of a confidence sequence at one look, which is much more than promised.
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

// medianCoverage: the median of u³ is 1/8.
func medianCoverage(median sequence) experiment {
	return experiment{"Median", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		return median(skewed.sample(r, 50), calibrationAlpha).covers(0.125)
	}}
}

// medianSlopeCoverage: twenty sweeps over five sizes, with a skewed level that all sizes of a sweep share.
func medianSlopeCoverage(interval func(x []float64, ys [][]float64, alpha float64) Interval) experiment {
	x := []float64{3, 4, 5, 6, 7}
	return experiment{"MedianSlope", "coverage", 1 - calibrationAlpha, func(r *rand.Rand) bool {
		ys := make([][]float64, 20)
		for i := range ys {
			level := skewed.draw(r)
			for _, at := range x {
				ys[i] = append(ys[i], level-0.5*at+0.1*r.NormFloat64())
			}
		}
		return interval(x, ys, calibrationAlpha).covers(-0.5)
	}}
}
