package stat

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
)

// Calibration is a property of a procedure, as promised and as measured by simulation.
type Calibration struct {
	Procedure string
	Quantity  string  // "coverage", "power" (both at least as large as promised) or "false alarms" (at most as large)
	Nominal   float64 // what is promised
	Measured  float64 // a fraction of the runs
	Runs      int
}

// Calibrate measures every procedure of this package by simulation, at levels at which a failure would be seen: coverage,
// false alarms when one looks again and again, and the power at what the planning functions call detectable. The result
// depends on its arguments only.
func Calibrate(seed uint64, runs int) []Calibration {
	rows := []Calibration{}
	for _, e := range experiments() {
		rows = append(rows, e.measure(seed, runs))
	}
	return rows
}

// The rates at which procedures are calibrated. The suite's own, 1e-8, would need billions of runs; that the formulas hold
// there rests on the tests of the quantiles.
const (
	calibrationAlpha = 0.05
	calibrationBeta  = 0.1
)

// experiment is a random trial that succeeds with a known probability.
type experiment struct {
	procedure, quantity string
	nominal             float64
	trial               func(*rand.Rand) bool
}

func (e experiment) measure(seed uint64, runs int) Calibration {
	key := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", seed, e.procedure, e.quantity))
	stream, hits := rand.New(rand.NewChaCha8(key)), 0
	for range runs {
		if e.trial(stream) {
			hits++
		}
	}
	return Calibration{e.procedure, e.quantity, e.nominal, float64(hits) / float64(runs), runs}
}

// experiments lists what is calibrated. Add here.
func experiments() []experiment {
	return []experiment{
		meanCoverage(Mean),
		pairedCoverage(Paired),
		slopeCoverage(Slope),
		interceptCoverage(Fit),
		coverage("Proportion", coin, proportion),
		coverage("BoundedMean", skewed, boundedMean),
		coverage("SubGaussianMean", gaussian, subGaussianMean),
		peeking("Proportion", coin, proportion),
		peeking("BoundedMean", skewed, boundedMean),
		peeking("SubGaussianMean", gaussian, subGaussianMean),
		shards(Product),
		meanPower(Detectable),
		zonePower(Zone),
		slopePower(DetectableSlope),
		proportionPower(DetectableProportion),
	}
}

// source is a distribution with a known mean.
type source struct {
	mean float64
	draw func(*rand.Rand) float64
}

var (
	coin = source{0.3, func(r *rand.Rand) float64 {
		if r.Float64() < 0.3 {
			return 1
		}
		return 0
	}}
	skewed   = source{0.25, func(r *rand.Rand) float64 { u := r.Float64(); return u * u * u }} // E u³ = 1/4
	gaussian = source{1, func(r *rand.Rand) float64 { return 1 + 2*r.NormFloat64() }}
)

// sequence is a procedure that may be asked at any time.
type sequence func(xs []float64, alpha float64) Interval

func proportion(xs []float64, alpha float64) Interval {
	successes := 0
	for _, x := range xs {
		successes += int(x)
	}
	return Proportion(successes, len(xs), alpha)
}

func boundedMean(xs []float64, alpha float64) Interval { return BoundedMean(xs, 0, 1, alpha) }

func subGaussianMean(xs []float64, alpha float64) Interval { return SubGaussianMean(xs, 2, alpha) }

// sample is n draws.
func (s source) sample(r *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = s.draw(r)
	}
	return xs
}

// covers reports whether an interval contains a value.
func (iv Interval) covers(x float64) bool { return iv.Valid() && iv.Lo <= x && x <= iv.Hi }
