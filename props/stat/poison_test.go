package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// stream is a fixed random stream for a test.
func stream(name string) *rand.Rand {
	var key [32]byte
	copy(key[:], name)
	return rand.New(rand.NewChaCha8(key))
}

var poisons = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

// procedures are all that make an interval out of draws.
var procedures = map[string]sequence{
	"Mean":            Mean,
	"BoundedMean":     func(xs []float64, alpha float64) Interval { return BoundedMean(xs, 0, 10, alpha) },
	"SubGaussianMean": subGaussianMean,
	"Paired": func(xs []float64, alpha float64) Interval {
		return Paired(xs, make([]float64, len(xs)), alpha)
	},
	"Slope": func(xs []float64, alpha float64) Interval {
		return Slope(xs, []float64{3, 1, 4, 1, 5}[:len(xs)], alpha)
	},
	"Slope in y": func(xs []float64, alpha float64) Interval {
		return Slope([]float64{3, 1, 4, 1, 5}[:len(xs)], xs, alpha)
	},
	"Intercept": func(xs []float64, alpha float64) Interval {
		return Fit([]float64{3, 1, 4, 1, 5}[:len(xs)], xs, alpha).Intercept
	},
}

func TestPoisonedDraws(t *testing.T) {
	for name, interval := range procedures {
		require.True(t, interval([]float64{1, 2, 3, 5, 8}, 0.05).Valid(), name)
		require.False(t, interval(nil, 0.05).Valid(), "%s of nothing", name)
		for position := range 5 {
			for _, poison := range poisons {
				xs := []float64{1, 2, 3, 5, 8}
				xs[position] = poison
				require.False(t, interval(xs, 0.05).Valid(), "%s with %v at %d", name, poison, position)
			}
		}
	}
}

func TestPoisonedLevel(t *testing.T) {
	for _, alpha := range append(poisons, -1, 0, 1, 2, 1e-101) {
		for name, interval := range procedures {
			require.False(t, interval([]float64{1, 2, 3, 5, 8}, alpha).Valid(), "%s at %v", name, alpha)
		}
		require.False(t, Proportion(1, 2, alpha).Valid(), "Proportion at %v", alpha)
	}
}

func TestTooLittle(t *testing.T) {
	for name, iv := range map[string]Interval{
		"mean of one":       Mean([]float64{1}, 0.05),
		"slope of two":      Slope([]float64{1, 2}, []float64{1, 2}, 0.05),
		"intercept of two":  Fit([]float64{1, 2}, []float64{1, 2}, 0.05).Intercept,
		"slope, constant x": Slope([]float64{0.1, 0.1, 0.1, 0.1}, []float64{1, 2, 3, 4}, 0.05),
	} {
		require.False(t, iv.Valid(), "%s: %+v", name, iv)
	}
}

func TestImpossibleCounts(t *testing.T) {
	for _, c := range [][2]int{{-1, 5}, {6, 5}, {0, 0}, {0, -1}, {-2, -1}, {1, math.MaxInt}} {
		require.False(t, Proportion(c[0], c[1], 0.05).Valid(), "%v", c)
		if c != [2]int{0, 0} { // of no trial there is no evidence
			require.True(t, BernoulliEValue(c[0], c[1], 0.5).Rejects(1e-8), "%v", c)
		}
	}
	for _, p := range append(poisons, -0.1, 1.1) {
		require.True(t, BernoulliEValue(1, 2, p).Rejects(1e-8), "p = %v", p)
	}
}

func TestPoisonedScale(t *testing.T) {
	xs := []float64{1, 2, 3}
	for _, sigma := range append(poisons, -1, 0) {
		require.False(t, SubGaussianMean(xs, sigma, 0.05).Valid(), "sigma %v", sigma)
		require.True(t, SubGaussianEValue(xs, 2, sigma).Rejects(1e-8), "sigma %v", sigma)
	}
	for _, poison := range poisons {
		require.True(t, SubGaussianEValue(xs, poison, 1).Rejects(1e-8), "mean %v", poison)
		require.True(t, SubGaussianEValue([]float64{1, poison}, 1, 1).Rejects(1e-8), "draw %v", poison)
	}
	for _, bounds := range [][2]float64{
		{0, 0}, {5, 0}, {0, 2}, {2, 5}, {math.NaN(), 5}, {0, math.NaN()}, {math.Inf(-1), 5}, {0, math.Inf(1)}, {-1e308, 1e308},
	} {
		require.False(t, BoundedMean(xs, bounds[0], bounds[1], 0.05).Valid(), "bounds %v", bounds)
	}
}

func TestPoisonedPlans(t *testing.T) {
	good := func(sd, discrepancy, alpha, beta float64, n int, x []float64) string {
		below, above := DetectableProportion(discrepancy, n, alpha, beta)
		return fmt.Sprintln(Detectable(sd, n, alpha, beta), Zone(sd, n, alpha, beta), DetectableSlope(x, sd, alpha, beta), below, above)
	}
	const none = "NaN NaN NaN NaN NaN\n"
	x := []float64{1, 2, 3, 4}
	require.NotContains(t, good(1, 0.3, 0.05, 0.1, 100, x), "NaN")
	for _, rate := range append(poisons, -1, 0, 1, 2) {
		require.Equal(t, none, good(1, 0.3, rate, 0.1, 100, x), "alpha %v", rate)
		require.Equal(t, none, good(1, 0.3, 0.05, rate, 100, x), "beta %v", rate)
		require.Zero(t, SamplesNeeded(1, 0.1, rate, 0.1), "alpha %v", rate)
		require.Zero(t, SamplesNeeded(1, 0.1, 0.05, rate), "beta %v", rate)
	}
	for _, poison := range append(poisons, -1) {
		require.Contains(t, good(poison, 0.3, 0.05, 0.1, 100, x), "NaN NaN NaN ", "sd %v", poison)
		require.Contains(t, good(1, poison, 0.05, 0.1, 100, x), " NaN NaN\n", "probability %v", poison)
		require.Zero(t, SamplesNeeded(poison, 0.1, 0.05, 0.1), "sd %v", poison)
	}
	for _, d := range []float64{math.NaN(), math.Inf(-1), -1, 0, 1e-9} {
		require.Zero(t, SamplesNeeded(1, d, 0.05, 0.1), "discrepancy %v", d)
	}
	for _, n := range []int{-1, 0, 1} {
		require.Contains(t, good(1, 0.3, 0.05, 0.1, n, x), "NaN NaN ", "n = %d", n)
		require.Contains(t, good(1, 0.3, 0.05, 0.1, n, x), " NaN NaN\n", "n = %d", n)
	}
	for _, x := range [][]float64{nil, {1}, {1, 2}, {0.1, 0.1, 0.1}, {1, 2, math.NaN()}, {1, 2, math.Inf(1)}} {
		require.True(t, math.IsNaN(DetectableSlope(x, 1, 0.05, 0.1)), "x %v", x)
	}
}

func TestIntervalValid(t *testing.T) {
	require.True(t, Interval{1, 1, 1, 0.05}.Valid())
	require.False(t, Interval{1, 2, 3, 0.05}.Valid())
	require.False(t, Interval{3, 1, 2, 0.05}.Valid())
	for _, x := range poisons {
		require.False(t, Interval{x, 0, 1, 0.05}.Valid())
		require.False(t, Interval{0.5, x, 1, 0.05}.Valid())
		require.False(t, Interval{0.5, 0, x, 0.05}.Valid())
	}
}
