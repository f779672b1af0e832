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
	"Mean":     Mean,
	"Median":   func(xs []float64, alpha float64) Interval { return Median(twice(xs), alpha) },
	"Quantile": func(xs []float64, alpha float64) Interval { return Quantile(twice(xs), 0.4, alpha) },
	"RankMean": func(xs []float64, alpha float64) Interval { return RankMean(twice(xs), 0.1, alpha) },
	"SubGamma": func(xs []float64, alpha float64) Interval { return ChiSquared(3).Mean(xs, alpha) },
	"MedianSlope": func(xs []float64, alpha float64) Interval {
		var ys [][]float64
		for _, x := range twice(xs) {
			ys = append(ys, []float64{1, x, 2})
		}
		return MedianSlope([]float64{0, 1, 3}, ys, alpha)
	},
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

// twice is enough draws for an interval of order statistics at 5 %.
func twice(xs []float64) []float64 { return append(append([]float64{}, xs...), xs...) }

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
	}
}

func TestPoisonedConstants(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, bad := range append(poisons, -1) {
		for name, iv := range map[string]Interval{
			"SubGaussianMean": SubGaussianMean(xs, bad, 0.05), "variance": SubGamma{bad, 1}.Mean(xs, 0.05),
			"scale": SubGamma{1, bad}.Mean(xs, 0.05), "sd": Normal(bad*math.Abs(bad)).Mean(xs, math.NaN()),
			"degrees of freedom": ChiSquared(bad).Mean(xs, 0.05), "reach": Bounded(1, bad).Mean(xs, 0.05),
			"lean": RankMean(xs, bad, 0.05), "probability": Quantile(xs, bad, 0.05),
		} {
			if name == "degrees of freedom" && math.IsInf(bad, 1) {
				continue // the limit has no spread, and no variance
			}
			require.False(t, iv.Valid(), "%s of %v", name, bad)
		}
	}
	require.False(t, SubGaussianMean(xs, 0, 0.05).Valid())
	require.False(t, Normal(0).Mean(xs, 0.05).Valid())
	require.False(t, ChiSquared(0).Mean(xs, 0.05).Valid())
	require.False(t, RankMean(xs, 0.5, 0.05).Valid())
	require.False(t, Quantile(xs, 0, 0.05).Valid())
	require.False(t, Quantile(xs, 1, 0.05).Valid())
}

// plans are the planning functions with the arguments that they share.
func plans(sd, share, alpha, gamma float64, n int, x []float64) map[string]float64 {
	return map[string]float64{
		"MedianMargin":     MedianMargin(NormalTail, sd, n, alpha, gamma),
		"RankMargin":       RankMargin(NormalTail, sd, n, share, alpha, gamma),
		"SubGamma":         SubGamma{sd, 0}.Margin(n, alpha, gamma),
		"ProportionMargin": ProportionMargin(share, n, alpha, gamma),
		"SlopeSD":          SlopeSD(x, sd),
	}
}

func TestPoisonedPlans(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	rates := func(name string) bool { return name != "SlopeSD" }
	size := func(name string) bool { return name != "SlopeSD" }
	scale := func(name string) bool { return name != "ProportionMargin" }
	shares := func(name string) bool { return name == "ProportionMargin" || name == "RankMargin" }
	slopes := func(name string) bool { return name == "SlopeSD" }
	expect := func(got map[string]float64, nan func(string) bool, why string) {
		t.Helper()
		for name, value := range got {
			require.Equal(t, nan(name), math.IsNaN(value), "%s of %s: %v", name, why, value)
		}
	}
	expect(plans(1, 0.3, 0.05, 0.1, 100, x), func(string) bool { return false }, "sound arguments")
	for _, rate := range append(poisons, -1, 0, 1, 2) {
		expect(plans(1, 0.3, rate, 0.1, 100, x), rates, fmt.Sprint("alpha ", rate))
		expect(plans(1, 0.3, 0.05, rate, 100, x), rates, fmt.Sprint("gamma ", rate))
	}
	for _, poison := range append(poisons, -1) {
		got := plans(poison, 0.3, 0.05, 0.1, 100, x)
		if math.IsInf(poison, 1) {
			for _, name := range []string{"SubGamma", "SlopeSD"} { // infinite, which no criterion accepts
				require.True(t, math.IsInf(got[name], 1) || math.IsNaN(got[name]), name)
				got[name] = math.NaN()
			}
		}
		expect(got, scale, fmt.Sprint("sd ", poison))
		expect(plans(1, poison, 0.05, 0.1, 100, x), shares, fmt.Sprint("share ", poison))
	}
	for _, n := range []int{-1, 0} {
		expect(plans(1, 0.3, 0.05, 0.1, n, x), size, fmt.Sprint("n ", n))
	}
	for _, x := range [][]float64{nil, {0.1, 0.1, 0.1}, {1, 2, math.NaN()}, {1, 2, math.Inf(1)}} {
		expect(plans(1, 0.3, 0.05, 0.1, 100, x), slopes, fmt.Sprint("x ", x))
	}
}

func TestPoisonedRanks(t *testing.T) {
	for _, bad := range append(poisons, -1, 0, 1, 2) {
		require.Zero(t, RankDraws(0, bad), "alpha %v", bad)
		require.Equal(t, 1.0, RankUndecided(0.01, 100, 0, bad), "alpha %v", bad)
	}
	for _, bad := range append(poisons, -1, 0.5, 1) {
		require.Zero(t, RankDraws(bad, 1e-3), "lean %v", bad)
		require.Equal(t, 1.0, RankUndecided(0.01, 100, bad, 0.05), "lean %v", bad)
		require.True(t, math.IsNaN(RankTail(100, bad, 0.05, 0.1)), "lean %v", bad)
	}
	for _, bad := range append(poisons, -1, 2) {
		require.Equal(t, 1.0, RankUndecided(bad, 100, 0, 0.05), "share %v", bad)
		require.Equal(t, 1.0, RankUndecided(bad, 6, 0, 0.05), "share %v", bad)
	}
	for name, tail := range map[string]Tail{"normal": NormalTail, "sub-Gaussian": SubGaussianTail, "any": AnyTail,
		"skewed": SkewedTail(1), "heavy": HeavyTail(5)} {
		require.Greater(t, tail(0.01), 0.0, name)
		for _, bad := range append(poisons, -1, 0, 0.5, 1) {
			require.True(t, math.IsNaN(tail(bad)), "%s at %v", name, bad)
		}
	}
	for _, bad := range poisons {
		require.True(t, math.IsNaN(SkewedTail(bad)(0.01)), "skewness %v", bad)
		require.True(t, math.IsNaN(LeanOfMean(10, bad)) || math.IsInf(bad, 1), "third moment %v", bad)
	}
	for _, nu := range []float64{math.NaN(), -1, 0, 2} {
		require.True(t, math.IsNaN(HeavyTail(nu)(0.01)), "nu %v", nu)
	}
	require.True(t, math.IsNaN(LeanOfMean(0, 2)))
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
