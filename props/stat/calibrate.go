package stat

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/list"
)

// CalibratedRate is a property of a procedure, as promised and as measured by simulation.
type CalibratedRate struct {
	Procedure string
	Quantity  string  // "coverage", "power" (both at least as large as promised) or "false alarms" (at most as large)
	Nominal   float64 // what is promised
	Measured  float64 // a fraction of the runs
	Runs      int
}

// Calibrate measures every procedure of this package by simulation, at levels at which a failure would be seen:
// coverage, false alarms when one looks again and again, and how often a true claim is accepted in the margins that
// the planning functions give. The result depends on its arguments only.
func Calibrate(seed uint64, runs int) []CalibratedRate {
	rows := []CalibratedRate{}
	for _, e := range experiments() {
		rows = append(rows, e.measure(seed, runs))
	}
	return rows
}

// The rates at which procedures are calibrated here, where plain simulation shows a failure. [CalibrateRare]
// calibrates at the suite's own.
const (
	calibrationAlpha = 0.05
	calibrationBeta  = 0.1
)

// experiment is a random replicate that succeeds with a known probability.
type experiment struct {
	procedure, quantity string
	nominal             float64
	replicate           func(*rand.Rand) bool
}

func (e experiment) measure(seed uint64, runs int) CalibratedRate {
	key := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", seed, e.procedure, e.quantity))
	stream, hits := rand.New(rand.NewChaCha8(key)), 0
	for range runs {
		if e.replicate(stream) {
			hits++
		}
	}
	return CalibratedRate{e.procedure, e.quantity, e.nominal, float64(hits) / float64(runs), runs}
}

// experiments lists what is calibrated. Add here.
func experiments() []experiment {
	return []experiment{
		meanCoverage(Mean),
		pairedCoverage(Paired),
		slopeCoverage(Slope),
		interceptCoverage(Fit),
		coverage("Proportion", coin, proportion),
		coverage("SubGaussianMean", gaussian, subGaussianMean),
		coverage("SubGamma, Bounded", skewed, boundedSubGamma),
		coverage("RankMean", skewed, leaning),
		medianCoverage(Median),
		medianSlopeCoverage(MedianSlope),
		peeking("Proportion", coin, proportion),
		peeking("SubGaussianMean", gaussian, subGaussianMean),
		medianPower(MedianMargin),
		proportionPower(ProportionMargin),
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

// boundedSubGamma knows of skewed that u³ varies by 1/7 - 1/16 and lies within 3/4 of its mean.
func boundedSubGamma(xs []float64, alpha float64) Interval {
	return Bounded(math.Sqrt(1./7-1./16), 0.75).Mean(xs, alpha)
}

// leaning knows that u³ is below 1/4 with probability 0.63.
func leaning(xs []float64, alpha float64) Interval { return RankMean(xs, math.Cbrt(0.25)-0.5, alpha) }

func subGaussianMean(xs []float64, alpha float64) Interval { return SubGaussianMean(xs, 2, alpha) }

// sample is n draws.
func (s source) sample(r *rand.Rand, n int) []float64 {
	return list.Fill(n, func(int) float64 { return s.draw(r) })
}

// covers reports whether an interval contains a value.
func (iv Interval) covers(x float64) bool { return iv.Valid() && iv.Lo <= x && x <= iv.Hi }
