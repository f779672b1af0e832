package diff

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/collector"
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/counter"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/stat"
)

func init() { collector.Set() }

// rounds draws samples of a benchmark: times that vary by two per cent, with bursts, and a constant allocs/op.
func rounds(rng *rand.Rand, name string, n int, factor float64, allocs [2]float64) []measure.Sample {
	var out []measure.Sample
	for round := range n {
		for _, arm := range Arms {
			seconds, count := 1e-6*math.Exp(0.02*rng.NormFloat64()+0.2*math.Max(0, rng.NormFloat64()-1)), allocs[0]
			if arm == New {
				seconds, count = seconds*factor, allocs[1]
			}
			out = append(out, measure.Sample{Benchmark: measure.Benchmark{Package: "m/p", Name: name}, Arm: arm,
				Round: round,
				Result: &benchfmt.Result{Name: benchfmt.Name(name + "-2"), Iters: 1, Values: []benchfmt.Value{
					{Value: seconds, Unit: "sec/op", OrigValue: 1e9 * seconds, OrigUnit: "ns/op"},
					{Value: count, Unit: "allocs/op"}}}})
		}
	}
	return out
}

func compared(t *testing.T, n int, samples ...[]measure.Sample) *compare.Table {
	t.Helper()
	c := Comparison{Rounds: n, Old: "main", New: "work", Policy: compare.DefaultPolicy()}
	for _, s := range samples {
		c.Samples = append(c.Samples, s...)
	}
	slices.SortStableFunc(c.Samples, func(a, b measure.Sample) int { return a.Round - b.Round })
	table, err := c.Table()
	require.NoError(t, err)
	return table
}

// verdicts returns the verdicts of a table by name and unit.
func verdicts(t *compare.Table) map[string]compare.Decision {
	out := map[string]compare.Decision{}
	for _, r := range t.Rows {
		out[r.Name+" "+r.Unit] = r.Verdict
	}
	return out
}

func TestTable(t *testing.T) {
	rng := streams.New(1, "diff", "table")
	table := compared(t, 30, rounds(rng, "Same", 30, 1, [2]float64{3, 3}),
		rounds(rng, "Slow/n=1", 30, 1.3, [2]float64{3, 3}),
		rounds(rng, "Fast", 30, 0.7, [2]float64{3, 2}), rounds(rng, "Greedy", 30, 1, [2]float64{0, 1}))
	require.Equal(t, map[string]compare.Decision{
		"Same-2 sec/op": compare.Same, "Slow/n=1-2 sec/op": compare.Slower, "Fast-2 sec/op": compare.Faster,
		"Greedy-2 sec/op":  compare.Same,
		"Same-2 allocs/op": compare.Same, "Slow/n=1-2 allocs/op": compare.Same, "Fast-2 allocs/op": compare.Faster,
		"Greedy-2 allocs/op": compare.Slower,
	}, verdicts(table))
	require.Equal(t, compare.Regression, table.Outcome().Code)
	require.Empty(t, table.Problems)
	require.Contains(t, table.Method, "6 rows measured in randomised blocks")
	for _, r := range table.Rows {
		require.Equal(t, 60, r.Old.N)
		require.Equal(t, 30, r.New.N)
		require.Equal(t, r.Unit == "sec/op", r.Floor > 0)
	}
	var text strings.Builder
	require.NoError(t, table.Render(&text, "text"))
	require.Contains(t, text.String(), "main")
}

// A count that changed is worse only if the random order of the rounds is unlikely to have brought it about, and says
// otherwise how many rounds it takes.
func TestCountsNeedRounds(t *testing.T) {
	rng := streams.New(1, "diff", "counts")
	for n := 1; n <= 10; n++ {
		table := compared(t, n, rounds(rng, "Greedy", n, 1, [2]float64{3, 4}))
		for _, r := range table.Rows {
			switch {
			case r.Unit != "allocs/op":
			case n < 7: // 2·3⁻⁷ ≤ 0.01/2/2 < 2·3⁻⁶
				require.Equal(t, compare.Undecided, r.Verdict, "n=%d", n)
				require.Equal(t, 8, r.Needs, "n=%d", n) // at the second look, which has less of α
			default:
				require.Equal(t, compare.Slower, r.Verdict, "n=%d", n)
			}
		}
	}
}

// Tables of code that did not change: the chance that any row is accused is at most α; at the margin 0, where every
// accusation is a rejection of "nothing changed".
func TestFalseAlarmsOfATable(t *testing.T) {
	rng := streams.New(1, "diff", "null")
	const tables, alpha = 100, 0.3
	alarms := 0
	for range tables {
		c := Comparison{Rounds: 10, Policy: compare.DefaultPolicy()}
		c.Policy.Alpha, c.Policy.Margin, c.Policy.Units = alpha, 0, []string{"sec/op"}
		for i := range 4 {
			c.Samples = append(c.Samples, rounds(rng, fmt.Sprint("B", i), 10, 1, [2]float64{})...)
		}
		table, err := c.Table()
		require.NoError(t, err)
		if table.Count(compare.Slower)+table.Count(compare.Faster) > 0 {
			alarms++
		}
	}
	// the first look spends half of α; 10⁻⁶ is the chance that this test fails although the level holds
	require.True(t, stat.Proportion(alarms, tables, 2e-6).Lo <= alpha/2, "%d of %d", alarms, tables)
}

// The estimate is about gated rows that chance decides; noisier rows estimate less, allocations are counted, and units
// of which more is better are estimated as those of which less is.
func TestPowerEstimate(t *testing.T) {
	rng := streams.New(1, "diff", "promise")
	var pilot []measure.Sample
	var loudest []Block
	for i, name := range []string{"Quiet", "Loud"} {
		spread := []float64{0.002, 0.1}[i]
		for _, s := range rounds(rng, name, 5, 1, [2]float64{3, 3}) {
			s.Arm = Pilots[slices.Index(Arms, s.Arm)]
			// skewed: less and more are not the same
			s.Result.Values[0].Value = 1e-6 * math.Exp(spread*rng.ExpFloat64())
			s.Result.Values = append(s.Result.Values,
				benchfmt.Value{Value: 1 / s.Result.Values[0].Value, Unit: "op/sec"})
			s.Units = []*benchfmt.UnitMetadata{{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: "op/sec",
				Key: "better"}, Value: "higher"}}
			pilot = append(pilot, s)
			require.Contains(t, Pilots, s.Arm)
			if name == "Loud" {
				if s.Arm == Pilots[0] {
					loudest = append(loudest, Block{})
				}
				b := &loudest[len(loudest)-1]
				*map[string]*float64{Pilots[0]: &b.Old, Pilots[1]: &b.Again,
					Pilots[2]: &b.New}[s.Arm] = math.Log(s.Result.Values[0].Value)
			}
		}
	}
	c := Comparison{Rounds: 12, Old: "main", New: "work", Policy: compare.DefaultPolicy()}
	c.Policy.Units = []string{"ns/op", "op/sec", "allocs/op"}
	steps := 0
	p, err := c.PowerEstimate(t.Context(), pilot, 1, func(_, planned int) { require.Equal(t, 4, planned); steps++ })
	require.NoError(t, err)
	require.Equal(t, 4, steps)
	share := Share(0.01, 6, 1) // counts may come to vary
	require.Equal(t, [3]int{5, 12, Minimum(share)}, [3]int{p.Pilot, p.Rounds, p.Minimum})
	found := map[string]compare.EstimatedRow{}
	for _, r := range p.Rows {
		found[r.Name+" "+r.Unit] = r
	}
	require.Len(t, found, 4)
	for _, unit := range []string{"sec/op", "op/sec"} {
		quiet, loud := found["Quiet-2 "+unit], found["Loud-2 "+unit]
		require.True(t, quiet.Detects > 0.05 && quiet.Detects < 0.1 && quiet.Settles, "%+v", quiet)
		require.True(t, loud.Detects > 0.2 && loud.Detects < 3 && !loud.Settles, "%+v", loud)
		require.True(t, quiet.Floor < 0.02 && loud.Floor < 0.5)
	}
	// simulated with other random numbers
	other := Forecast{Pilot: loudest, Rounds: 12, Alpha: share, Margin: 0.05, Better: -1, Power: 0.8,
		Inflate: Inflation(5, 0.05), Runs: 400, Random: func() *rand.Rand { return streams.New(2, "another") }}
	require.InEpsilon(t, float64(other.Detectable()), float64(found["Loud-2 sec/op"].Detects), 0.25)
	reciprocal := make([]Block, len(loudest))
	for i, b := range loudest {
		reciprocal[i] = Block{Old: -b.Old, Again: -b.Again, New: -b.New}
	}
	more := Forecast{Pilot: reciprocal, Rounds: 12, Alpha: share, Margin: 0.05, Better: 1, Power: 0.8,
		Inflate: Inflation(5, 0.05), Runs: 400,
		Random: func() *rand.Rand { return streams.New(1, "bench", "promise", "pkg: m/p", "Loud-2", "op/sec") }}
	// 1/x and -log x are rounded
	require.True(t, math.Abs(more.Detectable()/float64(found["Loud-2 op/sec"].Detects)-1) < 0.01)
	require.NotEqual(t, found["Loud-2 sec/op"].Detects, found["Loud-2 op/sec"].Detects)
	again, err := c.PowerEstimate(t.Context(), pilot, 1, func(int, int) {})
	require.NoError(t, err)
	require.Equal(t, p, again)

	c.Rounds = 4
	few, err := c.PowerEstimate(t.Context(), pilot, 1, func(int, int) {})
	require.NoError(t, err)
	require.Contains(t, few.Sentence(), fmt.Sprintf("the 4 rounds of the first look are too few to decide anything "+
		"at the level of 4 rows: it takes %d", few.Minimum))
	ctx, cancel := context.WithCancel(t.Context())
	_, err = c.PowerEstimate(ctx, pilot, 1, func(int, int) { cancel() }) // in the middle of a row
	require.ErrorIs(t, err, context.Canceled)
	none, err := c.PowerEstimate(t.Context(), nil, 1, func(int, int) {})
	require.NoError(t, err)
	require.Empty(t, none.Rows)
}

// Units of a policy may be named as benchmarks print them.
func TestMarginsByPrintedUnits(t *testing.T) {
	rng := streams.New(1, "diff", "zones")
	samples := rounds(rng, "Slow", 20, 1.3, [2]float64{})
	c := Comparison{Rounds: 20, Samples: samples, Old: "main", New: "work", Policy: compare.DefaultPolicy()}
	c.Policy.Margins = map[string]float64{"ns/op": 0.8}
	table, err := c.Table()
	require.NoError(t, err)
	require.Equal(t, compare.Same, verdicts(table)["Slow-2 sec/op"])
}

// What a benchmark says of its units is refused as in files, and not believed of the new code alone.
func TestUnitsOfSamples(t *testing.T) {
	rng := streams.New(1, "diff", "units")
	said := func(key, value string, arms ...string) []measure.Sample {
		samples := rounds(rng, "B", 10, 1.3, [2]float64{3, 3})
		for i, s := range samples {
			samples[i].Result.Values[0].Unit = "hits"
			if slices.Contains(arms, s.Arm) {
				samples[i].Units = []*benchfmt.UnitMetadata{{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: "hits", Key: key},
					OrigUnit: "hits", Value: value}}
			}
		}
		return samples
	}
	for _, bad := range [][2]string{{"bettr", "higher"}, {"better", "hihger"}} {
		table := compared(t, 10, said(bad[0], bad[1], New))
		require.Equal(t, compare.UnusableInput, table.Outcome().Code)
		require.Contains(t, table.Outcome().Reason, bad[0]+"="+bad[1])
	}
	require.Equal(t, compare.Faster, verdicts(compared(t, 10, said("better", "higher", Arms...)))["B-2 hits"])
	late := compared(t, 10, said("better", "higher", New))
	require.Equal(t, compare.Changed, verdicts(late)["B-2 hits"])
	require.Contains(t, late.Problems[0].Text, "work alone says Unit hits better=higher, which is not believed")
}

// Undecided rows are open, with or without GOMAXPROCS in their names; decided ones are not.
func TestOpen(t *testing.T) {
	rng := streams.New(1, "diff", "open")
	table := compared(t, 10, rounds(rng, "Near", 10, 1.08, [2]float64{}), rounds(rng, "Slow", 10, 3, [2]float64{}))
	near, slow := measure.Benchmark{Package: "m/p", Name: "Near"}, measure.Benchmark{Package: "m/p", Name: "Slow"}
	require.Equal(t, []measure.Benchmark{near}, Comparison{}.Open(table, []measure.Benchmark{near, slow}))
}

// A failed sample makes its rows unusable, however good the others are; a benchmark without any result has a row too.
func TestFailuresAreRows(t *testing.T) {
	rng := streams.New(1, "diff", "fail")
	samples := rounds(rng, "Good", 12, 1, [2]float64{})
	samples[5].Result, samples[5].Fail = nil, "no luck"
	bad := measure.Sample{Benchmark: measure.Benchmark{Package: "m/p", Name: "Bad"}, Arm: New,
		Fail: "panic: on purpose"}
	table := compared(t, 12, samples, []measure.Sample{bad})
	require.Equal(t, compare.Unusable, verdicts(table)["Good-2 sec/op"])
	require.Equal(t, compare.Unusable, verdicts(table)["Bad sec/op"])
	require.Equal(t, compare.UnusableInput, table.Outcome().Code)
	var text strings.Builder
	require.NoError(t, table.Render(&text, "text"))
	require.Contains(t, text.String(), "1 of 12 samples of the new code failed: no luck")
	require.Contains(t, text.String(), "panic: on purpose")
}

// A benchmark that was broken before blocks nobody; one that is broken now does.
func TestBrokenBeforeIsNotGated(t *testing.T) {
	rng := streams.New(1, "diff", "broken")
	fails := func(arms ...string) (out []measure.Sample) {
		for _, arm := range arms {
			for round := range 10 {
				out = append(out, measure.Sample{Benchmark: measure.Benchmark{Package: "m/p", Name: "Chatty"}, Arm: arm,
					Round: round, Fail: "printed 0 result lines, want 1"})
			}
		}
		return out
	}
	good := rounds(rng, "Good", 30, 1, [2]float64{3, 3})
	for _, c := range []struct {
		arms []string
		code int
	}{{Arms, compare.Pass}, {[]string{New}, compare.UnusableInput}, {[]string{Old, Again}, compare.Pass}} {
		table := compared(t, 30, good, fails(c.arms...))
		require.Equal(t, c.code, table.Outcome().Code, c.arms)
		require.Equal(t, compare.Unusable, verdicts(table)["Chatty sec/op"])
		require.Equal(t, c.code == compare.Pass, len(table.Problems) == 1)
	}
}

// counted are samples whose instructions vary by a part in a thousand, and whose time by a tenth.
func counted(rng *rand.Rand, name string, n int, factor float64) []measure.Sample {
	samples := rounds(rng, name, n, 1, [2]float64{3, 3})
	for i, s := range samples {
		x := 1e5 * math.Exp(0.001*rng.NormFloat64())
		if s.Arm == New {
			x *= factor
		}
		samples[i].Result.Values = append(samples[i].Result.Values,
			benchfmt.Value{Value: x, Unit: measure.InstructionUnit})
		samples[i].Units = []*benchfmt.UnitMetadata{{UnitMetadataKey: benchfmt.UnitMetadataKey{
			Unit: measure.InstructionUnit, Key: "better"}, OrigUnit: measure.InstructionUnit, Value: "lower"}}
	}
	return samples
}

func countedTable(t *testing.T, looks []int, samples ...[]measure.Sample) *compare.Table {
	t.Helper()
	p := compare.DefaultPolicy()
	p.GateOn = compare.GateOnInstructions
	c := Comparison{Rounds: looks[0], Looks: looks, Old: "main", New: "work", Policy: p}
	for _, s := range samples {
		c.Samples = append(c.Samples, s...)
	}
	table, err := c.Table()
	require.NoError(t, err)
	return table
}

// Three rounds show that instructions are the same, and accuse nobody: a change takes as many as the level needs. Then
// 1 % is found at the margin of 1 %. Time does not gate.
func TestInstructionsGate(t *testing.T) {
	rng := streams.New(1, "diff", "instructions")
	looks := []int{3, 13}
	table := countedTable(t, looks, counted(rng, "Same", 3, 1), counted(rng, "More", 3, 1.01))
	require.Equal(t, compare.Same, verdicts(table)["Same-2 "+measure.InstructionUnit])
	require.Equal(t, compare.Undecided, verdicts(table)["More-2 "+measure.InstructionUnit])
	open := Comparison{}.Open(table, []measure.Benchmark{{Package: "m/p", Name: "Same"}, {Package: "m/p", Name: "More"}})
	require.Equal(t, []measure.Benchmark{{Package: "m/p", Name: "More"}}, open)
	setup := counted(rng, "Setup", 3, 1) // divided by another number of operations every time
	for i := range setup {
		setup[i].Result.Values[1] = benchfmt.Value{Value: 4456 + float64(3*(i%5)), Unit: "B/op"}
	}
	require.Equal(t, compare.Same, verdicts(countedTable(t, looks, setup))["Setup-2 B/op"])
	table = countedTable(t, looks, counted(rng, "Same", 3, 1), counted(rng, "More", 13, 1.01),
		counted(rng, "Less", 13, 0.97), counted(rng, "Little", 13, 1.002))
	require.Equal(t, compare.Slower, verdicts(table)["More-2 "+measure.InstructionUnit])
	require.Equal(t, compare.Faster, verdicts(table)["Less-2 "+measure.InstructionUnit])
	require.Equal(t, compare.Same, verdicts(table)["Little-2 "+measure.InstructionUnit], "more, but not by what matters")
	require.Equal(t, compare.Regression, table.Outcome().Code)
	require.Contains(t, table.Method, "excludes no change and not the margin")
	for _, r := range table.Rows {
		require.Equal(t, r.Unit != "sec/op", r.Gated, r.Unit)
	}
}

// Counts of identical code with a spread of a part in a thousand and outliers of up to ten per cent, at the margin 0,
// where every accusation is a rejection of "nothing changed": the second look spends a sixth of α.
func TestInstructionsOfIdenticalCode(t *testing.T) {
	rng := streams.New(1, "diff", "instructions", "null")
	const tables, alpha = 60, 0.3
	alarms := 0
	for range tables {
		c := Comparison{Rounds: 3, Looks: []int{3, 8}, Policy: compare.DefaultPolicy()}
		c.Policy.Alpha, c.Policy.GateOn = alpha, compare.GateOnInstructions
		c.Policy.Margins = map[string]float64{measure.InstructionUnit: 0}
		for k := range 3 {
			s := counted(rng, fmt.Sprint("B", k), 8, 1)
			for i := range s {
				s[i].Result.Values = s[i].Result.Values[2:]
				if rng.Float64() < 0.2 {
					s[i].Result.Values[0].Value *= 1 + 0.1*rng.Float64()
				}
			}
			c.Samples = append(c.Samples, s...)
		}
		table, err := c.Table()
		require.NoError(t, err)
		if table.Count(compare.Slower)+table.Count(compare.Faster) > 0 {
			alarms++
		}
	}
	// 10⁻⁶ is the chance that this test fails although the level holds
	require.True(t, stat.Proportion(alarms, tables, 2e-6).Lo <= alpha/6, "%d of %d", alarms, tables)
}

// What could not be counted is an undecided row with the reason.
func TestUncountedIsUndecided(t *testing.T) {
	rng := streams.New(1, "diff", "uncounted")
	threads := rounds(rng, "Threads", 3, 1, [2]float64{3, 3})
	half := counted(rng, "Half", 3, 1)
	for i := range threads {
		threads[i].Uncounted = "runs goroutines on several threads"
	}
	half[4].Uncounted, half[4].Result.Values = "uses cgo", half[4].Result.Values[:2]
	table := countedTable(t, []int{3, 13}, threads, half)
	require.Equal(t, compare.Undecided, verdicts(table)["Threads "+measure.InstructionUnit])
	require.Equal(t, compare.Undecided, verdicts(table)["Half-2 "+measure.InstructionUnit])
	require.Equal(t, compare.NotDecided, table.Outcome().Code)
	var text strings.Builder
	require.NoError(t, table.Render(&text, "brief"))
	require.Contains(t, text.String(), "runs goroutines on several threads")
	require.Contains(t, text.String(), "uses cgo")
}

// Counts that a lent counter spoilt are dropped: the other rounds decide, and the row says so. Where none is left the
// row is undecided.
func TestDroppedCounts(t *testing.T) {
	rng := streams.New(1, "diff", "dropped")
	half, all := counted(rng, "Some", 6, 1), counted(rng, "All", 6, 1)
	for i, s := range [][]measure.Sample{half, all} {
		for k := range s {
			if i == 1 || k == 4 {
				s[k].Uncounted, s[k].Result.Values = counter.ErrShared.Error(), s[k].Result.Values[:2]
			}
		}
	}
	table := countedTable(t, []int{3, 13}, half, all)
	require.Equal(t, compare.Same, verdicts(table)["Some-2 "+measure.InstructionUnit])
	require.Equal(t, compare.Undecided, verdicts(table)["All "+measure.InstructionUnit])
	require.Equal(t, compare.NotDecided, table.Outcome().Code)
	var text strings.Builder
	require.NoError(t, table.Render(&text, "text"))
	require.Contains(t, text.String(), "counts dropped: 1, because the hardware counter was lent to others")
	require.Contains(t, text.String(), "not counted: the hardware counter was lent to others")
}

// A process that did not end in time, on a busy machine, is dropped if others did. Where none of one side did, its
// count is undecided and not missing.
func TestLateCounts(t *testing.T) {
	rng := streams.New(1, "diff", "late")
	one, side := counted(rng, "One", 6, 1), counted(rng, "Side", 6, 1)
	for i, s := range [][]measure.Sample{one, side} {
		for k := range s {
			if i == 0 && k == 4 || i == 1 && s[k].Arm == New {
				s[k].Uncounted, s[k].Result.Values = "under valgrind: did not end within 2m0s", s[k].Result.Values[:2]
			}
		}
	}
	table := countedTable(t, []int{3, 13}, one, side)
	require.Equal(t, compare.Same, verdicts(table)["One-2 "+measure.InstructionUnit])
	require.Equal(t, compare.Undecided, verdicts(table)["Side-2 "+measure.InstructionUnit])
}

func TestSets(t *testing.T) {
	rng := streams.New(1, "diff", "sets")
	b := func(name string) measure.Benchmark { return measure.Benchmark{Package: "m/p", Name: name} }
	old, new := []measure.Benchmark{b("Gone"), b("Good")}, []measure.Benchmark{b("Good"), b("Fresh")}
	require.Equal(t, []measure.Benchmark{b("Good")}, Common(old, new))
	c := Comparison{Rounds: 20, Samples: rounds(rng, "Good", 20, 1, [2]float64{}), Old: "a=b", New: "c",
		Policy: compare.DefaultPolicy()}
	table, err := c.Table()
	require.NoError(t, err)
	c.Sets(table, old, new)
	require.Equal(t, compare.Missing, verdicts(table)["Gone sec/op"])
	require.Equal(t, compare.Added, verdicts(table)["Fresh sec/op"])
	require.Equal(t, compare.NotDecided, table.Outcome().Code)
	c.Policy.Missing = compare.MissingAllowed
	table.Policy = c.Policy
	require.Equal(t, compare.Pass, table.Outcome().Code)
	for _, format := range compare.Formats {
		var text strings.Builder
		require.NoError(t, table.Render(&text, format), format)
	}
}

// Without any sample nothing passes.
func TestNothingIsNoPass(t *testing.T) {
	table := compared(t, 10)
	require.Equal(t, compare.UnusableInput, table.Outcome().Code)
	rng := streams.New(1, "diff", "half")
	half := rounds(rng, "Half", 10, 1, [2]float64{})
	for i := range half {
		if half[i].Arm == New {
			half[i].Arm = Old
		}
	}
	require.NotEqual(t, compare.Pass, compared(t, 10, half).Outcome().Code)
}
