package latent

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// printed is an error that our notes have from another program, as a mean over so many runs; two where they do not say.
type printed struct {
	dim, samples int
	method       string
	want         float64
	runs         int
}

var kernelErrors = []printed{
	{20, 400, tangent, .761, 2}, {20, 400, random, .808, 2}, {20, 400, polynomial, .723, 2},
	{20, 400, gaussian, .711, 2}, {20, 1600, tangent, .414, 2}, {20, 1600, random, .304, 2},
	{20, 1600, polynomial, .051, 2}, {20, 1600, gaussian, .210, 2}, {30, 900, tangent, .694, 2},
	{30, 900, random, .705, 2}, {30, 900, polynomial, .679, 2}, {30, 900, gaussian, .681, 2},
	{30, 1800, tangent, .571, 2}, {30, 1800, random, .518, 2}, {30, 1800, polynomial, .484, 2},
	{30, 1800, gaussian, .503, 2}, {50, 1250, tangent, .823, 2}, {50, 1250, random, .829, 2},
	{50, 1250, polynomial, .819, 2}, {50, 1250, gaussian, .821, 2}, {50, 2500, tangent, .67, 2},
	{50, 2500, random, .69, 2}, {50, 2500, polynomial, .67, 2}, {50, 2500, gaussian, .67, 2},
	{20, 400, network, .318, 5}, {20, 800, network, .141, 5}, {20, 1600, network, .071, 5},
	{30, 900, network, .228, 5}, {30, 1800, network, .125, 5}, {50, 1250, network, .463, 2},
	{50, 2500, network, .237, 5}, {30, 3600, tangent, .453, 2}, {30, 3600, random, .372, 2},
	{30, 3600, polynomial, .226, 2}, {30, 3600, gaussian, .308, 2}, {30, 3600, network, .073, 5},
}

// Our notes mix two kinds of test errors here, which differ by up to 0.05.
var quarticErrors = []printed{
	{30, 900, tangent, .763, 2}, {30, 900, random, .758, 2}, {30, 900, polynomial, .761, 2},
	{30, 900, gaussian, .780, 2}, {30, 3600, tangent, .625, 2}, {30, 3600, random, .615, 2},
	{30, 3600, polynomial, .632, 2}, {30, 3600, gaussian, .659, 2}, {50, 2500, tangent, .767, 2},
	{50, 2500, random, .759, 2}, {50, 2500, polynomial, .747, 2}, {50, 2500, gaussian, .768, 2},
	{30, 900, network, .589, 5}, {30, 3600, network, .270, 5}, {50, 2500, network, .513, 5},
}

var metricErrors = []printed{
	{20, 400, tangent, .756, 2}, {20, 400, learnedTangent, .277, 2}, {20, 400, learnedRandom, .208, 2},
	{20, 400, learnedGaussian, .189, 2}, {20, 800, tangent, .574, 2}, {20, 800, learnedTangent, .121, 2},
	{20, 800, learnedRandom, .076, 2}, {20, 800, learnedGaussian, .080, 2}, {30, 900, tangent, .715, 2},
	{30, 900, learnedTangent, .208, 2}, {30, 900, learnedRandom, .143, 2}, {30, 900, learnedGaussian, .141, 2},
	{30, 1800, tangent, .579, 2}, {30, 1800, learnedTangent, .106, 2}, {30, 1800, learnedRandom, .063, 2},
	{30, 1800, learnedGaussian, .066, 2},
}

var noisyErrors = []printed{{10, 100, network, 1.14, 2}, {10, 316, network, .85, 2}, {10, 1000, network, .38, 2},
	{10, 10000, network, .083, 2}}

// The published runs against the errors of our notes. Where both draw from one normal law, the difference of means over
// k and K runs over s√(1/k+1/K) follows Student's law: none may be beyond its one in a thousand, and not so few within
// its nearer half that chance does not explain it.
func TestPublishedRunsAgreeWithTheNotes(t *testing.T) {
	closer, all := 0, 0
	for _, e := range []struct {
		of      experiment.Experiment
		numbers []printed
		digit   float64
	}{{kernels.spec().Experiment(), kernelErrors, 5e-4}, {noisy.spec().Experiment(), noisyErrors, 5e-4},
		{quartic.spec().Experiment(), quarticErrors, 0.05}, {metric.spec().Experiment(), metricErrors, 5e-4}} {
		runs := publishedErrors(t, e.of)
		for _, c := range e.numbers {
			ours := runs[Cell{Dim: c.dim, Samples: c.samples}][c.method]
			require.NotEmpty(t, ours, "%+v", c)
			apart := math.Abs(stat.Mean(ours, 0.5).Estimate - c.want)
			require.LessOrEqual(t, apart, allowed(ours, c.runs, 1e-3)+e.digit, "%+v: %v", c, ours)
			if all++; apart <= allowed(ours, c.runs, 0.5)+e.digit {
				closer++
			}
		}
	}
	t.Logf("%d of %d among the closer half", closer, all)
	require.GreaterOrEqual(t, stat.Proportion(closer, all, 1e-3).Hi, 0.5, "%d of %d", closer, all)
}

// allowed is the quantile of the difference between a mean over runs of ours and one over so many runs of theirs.
func allowed(ours []float64, theirs int, level float64) float64 {
	iv := stat.Mean(ours, level) // whose half is t·s/√K
	return (iv.Hi - iv.Lo) / 2 * math.Sqrt(1+float64(len(ours))/float64(theirs))
}

// publishedErrors are the errors of the published runs by cell, without the run, and method.
func publishedErrors(t *testing.T, e experiment.Experiment) map[Cell]map[string][]float64 {
	r, err := e.Read(filepath.FromSlash("../../../../reports/published/experiments"))
	require.NoError(t, err)
	require.NotNil(t, r)
	out := map[Cell]map[string][]float64{}
	runs, err := experiment.Runs[Cell, Errors](r.Runs)
	require.NoError(t, err)
	for _, run := range runs {
		c := run.Cell
		c.Run = 0
		if out[c] == nil {
			out[c] = map[string][]float64{}
		}
		for method, x := range run.Value {
			out[c][method] = append(out[c][method], x)
		}
	}
	return out
}

// The sweeps of our notes over samples, neurons and noise: none says over how many runs.
func TestPublishedSizesAgreeWithTheNotes(t *testing.T) {
	r, err := sizesSpec.Experiment().Read(filepath.FromSlash("../../../../reports/published/experiments"))
	require.NoError(t, err)
	require.NotNil(t, r)
	runs, err := experiment.Runs[Cell, []Sized](r.Runs)
	require.NoError(t, err)
	closer, all := 0, 0
	compare := func(g sized, ours []float64, want, digit float64) {
		apart := math.Abs(stat.Mean(ours, 0.5).Estimate - want)
		require.LessOrEqual(t, apart, allowed(ours, 2, 1e-3)+digit, "%v: %v in our notes, %v", g, want, ours)
		if all++; apart <= allowed(ours, 2, 0.5)+digit {
			closer++
		}
	}
	samples := map[int]float64{450: .413, 900: .207, 1800: .097, 3600: .049, 7200: .015, 14400: .0076}
	squares := map[int]float64{20: .46, 50: .30, 100: .18, 200: .11, 500: .073, 1000: .048, 2000: .036}
	absolutes := map[int]float64{20: .38, 50: .31, 100: .24, 200: .18, 500: .14, 1000: .11, 2000: .10}
	noises := map[float64]float64{0: .073, .5: .106, 1: .170}
	for _, g := range sizesProblem(props.Standard).gathered(runs) {
		if g.Noise == 0 && g.Width == 1000 {
			compare(g, g.Square, samples[g.Samples], 5e-4)
		}
		if g.Noise == 0 && g.Samples == 3600 {
			compare(g, g.Square, squares[g.Width], 5e-3)
			compare(g, g.Absolute, absolutes[g.Width], 5e-3)
		}
		if g.Width == 500 {
			compare(g, g.Square, noises[g.Noise], 5e-4)
		}
	}
	require.Equal(t, 6+7+7+3, all)
	t.Logf("%d of %d among the closer half", closer, all)
	require.GreaterOrEqual(t, stat.Proportion(closer, all, 1e-3).Hi, 0.5, "%d of %d", closer, all)
}
