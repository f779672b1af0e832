package props

import (
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/results"
)

func TestPanickingProperty(t *testing.T) {
	var calls atomic.Int64
	c := claim("panics", property("panics", func(_ *T, n int) Ratio {
		calls.Add(1)
		if n > 10 {
			panic("too large")
		}
		return Ratio{}
	}))
	row, found := verify(t, c)
	require.Equal(t, int64(1), calls.Load(), "a panic ends its block and is not tried again with other draws")
	require.Equal(t, results.Error, row.Verdict)
	require.Equal(t, 3, found.ExitCode())
	require.Equal(t, results.Count{Planned: 40, Run: 0}, row.Cases)
	require.Regexp(t, `^panics: cell 0 to 39: too large \(props\.TestPanickingProperty\.\S+, property_test.go:\d+\)$`,
		row.Message)
	require.Empty(t, row.Counterexample)
}

// Runtime errors are reported where they happened, too, and a nil dereference does not end the process.
func TestRuntimeErrorInProperty(t *testing.T) {
	row, _ := verify(t, claim("nil", property("nil", func(t *T, n int) Ratio { var p *Ratio; return *p })))
	require.Equal(t, results.Error, row.Verdict)
	require.Contains(t, row.Message, "nil pointer")
	require.Contains(t, row.Message, "property_test.go:")
}

// rapid's T has methods that report errors. A property that uses them is broken, not passing.
func TestPropertyThatReportsErrors(t *testing.T) {
	for name, report := range map[string]func(*T){
		"Errorf": func(t *T) { t.Errorf("wrong") },
		"Fatalf": func(t *T) { t.Fatalf("wrong") },
		"Fail":   func(t *T) { t.Fail() },
	} {
		row, _ := verify(t, claim(name, property(name, func(t *T, n int) Ratio { report(t); return Ratio{} })))
		require.Equal(t, results.Error, row.Verdict, name)
	}
}

func TestRejectedDrawsAreRepeated(t *testing.T) {
	var odd, even atomic.Int64
	row, _ := verify(t, claim("rejects", property("even", func(t *T, n int) Ratio {
		if n%2 == 1 {
			odd.Add(1)
			t.Skip("odd")
		}
		even.Add(1)
		return Ratio{}
	})))
	requirePassed(t, row)
	require.Equal(t, results.Count{Planned: 40, Run: 40}, row.Cases)
	require.Equal(t, int64(40), even.Load())
	require.Positive(t, odd.Load())

	never := Property{Name: "never", Cases: Scale{1, 1, 1}, Prop: func(t *T) Ratio { t.Skip("never"); return Ratio{} }}
	row, _ = verify(t, claim("rejects all", never))
	require.Equal(t, results.Error, row.Verdict, "a property that rejects every draw has checked nothing")
}

func TestCounterexampleIsShrunk(t *testing.T) {
	for _, name := range []string{"a", "b", "c", "d", "e"} { // another name has other streams
		row, _ := verify(t, claim(name, below(7)))
		require.Equal(t, results.Refuted, row.Verdict)
		require.Equal(t, "n = 7\n", row.Counterexample)
	}
}

// Shrinking must not slip from a refuted instance to one that breaks, is undecided or is rejected.
func TestShrinkingKeepsToTheFailure(t *testing.T) {
	var cases atomic.Int64
	row, _ := verify(t, claim("slips", property("slips", func(t *T, n int) Ratio {
		shrinking := cases.Load() >= 40
		switch {
		case shrinking && n < 3:
			panic("too small")
		case shrinking && n%2 == 1:
			t.Skip("odd")
		}
		cases.Add(1)
		if n < 7 {
			return Ratio{Value: 2, Lower: 0}
		}
		return inf
	})))
	require.Equal(t, results.Refuted, row.Verdict, row.Message)
	require.Equal(t, "n = 8\n", row.Counterexample)
}

func TestCounterexampleShowsMatricesAndIsDeterministic(t *testing.T) {
	s := commuting(40)
	check := s.Checks[0].(typedInstances[pair])
	draw := check.Draw
	check.Draw = func(t *T, _ string) pair { return draw(t, "any two") }
	check.Controls = nil
	s.Checks[0] = check
	first, _ := verify(t, s.Claim())
	require.Equal(t, results.Refuted, first.Verdict)
	require.True(t, strings.HasPrefix(first.Counterexample, "A (2×2) =\n"), first.Counterexample)
	second, _ := verify(t, s.Claim())
	require.Equal(t, first.Counterexample, second.Counterexample)
}

// Bulk numbers depend on the drawn seed and the label, and replay with the draws.
func TestStreamsOfAProperty(t *testing.T) {
	row, _ := verify(t, claim("streams", Property{Name: "p", Cases: Scale{10, 10, 10}, Prop: func(t *T) Ratio {
		n := rapid.IntRange(1, 3).Draw(t.T, "n")
		a, b := t.Stream("a"), t.Stream("b")
		return Condition(n > 0 && a.Uint64() != b.Uint64())
	}}))
	requirePassed(t, row)
}

// The case that is shown is the worst one, and among equals the first.
func TestWorstCaseIsShown(t *testing.T) {
	half, two, broken := Ratio{Value: 0.5, Lower: 0.5}, Ratio{Value: 2, Lower: 2}, Ratio{Value: math.NaN(),
		Lower: math.NaN()}
	for _, c := range []struct {
		ratios []Ratio
		at     int
	}{
		{[]Ratio{half, {}, half}, -1},
		{[]Ratio{half, {}, two, half, two}, 2},
		{[]Ratio{two, half, inf, two}, 2},
		{[]Ratio{half, broken, half}, 1},
		{[]Ratio{half, two, {Value: -1, Lower: -1}}, 2},
	} {
		found := &tally{}
		for i, ratio := range c.ratios {
			r := &Record{}
			r.add(Criterion{Name: "c", Form: results.Equation}, ratio, nil)
			found.add(i, r, func() string { return "case " + strconv.Itoa(i) })
		}
		if c.at < 0 {
			require.Nil(t, found.Failing)
			continue
		}
		require.Equal(t, c.at, found.Failing.Case, "%v", c.ratios)
		require.Equal(t, "case "+strconv.Itoa(c.at), found.Failing.Shown)
		require.Contains(t, []results.Verdict{results.Refuted, results.Error}, found.ratio().Verdict())
	}
}

func TestHistogram(t *testing.T) {
	f, drawn := ratioHistogram("a b", []float64{0, 0.02, 0.5, 1, 2, math.Inf(1), math.NaN(), -1})
	require.True(t, drawn)
	require.Equal(t, "ratios-a-b", f.ID)
	edges, counts := f.Curves[0].X, f.Curves[0].Y
	require.Len(t, edges, len(counts)+1, "left edges, and one more for the right end")
	require.InDelta(t, 0.01, edges[0], 1e-9)
	require.InDelta(t, 10, edges[len(edges)-1], 1e-9)
	total := 0.0
	for _, count := range counts {
		total += count
	}
	require.Equal(t, 4.0, total)
	require.Contains(t, f.Caption, "the largest is 2,")
	require.Contains(t, f.Caption, "With no discrepancy at all, and not drawn: 1.")
	require.Contains(t, f.Caption, "Infinite, beyond the right edge: 3.")
	_, drawn = ratioHistogram("exact", []float64{0, 0})
	require.False(t, drawn, "a check without any discrepancy has no picture")
}
