package history

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/streams"
)

// recorded makes a history of fixtures without the disk.
func recorded(t testing.TB, fixtures ...fixture) *History {
	t.Helper()
	h := &History{}
	for i, f := range fixtures {
		f.day = i
		m, r, err := describe([]byte(f.text()), "")
		require.NoError(t, err)
		h.Runs = append(h.Runs, Run{m, r})
	}
	return h
}

// noisy is n runs of a benchmark of 100 ns ± 1 %, that is slower by a factor from a run on.
func noisy(n, from int, factor float64) []fixture {
	rng := streams.New(11, "noisy")
	out := make([]fixture, n)
	for i := range out {
		time := 100 * (1 + rng.NormFloat64()/100)
		if i >= from {
			time *= factor
		}
		out[i] = fixture{lines: []string{fmt.Sprintf("A 1 %.3f ns/op 16 B/op 1 allocs/op 0.5 ratio", time)}}
	}
	return out
}

func TestCheck(t *testing.T) {
	p := DefaultPolicy()
	outcome := func(fixtures []fixture, allow Allowances) int {
		return recorded(t, fixtures...).Check(p, allow).Code
	}
	require.Equal(t, compare.UnusableInput, (&History{}).Check(p, Allowances{}).Code)
	require.Equal(t, compare.NotDecided, outcome(noisy(9, 99, 1), Allowances{}))
	require.Equal(t, compare.Pass, outcome(noisy(9, 99, 1), Allowances{Short: true})) // allocations can be judged
	require.Equal(t, compare.Pass, outcome(noisy(24, 99, 1), Allowances{}))

	// A lasting change is found at one run, and is then known.
	alarms := 0
	for n := 20; n <= 27; n++ {
		v := recorded(t, noisy(n, 20, 1.2)...).Check(p, Allowances{})
		if v.Code == compare.Regression {
			alarms++
			require.Len(t, v.Worse, 1)
			require.Equal(t, "A, sec/op (pkg: example.org/m)", v.Worse[0].Row)
			require.Equal(t, 20, v.Worse[0].Change.Run)
			ratio := float64(v.Worse[0].Change.Ratio)
			require.True(t, ratio > 1.18 && ratio < 1.22)
		} else {
			require.Equal(t, compare.Pass, v.Code)
		}
	}
	require.Equal(t, 1, alarms)
	for _, n := range []int{22, 26} { // improvements, and changes within the margin, are none for the worse
		require.Equal(t, compare.Pass, outcome(noisy(n, 20, 0.5), Allowances{}))
		require.Equal(t, compare.Pass, outcome(noisy(n, 20, 1.04), Allowances{}))
	}
}

func TestCheckOfExactNumbers(t *testing.T) {
	p := DefaultPolicy()
	with := func(line string) CheckResult {
		return recorded(t, append(noisy(24, 99, 1), fixture{lines: []string{line}})...).Check(p, Allowances{})
	}
	require.Equal(t, compare.Pass, with("A 1 100 ns/op 16 B/op 1 allocs/op 0.5 ratio").Code)
	require.Equal(t, compare.Pass, with("A 1 100 ns/op 16 B/op 0 allocs/op 0.5 ratio").Code)
	for _, line := range []string{"A 1 100 ns/op 16 B/op 2 allocs/op 0.5 ratio",
		"A 1 100 ns/op 16 B/op 1 allocs/op 0.5000001 ratio"} {
		v := with(line)
		require.Equal(t, compare.Regression, v.Code)
		require.Zero(t, float64(v.Worse[0].Change.P))
	}
}

// TestStaircase: every change of a number that leaves nothing to chance stands between the level before it and the one
// after it, whatever came earlier.
func TestStaircase(t *testing.T) {
	var runs []fixture
	for _, level := range []struct{ allocations, runs int }{{1, 3}, {2, 2}, {1, 1}, {3, 2}, {2, 4}} {
		for range level.runs {
			line := fmt.Sprintf("A 1 100 ns/op 16 B/op %d allocs/op", level.allocations)
			runs = append(runs, fixture{lines: []string{line}})
		}
	}
	type step struct {
		run           int
		before, after float64
		better, worse bool
	}
	want := []step{{3, 1, 2, false, true}, {5, 2, 1, true, false}, {6, 1, 3, false, true}, {8, 3, 2, true, false}}
	for _, r := range recorded(t, runs...).Analyse(DefaultPolicy()).Rows {
		if r.Unit != "allocs/op" {
			require.Empty(t, r.Series[0].Changes, r.Unit)
			continue
		}
		var got []step
		for _, c := range r.Series[0].Changes {
			got = append(got, step{c.Run, float64(c.Before), float64(c.After), c.Better, c.Worse})
			require.Equal(t, float64(c.After)/float64(c.Before), float64(c.Ratio))
		}
		require.Equal(t, want, got)
	}
}

// TestAnImprovementDoesNotCoverUp: a change for the worse is news after one for the better, which is on record, and so
// is a second one after a first; without another it is not.
func TestAnImprovementDoesNotCoverUp(t *testing.T) {
	p := DefaultPolicy()
	with := func(allocations ...int) CheckResult {
		runs := noisy(24+len(allocations), 99, 1)
		for i, n := range allocations {
			runs[24+i].lines = []string{fmt.Sprintf("A 1 100 ns/op 16 B/op %d allocs/op 0.5 ratio", n)}
		}
		return recorded(t, runs...).Check(p, Allowances{})
	}
	require.Equal(t, compare.Pass, with(0).Code)
	for _, allocations := range [][]int{{0, 3}, {0, 2, 3}, {2, 3}, {2, 0, 3}} {
		v := with(allocations...)
		require.Equal(t, compare.Regression, v.Code, "%v", allocations)
		require.Len(t, v.Worse, 1)
		require.Equal(t, 24+len(allocations)-1, v.Worse[0].Change.Run)
		require.Equal(t, 3.0, float64(v.Worse[0].Change.After))
	}
	for _, known := range [][]int{{2, 2}, {0, 3, 3}, {2, 0}} {
		require.Equal(t, compare.Pass, with(known...).Code, "%v", known)
	}
}

// TestSharedLevels: the p-value of a change is for the whole table, that of its series times the number of series.
func TestSharedLevels(t *testing.T) {
	runs := noisy(40, 20, 1.5)
	for i, f := range noisy(40, 99, 1) {
		runs[i].lines = append(runs[i].lines, "B"+f.lines[0][1:])
	}
	p := DefaultPolicy()
	for _, r := range recorded(t, runs...).Analyse(p).Rows {
		s := r.Series[0]
		if r.Name != "A" || r.Unit != "sec/op" {
			require.Empty(t, s.Changes)
			continue
		}
		require.Equal(t, p.Alpha/2, s.Level)
		found := (&Calibration{Block: p.Block, Seed: p.Seed}).Find(s.centers(), s.Level)
		require.Len(t, found, 1)
		require.Len(t, s.Changes, 1)
		require.Equal(t, 2*found[0].P, float64(s.Changes[0].P))
	}
}

// TestMinChangeOfBytes: 8 bytes are an allocation, 7 are the setup.
func TestMinChangeOfBytes(t *testing.T) {
	for bytes, changes := range map[int]int{16: 0, 23: 0, 24: 1, 9: 0, 8: 1} {
		runs := noisy(24, 99, 1)
		runs[23].lines = []string{fmt.Sprintf("A 1 100 ns/op %d B/op 1 allocs/op 0.5 ratio", bytes)}
		for _, r := range recorded(t, runs...).Analyse(DefaultPolicy()).Rows {
			if r.Unit == "B/op" {
				require.Len(t, r.Series[0].Changes, changes, "%d bytes", bytes)
			}
		}
	}
}

func TestCheckOfIncompleteRuns(t *testing.T) {
	p := DefaultPolicy()
	h := append(noisy(24, 99, 1), fixture{lines: []string{"B 1 100 ns/op 16 B/op 1 allocs/op 0.5 ratio"}})
	v := recorded(t, h...).Check(p, Allowances{Short: true})
	require.Equal(t, compare.NotDecided, v.Code)
	require.Len(t, v.Absent, 4)
	require.Contains(t, v.Reason, "lacks 4 rows that the run before it has, such as A, sec/op")
	h = append(noisy(24, 99, 1), fixture{lines: noisy(1, 99, 1)[0].lines, fail: "B"})
	require.Contains(t, recorded(t, h...).Check(p, Allowances{}).Reason, "failures: 1")
	h = append(noisy(24, 99, 1), fixture{cpu: "Other", lines: noisy(1, 99, 1)[0].lines})
	v = recorded(t, h...).Check(p, Allowances{Short: true}) // the first run of a machine
	require.Equal(t, compare.NotDecided, v.Code)
	require.Contains(t, v.Reason, "too few runs")
}

// TestMachinesAreNeverCompared lets the machine, or the length of samples, change with the time.
func TestMachinesAreNeverCompared(t *testing.T) {
	for _, other := range []fixture{{cpu: "Slow"}, {benchtime: "9s"}} {
		h := noisy(40, 20, 3)
		for i := 20; i < 40; i++ {
			h[i].cpu, h[i].benchtime = other.cpu, other.benchtime
		}
		a := recorded(t, h...).Analyse(DefaultPolicy())
		for _, r := range a.Rows {
			require.Len(t, r.Series, 2)
			for _, s := range r.Series {
				require.Empty(t, s.Changes)
			}
		}
	}
	a := recorded(t, noisy(40, 20, 3)...).Analyse(DefaultPolicy())
	require.Len(t, a.Rows[0].Series[0].Changes, 1) // on one machine it is a change
}

// TestLevels: the share of a series is α over those that are long enough, whatever is exact.
func TestLevels(t *testing.T) {
	h := noisy(30, 99, 1)
	for i := range h {
		h[i].lines = append(h[i].lines, fmt.Sprintf("B 1 %d ns/op", 7+i%3), "D 1 9 ns/op")
		if i > 20 {
			h[i].lines = append(h[i].lines, fmt.Sprintf("C 1 %d ns/op", 7+i%3))
		}
	}
	a := recorded(t, h...).Analyse(DefaultPolicy())
	for _, r := range a.Rows {
		s := r.Series[0]
		switch {
		case r.Exact:
			require.Zero(t, s.Level)
		case r.Name == "C": // 9 runs
			require.Positive(t, s.Needs)
			require.Zero(t, s.Delay)
		default: // A and B, and what has one value alone and needs no share
			require.Equal(t, 0.01/2, s.Level)
			require.Positive(t, s.Delay)
		}
	}
	text, err := a.JSON()
	require.NoError(t, err)
	var back Analysis
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, len(a.Rows), len(back.Rows))
	require.Contains(t, a.Text(), "1 series too short to tell a change from chance: up to ")
}

func TestPolicies(t *testing.T) {
	good := DefaultPolicy()
	require.NoError(t, good.Validate())
	for want, p := range map[string]Policy{
		"alpha must be": {Alpha: 0, Block: 1}, "zone must be": {Alpha: 0.1, Margin: -1, Block: 1},
		"block must be": {Alpha: 0.1}, "a unit has a name": {Alpha: 0.1, Block: 1, Units: []string{""}},
	} {
		require.ErrorContains(t, p.Validate(), want)
	}
	good.Units = []string{"ratio"}
	require.Len(t, recorded(t, noisy(2, 9, 1)...).Analyse(good).Rows, 1)
}
