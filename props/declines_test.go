package props

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// hundredths are claims about the numbers 0, 1, …, 99 over 100, of which those below a signal are declined.
func hundredths(share float64, signal func(x float64) float64, needed float64) Spec {
	return Spec{Statement: statement("hundredths"), Checks: []Check{typedSweep[int, float64]{
		Name: "numbers", Cells: Times(100).Indices, Regimes: []string{"all"},
		Measure: func(t *Trial, i int, done string) float64 {
			if done == "half" {
				return float64(i) / 200
			}
			return float64(i) / 100
		},
		Judge: func(r *Record, i int, x float64, _ string) {
			r.Regime("all")
			if !r.Declines("number", signal(float64(i)/100), needed) {
				r.Within("number", x, float64(i)/100, 1e-9)
			}
			r.Within("itself", x, x, 1)
		},
		Declined: map[string]float64{"number": share},
		Controls: []Control{{Name: "half", done: "half"}},
	}}}
}

func identity(x float64) float64 { return x }

func verified(t *testing.T, s Spec) results.Claim {
	t.Helper()
	return verifyClaims(context.Background(), []Claim{s.Claim()}, Options{Effort: Quick, Seed: 1, Jobs: 2})[0]
}

// TestDeclines: cases that cannot resolve a criterion are counted, up to what chance explains.
func TestDeclines(t *testing.T) {
	row := verified(t, hundredths(0.1, identity, 0.1))
	requirePassed(t, row)
	regime := row.Criteria[0].Regimes[0]
	require.Equal(t, 100, regime.Cases)
	require.Equal(t, 10, regime.Declined)
	require.Equal(t, stat.MostEvents(100, 0.1, stat.CriterionUndecided), regime.MayDecline)
	require.Zero(t, row.Criteria[1].Regimes[0].Declined, "another criterion")
	require.LessOrEqual(t, row.Criteria[0].Undecided, stat.CriterionUndecided)
	require.Positive(t, row.Criteria[0].Undecided)
	control := row.Controls[0]
	require.True(t, control.Rejected)
	require.Equal(t, 90*control.Replicates, control.Seen, "what is declined rejects nothing")
}

// TestTooManyDeclined: more declined cases than chance explains, or nothing else, decide nothing.
func TestTooManyDeclined(t *testing.T) {
	for name, s := range map[string]Spec{
		"half":       hundredths(0.1, identity, 0.5),
		"everything": hundredths(0.99, identity, 2),
	} {
		row := verified(t, s)
		require.Equal(t, results.Undecided, row.Verdict, name)
		found := &results.Results{Claims: []results.Claim{row}}
		found.Conclude()
		require.NotZero(t, found.ExitCode(), name)
		require.Equal(t, results.Undecided, found.Claims[0].Verdict, "%s, concluded again", name)
	}
}

// TestDeclinesPoison: a signal that is no number, and a decline that nothing announces, break the check.
func TestDeclinesPoison(t *testing.T) {
	nan := func(float64) float64 { return math.NaN() }
	require.Equal(t, results.Error, verified(t, hundredths(0.1, nan, 0.1)).Verdict)
	require.Equal(t, results.Error, verified(t, hundredths(0.1, identity, math.NaN())).Verdict)
	unannounced := hundredths(0.1, identity, 0.1)
	check := unannounced.Checks[0].(typedSweep[int, float64])
	check.Declined = nil
	unannounced.Checks[0] = check
	require.Equal(t, results.Error, verified(t, unannounced).Verdict)
	for _, share := range []float64{0, -1, 1, math.NaN()} {
		require.Panics(t, func() { hundredths(share, identity, 0.1).Claim() }, "a share of %v", share)
	}
}

// TestDeclinedOnce: of several comparisons in one case some may be declined; the others count.
func TestDeclinedOnce(t *testing.T) {
	r := &Record{declinable: map[string]float64{"number": 0.5}}
	require.True(t, r.Declines("number", 1, 2))
	r.Within("number", 1, 1.5, 1)
	require.False(t, r.Declines("number", 2, 2))
	tally := &tally{}
	tally.add(0, r, func() string { return "" })
	require.Len(t, tally.Rows, 1)
	require.Equal(t, 1, tally.Rows[0].Declined)
	require.Equal(t, results.Equation, tally.Rows[0].Criterion.Form)
	require.InDelta(t, 0.5, tally.Rows[0].Worst.Value, 0)
}
