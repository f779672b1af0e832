package props

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// verify runs one claim at quick effort.
func verify(t *testing.T, c Claim) (ClaimResult, *Results) {
	t.Helper()
	results := Run(t.Context(), []Claim{c}, Options{Effort: Quick, Seed: 1, Jobs: 2})
	require.Len(t, results.Claims, 1)
	return results.Claims[0], results
}

// requirePassed requires that the checks of a claim hold; of its controls it says nothing.
func requirePassed(t *testing.T, row ClaimResult) {
	t.Helper()
	require.Contains(t, []Verdict{Holds, Unproven}, row.Verdict, row.Message)
}

func TestVerdictsOfClaims(t *testing.T) {
	want := map[string]struct {
		verdict Verdict
		exit    int
		cases   Count
	}{
		"spec":        {Holds, 0, Count{120, 120}},
		"statistical": {Holds, 0, Count{4, 4}},
		"true":        {Unproven, 3, Count{40, 40}},
		"false":       {Refuted, 1, Count{40, 40}},
		"nan":         {Error, 3, Count{40, 40}},
		"undecided":   {Undecided, 3, Count{4, 4}},
		"empty":       {Error, 3, Count{}},
		"none":        {Error, 3, Count{}},
		"two":         {Refuted, 1, Count{80, 80}},
	}
	for _, c := range zoo() {
		name := c.Statement.Title
		row, results := verify(t, c)
		if name == "panics" {
			continue // see TestPanickingProperty
		}
		require.Contains(t, want, name)
		require.Equal(t, want[name].verdict, row.Verdict, name)
		require.Equal(t, want[name].exit, results.ExitCode(), name)
		require.Equal(t, want[name].cases, row.Cases, name)
		require.Equal(t, map[Verdict]int{Holds: 0, Refuted: 0, Undecided: 0, Unproven: 0,
			Incomplete: 0, Error: 0, row.Verdict: 1},
			withZeros(results.Summary.Verdicts), name)
		if row.Verdict == Error && name != "nan" {
			require.NotEmpty(t, row.Message, name)
			require.NotEqual(t, Number(0), row.WorstRatio, "%s: nothing was judged, yet the ratio is perfect", name)
		}
	}
	require.Equal(t, 3, Run(t.Context(), nil, Options{Effort: Quick, Seed: 1}).ExitCode(), "no claim at all")
}

func withZeros(counts map[Verdict]int) map[Verdict]int {
	out := map[Verdict]int{}
	for _, v := range Verdicts {
		out[v] = counts[v]
	}
	return out
}

// The worst of several claims decides, and a refuted one outweighs one in error.
func TestExitCodeOfManyClaims(t *testing.T) {
	row := func(v Verdict) ClaimResult { return ClaimResult{Verdict: v} }
	for _, c := range []struct {
		verdicts []Verdict
		want     int
	}{
		{[]Verdict{Holds, Holds}, 0},
		{[]Verdict{Holds, Undecided}, 3},
		{[]Verdict{Incomplete, Holds}, 3},
		{[]Verdict{Error, Holds}, 3},
		{[]Verdict{Error, Refuted, Holds}, 1},
		{[]Verdict{Refuted, Error}, 1},
	} {
		r := &Results{}
		for _, v := range c.verdicts {
			r.Claims = append(r.Claims, row(v))
		}
		require.Equal(t, c.want, r.ExitCode(), "%v", c.verdicts)
	}
}

func TestControls(t *testing.T) {
	for name, c := range map[string]struct {
		control  Control
		rejected bool
		exit     int
	}{
		"rejected": {Control{claimed: "smaller"}, true, 0},
		"accepted": {Control{claimed: "misspelt"}, false, 1},
		"broken":   {Control{done: "broken"}, false, 3},
	} {
		for _, erratum := range []string{"", "printed"} {
			control := c.control
			control.Name, control.Assumption, control.Erratum = name, "a", erratum
			row, results := verify(t, limited(name, control))
			requirePassed(t, row)
			require.Equal(t, c.rejected, row.Controls[0].Rejected, name)
			require.Equal(t, c.exit, results.ExitCode(), name)
			require.Equal(t, Count{1, count(c.rejected)}, results.Summary.Controls, name)
			require.Equal(t, c.exit == 3, row.Controls[0].Message != "", name)
			require.Equal(t, "a", row.Controls[0].Assumption)
			require.Equal(t, !c.rejected, len(row.complaints()) > 0, "%s: %v", name, row.complaints())
			if erratum == "" {
				require.Empty(t, row.Errata)
				continue
			}
			require.Equal(t, c.rejected, row.Errata[0].Refuted, name)
			require.Equal(t, Count{1, count(c.rejected)}, results.Summary.Errata, name)
			require.Equal(t, "as printed", row.Errata[0].Printed)
			require.Equal(t, "n = 1", row.Errata[0].Counterexample)
		}
	}
}

// A control is rejected by a ratio beyond 1 on every replicate, and by nothing less.
func TestRejectedOnEveryReplicate(t *testing.T) {
	for _, c := range []struct {
		fraction, ratio Number
		rejected        bool
	}{{1, 1.01, true}, {1, 1, false}, {0.99, 2, false}} {
		row := ClaimResult{Controls: []ControlResult{{Fraction: c.fraction, Ratio: c.ratio}}}
		row.conclude()
		require.Equal(t, c.rejected, row.Controls[0].Rejected, "%v", c)
	}
}

// Beyond quick effort a criterion that is coarser than its target says why.
func TestCoarseWithoutAReason(t *testing.T) {
	for _, c := range []struct {
		criterion  CriterionResult
		complaints int
	}{
		{CriterionResult{Form: Equation, Resolution: 2e-6}, 1},
		{CriterionResult{Form: Equation, Resolution: 5e-7}, 0},
		{CriterionResult{Form: Equation, Resolution: 2e-6, Coarse: "it is"}, 0},
		{CriterionResult{Form: Equation, Unit: Exponent, Resolution: 0.06}, 1},
		{CriterionResult{Form: Estimate, Resolution: 0.06}, 1},
		{CriterionResult{Form: Estimate, Resolution: 0.04}, 0},
		{CriterionResult{Form: Bound, Resolution: 10}, 0},
	} {
		c.criterion.Near = 4
		row := ClaimResult{Criteria: []CriterionResult{c.criterion}}
		require.Len(t, row.unresolved(Standard), c.complaints, "%+v", c.criterion)
		require.Empty(t, row.unresolved(Quick))
	}
}

// A control that another seed may accept is a complaint: by an interval, or by cases of which few see it.
func TestLuckyControls(t *testing.T) {
	c := Claim{checks: []checker{{name: "c", shrink: func(*Trial, variant) (any, string) { return nil, "" }}}}
	for _, x := range []struct {
		control ControlResult
		lucky   int
	}{
		{ControlResult{Seen: 3, Cases: 100, Chance: 2e-3}, 1},
		{ControlResult{Seen: 9, Cases: 100, Chance: 5e-4}, 0},
		{ControlResult{Seen: 9, Cases: 9, Chance: 2e-3}, 0}, // all see it
		{ControlResult{Reserve: 0.5, Chance: 2e-6}, 1},
		{ControlResult{Reserve: 1, Chance: 5e-7}, 0},
	} {
		x.control.Rejected, x.control.Check = true, "c"
		require.Len(t, c.lucky(&ClaimResult{Controls: []ControlResult{x.control}}), x.lucky, "%+v", x.control)
	}
}

// A control whose interval straddles the end of the margin is not rejected.
func TestUndecidedControlIsAccepted(t *testing.T) {
	row, results := verify(t, claim("undecided control", mean(1.5, Control{Name: "uncertain", claimed: "uncertain"})))
	requirePassed(t, row)
	require.False(t, row.Controls[0].Rejected)
	require.Equal(t, 1, results.ExitCode())
}

// The replicates of a control have streams of their own.
func TestReplicatesDiffer(t *testing.T) {
	seen := map[float64]bool{}
	verify(t, claim("s", sweep[int, float64]{
		Name: "draws", Cells: func(Effort) []int { return []int{0} },
		Measure: func(t *Trial, _ int, _ string) float64 { return t.Rand.Float64() },
		Judge: func(r *Record, _ int, x float64, claimed string) {
			if claimed == "wrong" {
				seen[x] = true
			}
			r.Holds("p", claimed == "")
		},
		Controls: []Control{{Name: "wrong", claimed: "wrong"}},
	}))
	require.Len(t, seen, replicates.Quick)
}

func TestPanicInPlanOrJudge(t *testing.T) {
	sweep := sweep[int, int]{
		Name: "s", Cells: func(Effort) []int { return []int{1} }, Measure: func(*Trial, int, string) int { return 1 },
		Judge: func(*Record, int, int, string) { panic("cannot judge") },
	}
	row, results := verify(t, claim("judge", sweep))
	require.Equal(t, Error, row.Verdict)
	require.Contains(t, row.Message, "cannot judge")
	require.Contains(t, row.Message, "engine_test.go:")
	require.Equal(t, 3, results.ExitCode())

	sweep.Cells = func(Effort) []int { panic("cannot plan") }
	good := claim("good", below(1001))
	results = Run(t.Context(), []Claim{claim("plan", sweep), good}, Options{Effort: Quick, Seed: 1})
	require.Equal(t, Error, results.Claims[0].Verdict)
	require.Contains(t, results.Claims[0].Message, "cannot plan")
	requirePassed(t, results.Claims[1])
}
