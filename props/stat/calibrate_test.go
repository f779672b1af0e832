package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/collector"
)

func init() { collector.Set() }

// The tolerance of a measured rate is the exact binomial one: with k hits in n runs, the promised rate p is
// contradicted when P(X ≤ k) or P(X ≥ k), X ~ Bin(n, p), is below tooRare. Each of the some twenty comparisons with
// fixed seeds then had a chance of 1e-6 to fail for no reason when the seeds were chosen.
const tooRare = 1e-6

// contradicts says how a calibration breaks its promise; empty when it keeps it.
func contradicts(c CalibratedRate) string {
	k, n := int(math.Round(c.Measured*float64(c.Runs))), c.Runs
	atMost, atLeast := binomialAtMost(k, n, c.Nominal), binomialAtLeast(k, n, c.Nominal)
	tooFew, tooMany := !(atMost >= tooRare), !(atLeast >= tooRare)
	switch {
	case c.Quantity == "false alarms" && tooMany, c.Quantity != "false alarms" && tooFew:
		return fmt.Sprintf("%s: %s %v in %d runs, %v was promised", c.Procedure, c.Quantity, c.Measured, n, c.Nominal)
	case exact[c.Procedure] && (tooMany || tooFew):
		return fmt.Sprintf("%s: %s %v in %d runs is not exactly %v", c.Procedure, c.Quantity, c.Measured, n, c.Nominal)
	}
	return ""
}

// exact names the procedures that promise neither less nor more than what is stated.
var exact = map[string]bool{"Mean": true, "Paired": true, "Slope": true, "Intercept": true}

const calibrationRuns = 4000

func TestCalibration(t *testing.T) {
	rows := Calibrate(20, calibrationRuns)
	require.Len(t, rows, len(experiments()))
	for _, row := range rows {
		t.Logf("%-38s %-12s nominal %.3f measured %.4f", row.Procedure, row.Quantity, row.Nominal, row.Measured)
		if complaint := contradicts(row); complaint != "" {
			t.Error(complaint)
		}
	}
}

// narrowed is a faulty procedure: its interval is too narrow by a factor.
func narrowed(iv Interval, by float64) Interval {
	iv.Lo = iv.Estimate - by*(iv.Estimate-iv.Lo)
	iv.Hi = iv.Estimate + by*(iv.Hi-iv.Estimate)
	return iv
}

// Every experiment must notice a faulty procedure, in half of the runs. What would be a fault of the whole suite is
// injected one by one.
func TestCalibrationNotices(t *testing.T) {
	by := func(factor float64, interval sequence) sequence {
		return func(xs []float64, alpha float64) Interval { return narrowed(interval(xs, alpha), factor) }
	}
	faulty := map[string]experiment{
		"Mean × 0.7": meanCoverage(by(0.7, Mean)),
		"Mean × 1.3": meanCoverage(by(1.3, Mean)),
		"Paired × 0.7": pairedCoverage(func(a, b []float64, alpha float64) Interval {
			return narrowed(Paired(a, b, alpha), 0.7)
		}),
		"Slope × 0.7": slopeCoverage(func(x, y []float64, alpha float64) Interval {
			return narrowed(Slope(x, y, alpha), 0.7)
		}),
		"Intercept × 0.7": interceptCoverage(func(x, y []float64, alpha float64) Line {
			line := Fit(x, y, alpha)
			line.Intercept = narrowed(line.Intercept, 0.7)
			return line
		}),
		// A sequence at one look has room to spare, which peeking uses up.
		"Proportion × 0.5":               coverage("Proportion", coin, by(0.5, proportion)),
		"SubGaussianMean × 0.5":          coverage("SubGaussianMean", gaussian, by(0.5, subGaussianMean)),
		"Proportion × 0.7, peeking":      peeking("Proportion", coin, by(0.7, proportion)),
		"SubGaussianMean × 0.7, peeking": peeking("SubGaussianMean", gaussian, by(0.7, subGaussianMean)),
		"Mean, peeking":                  peeking("Mean", gaussian, Mean), // exact at one look, and only there
		"SubGamma × 0.5":                 coverage("SubGamma, Bounded", skewed, by(0.5, boundedSubGamma)),
		"RankMean without lean":          coverage("RankMean", skewed, Median),
		"Median × 0.7":                   medianCoverage(by(0.7, Median)),
		"MedianSlope × 0.7": medianSlopeCoverage(func(x []float64, ys [][]float64, alpha float64) Interval {
			return narrowed(MedianSlope(x, ys, alpha), 0.7)
		}),
		"MedianMargin × 0.8": medianPower(func(tail Tail, sd float64, n int, alpha, gamma float64) float64 {
			return 0.8 * MedianMargin(tail, sd, n, alpha, gamma)
		}),
		"ProportionMargin × 0.8": proportionPower(func(p float64, n int, alpha, gamma float64) float64 {
			return 0.8 * ProportionMargin(p, n, alpha, gamma)
		}),
		"an interval that is never valid": meanCoverage(func([]float64, float64) Interval {
			return invalid(calibrationAlpha)
		}),
		"an experiment of NaN": {"Mean", "coverage", math.NaN(), meanCoverage(Mean).replicate},
	}
	for name, e := range faulty {
		if row := e.measure(20, calibrationRuns/2); contradicts(row) == "" {
			t.Errorf("%s goes unnoticed: %+v", name, row)
		}
	}
}

func TestCalibrateIsDeterministic(t *testing.T) {
	require.Equal(t, Calibrate(7, 50), Calibrate(7, 50))
	require.NotEqual(t, Calibrate(7, 50), Calibrate(8, 50))
}

// Each experiment has its own stream, so that adding one leaves the others as they were.
func TestExperimentsHaveTheirOwnStreams(t *testing.T) {
	seen := map[uint64]bool{}
	for _, e := range experiments() {
		e.replicate = func(r *rand.Rand) bool {
			first := r.Uint64()
			require.False(t, seen[first], "%s, %s", e.procedure, e.quantity)
			seen[first] = true
			return true
		}
		e.measure(1, 1)
	}
}
