package diff

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/streams"
)

// timed are counted samples whose time varies by a hundredth, with factors of time, instructions and misses.
func timed(rng *rand.Rand, name string, n int, time, instructions, cache float64) []measure.Sample {
	samples := counted(rng, name, n, instructions)
	for i, s := range samples {
		x, missed := 1e-6*math.Exp(0.01*rng.NormFloat64()), 5000*math.Exp(0.01*rng.NormFloat64())
		if s.Arm == New {
			x, missed = x*time, missed*cache
		}
		values := samples[i].Result.Values
		values[0].Value = x
		samples[i].Result.Values = append(values, benchfmt.Value{Value: values[len(values)-1].Value + missed,
			Unit: measure.CycleUnit})
	}
	return samples
}

func onBoth(t *testing.T, samples ...[]measure.Sample) (Comparison, *compare.Table) {
	t.Helper()
	c := Comparison{Rounds: 3, Looks: []int{3, 13}, Old: "main", New: "work", Policy: compare.DefaultPolicy()}
	c.Policy.GateOn = compare.GateOnBoth
	for _, s := range samples {
		c.Samples = append(c.Samples, s...)
	}
	table, err := c.Table()
	require.NoError(t, err)
	return c, table
}

// Counts decide where they can, and time overrules them where it is sure.
func TestTimeOverrules(t *testing.T) {
	rng := streams.New(1, "diff", "both")
	type want struct {
		time, count           compare.Decision
		timeGated, countGated bool
	}
	for name, c := range map[string]struct {
		time, count float64
		code        int
		want
	}{
		"stride":  {3.6, 1, compare.Regression, want{compare.Slower, compare.Same, true, true}},
		"layout":  {2, 1, compare.Pass, want{compare.Slower, compare.Same, false, true}},
		"stalls":  {1.5, 0.5, compare.Regression, want{compare.Slower, compare.Faster, true, true}},
		"vectors": {0.5, 1.3, compare.Pass, want{compare.Faster, compare.Slower, true, false}},
		"cheap":   {1, 1.3, compare.Pass, want{compare.Same, compare.Slower, true, false}},
		"little":  {1, 1.02, compare.Regression, want{compare.Same, compare.Slower, true, true}},
		"open":    {1.05, 1, compare.Pass, want{compare.Undecided, compare.Same, false, true}},
		"worse":   {1.05, 1.05, compare.Regression, want{compare.Undecided, compare.Slower, false, true}},
	} {
		_, table := onBoth(t, timed(rng, "B", 13, c.time, c.count, 1))
		got := want{}
		for _, r := range table.Rows {
			switch r.Unit {
			case "sec/op":
				got.time, got.timeGated = r.Verdict, r.Gated
			case measure.InstructionUnit:
				got.count, got.countGated = r.Verdict, r.Gated
			}
		}
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.code, table.Outcome().Code, name)
	}
}

// Time that is slower at the same count gates if it is slower in random orders of the linker, and not if these are what
// doubles the time.
func TestRelinked(t *testing.T) {
	rng := streams.New(4, "diff", "both")
	for name, c := range map[string]struct {
		layout, code func(k int) float64 // factors of both sides, and of the new one
		want         int
	}{
		"syscall": {func(int) float64 { return 1 }, func(int) float64 { return 1.8 }, compare.Regression},
		"layout":  {func(k int) float64 { return float64(1 + k%2) }, func(int) float64 { return 1 }, compare.Pass},
		"same":    {func(int) float64 { return 1 }, func(int) float64 { return 1 }, compare.Pass},
	} {
		samples := timed(rng, "B", 13, 2, 1, 1)
		for k := range relinkings {
			for side, arm := range Relinked {
				s := samples[0]
				s.Arm, s.Round, s.Result = arm, k, samples[0].Result.Clone()
				s.Result.Values[0].Value = 1e-6 * c.layout(k+rng.IntN(2)) * math.Exp(0.01*rng.NormFloat64())
				if side == 1 {
					s.Result.Values[0].Value *= c.code(k)
				}
				samples = append(samples, s)
			}
		}
		_, table := onBoth(t, samples)
		require.Equal(t, c.want, table.Outcome().Code, name)
		require.Contains(t, table.Rows[0].Reason, "in 12 random orders of the linker", name)
	}
}

// What cannot be counted is decided by time, and undecided if that is.
func TestTimeDecidesWhatIsNotCounted(t *testing.T) {
	rng := streams.New(2, "diff", "both")
	for factor, code := range map[float64]int{1: compare.Pass, 1.5: compare.Regression, 1.05: compare.NotDecided} {
		samples := timed(rng, "B", 13, factor, 1, 1)
		for i := range samples {
			samples[i].Result.Values = samples[i].Result.Values[:2]
			samples[i].Uncounted = "uses cgo"
		}
		_, table := onBoth(t, samples)
		require.Equal(t, code, table.Outcome().Code, factor)
	}
}

// After a first look a benchmark whose count is the same is open if its time or its misses look changed, and marked.
func TestLooksChanged(t *testing.T) {
	rng := streams.New(3, "diff", "both")
	b := func(name string) measure.Benchmark { return measure.Benchmark{Package: "m/p", Name: name} }
	all := []measure.Benchmark{b("Same"), b("Stride"), b("Memory")}
	c, table := onBoth(t, timed(rng, "Same", 3, 1, 1, 1), timed(rng, "Stride", 3, 3.6, 1, 1),
		timed(rng, "Memory", 3, 1, 1, 3))
	require.Equal(t, all[1:], c.Open(table, all))
	var text strings.Builder
	require.NoError(t, table.Render(&text, "brief"))
	require.Contains(t, text.String(), "memory: the simulated caches miss more or less than before in Memory-2")
	require.NotContains(t, text.String(), measure.CycleUnit)
	for _, r := range table.Rows {
		marked := len(r.Warnings) > 0 && strings.HasPrefix(r.Warnings[len(r.Warnings)-1], compare.Memory)
		require.Equal(t, r.Name == "Memory-2" && r.Unit != "allocs/op", marked, "%s %s %v", r.Name, r.Unit, r.Warnings)
	}
	c.Cycles = true
	table, err := c.Table()
	require.NoError(t, err)
	require.Equal(t, 12, len(table.Rows))

	_, table = onBoth(t, timed(rng, "Memory", 13, 1.05, 1, 3)) // nobody knows what that costs
	require.Equal(t, compare.NotDecided, table.Outcome().Code)
	_, table = onBoth(t, timed(rng, "Memory", 13, 1.01, 1.2, 3))
	require.Equal(t, compare.Pass, table.Outcome().Code)
}
