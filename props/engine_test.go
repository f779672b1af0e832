package props

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// verify runs one claim at quick effort.
func verify(t *testing.T, c Claim) (results.Claim, *results.Results) {
	t.Helper()
	found := Run(t.Context(), []Claim{c}, Options{Effort: Quick, Seed: 1, Jobs: 2})
	require.Len(t, found.Claims, 1)
	return found.Claims[0], found
}

// requirePassed requires that the checks of a claim hold; of its controls it says nothing.
func requirePassed(t *testing.T, row results.Claim) {
	t.Helper()
	require.Contains(t, []results.Verdict{results.Holds, results.Unproven}, row.Verdict, row.Message)
}

func TestVerdictsOfClaims(t *testing.T) {
	want := map[string]struct {
		verdict results.Verdict
		exit    int
		cases   results.Count
	}{
		"spec":        {results.Holds, 0, results.Count{Planned: 120, Run: 120}},
		"statistical": {results.Holds, 0, results.Count{Planned: 4, Run: 4}},
		"true":        {results.Unproven, 3, results.Count{Planned: 40, Run: 40}},
		"false":       {results.Refuted, 1, results.Count{Planned: 40, Run: 40}},
		"nan":         {results.Error, 3, results.Count{Planned: 40, Run: 40}},
		"undecided":   {results.Undecided, 3, results.Count{Planned: 4, Run: 4}},
		"empty":       {results.Error, 3, results.Count{}},
		"none":        {results.Error, 3, results.Count{}},
		"two":         {results.Refuted, 1, results.Count{Planned: 80, Run: 80}},
	}
	for _, c := range zoo() {
		name := c.Statement.Title
		row, found := verify(t, c)
		if name == "panics" {
			continue // see TestPanickingProperty
		}
		require.Contains(t, want, name)
		require.Equal(t, want[name].verdict, row.Verdict, name)
		require.Equal(t, want[name].exit, found.ExitCode(), name)
		require.Equal(t, want[name].cases, row.Cases, name)
		require.Equal(t, map[results.Verdict]int{results.Holds: 0, results.Refuted: 0, results.Undecided: 0,
			results.Unproven:   0,
			results.Incomplete: 0, results.Error: 0, row.Verdict: 1},
			withZeros(found.Summary.Verdicts), name)
		if row.Verdict == results.Error && name != "nan" {
			require.NotEmpty(t, row.Message, name)
			require.NotEqual(t, results.Number(0), row.WorstRatio, "%s: nothing was judged, yet the ratio is perfect", name)
		}
	}
	require.Equal(t, 3, Run(t.Context(), nil, Options{Effort: Quick, Seed: 1}).ExitCode(), "no claim at all")
}

func withZeros(counts map[results.Verdict]int) map[results.Verdict]int {
	out := map[results.Verdict]int{}
	for _, v := range results.Verdicts {
		out[v] = counts[v]
	}
	return out
}

// The worst of several claims decides, and a refuted one outweighs one in error.
func TestExitCodeOfManyClaims(t *testing.T) {
	row := func(v results.Verdict) results.Claim { return results.Claim{Verdict: v} }
	for _, c := range []struct {
		verdicts []results.Verdict
		want     int
	}{
		{[]results.Verdict{results.Holds, results.Holds}, 0},
		{[]results.Verdict{results.Holds, results.Undecided}, 3},
		{[]results.Verdict{results.Incomplete, results.Holds}, 3},
		{[]results.Verdict{results.Error, results.Holds}, 3},
		{[]results.Verdict{results.Error, results.Refuted, results.Holds}, 1},
		{[]results.Verdict{results.Refuted, results.Error}, 1},
	} {
		r := &results.Results{}
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
			row, found := verify(t, limited(name, control))
			requirePassed(t, row)
			require.Equal(t, c.rejected, row.Controls[0].Rejected, name)
			require.Equal(t, c.exit, found.ExitCode(), name)
			require.Equal(t, results.Count{Planned: 1, Run: count(c.rejected)}, found.Summary.Controls, name)
			require.Equal(t, c.exit == 3, row.Controls[0].Message != "", name)
			require.Equal(t, "a", row.Controls[0].Assumption)
			require.Equal(t, !c.rejected, len(complaints(&row)) > 0, "%s: %v", name, complaints(&row))
			if erratum == "" {
				require.Empty(t, row.Errata)
				continue
			}
			require.Equal(t, c.rejected, row.Errata[0].Refuted, name)
			require.Equal(t, results.Count{Planned: 1, Run: count(c.rejected)}, found.Summary.Errata, name)
			require.Equal(t, "as printed", row.Errata[0].Printed)
			require.Equal(t, "n = 1", row.Errata[0].Counterexample)
		}
	}
}

// A control is rejected by a ratio beyond 1 on every replicate, and by nothing less.
func TestRejectedOnEveryReplicate(t *testing.T) {
	for _, c := range []struct {
		fraction, ratio results.Number
		rejected        bool
	}{{1, 1.01, true}, {1, 1, false}, {0.99, 2, false}} {
		row := results.Claim{Controls: []results.Control{{Fraction: c.fraction, Ratio: c.ratio}}}
		row.Conclude()
		require.Equal(t, c.rejected, row.Controls[0].Rejected, "%v", c)
	}
}

// Beyond quick effort a criterion that is coarser than its target says why.
func TestCoarseWithoutAReason(t *testing.T) {
	for _, c := range []struct {
		criterion  results.Criterion
		complaints int
	}{
		{results.Criterion{Form: results.Equation, Resolution: 2e-6}, 1},
		{results.Criterion{Form: results.Equation, Resolution: 5e-7}, 0},
		{results.Criterion{Form: results.Equation, Resolution: 2e-6, Coarse: "it is"}, 0},
		{results.Criterion{Form: results.Equation, Unit: results.Exponent, Resolution: 0.06}, 1},
		{results.Criterion{Form: results.Estimate, Resolution: 0.06}, 1},
		{results.Criterion{Form: results.Estimate, Resolution: 0.04}, 0},
		{results.Criterion{Form: results.Estimate, Unit: results.Share, Resolution: 0.51}, 1},
		{results.Criterion{Form: results.Estimate, Unit: results.Share, Resolution: 0.49}, 0},
		{results.Criterion{Form: results.Estimate, Unit: results.Whole, Resolution: 1}, 1},
		{results.Criterion{Form: results.Estimate, Unit: results.Whole, Resolution: 0.5}, 0},
		{results.Criterion{Form: results.Bound, Resolution: 10}, 0},
	} {
		c.criterion.Near = 4
		row := results.Claim{Criteria: []results.Criterion{c.criterion}}
		require.Len(t, unresolved(&row, Standard), c.complaints, "%+v", c.criterion)
		require.Empty(t, unresolved(&row, Quick))
	}
}

// A control that another seed may accept is a complaint: by an interval, or by cases of which few see it.
func TestLuckyControls(t *testing.T) {
	c := Claim{checks: []checker{{name: "c", shrink: func(*Trial, variant) (any, string) { return nil, "" }}}}
	for _, x := range []struct {
		control results.Control
		lucky   int
	}{
		{results.Control{Seen: 3, Cases: 100, Chance: 2e-3}, 1},
		{results.Control{Seen: 9, Cases: 100, Chance: 5e-4}, 0},
		{results.Control{Seen: 9, Cases: 9, Chance: 2e-3}, 0}, // all see it
		{results.Control{Reserve: 0.5, Chance: 2e-6}, 1},
		{results.Control{Reserve: 1, Chance: 5e-7}, 0},
	} {
		x.control.Rejected, x.control.Check = true, "c"
		require.Len(t, c.lucky(&results.Claim{Controls: []results.Control{x.control}}), x.lucky, "%+v", x.control)
	}
}

// A check that plans fewer cases at deep effort than at standard effort is a complaint.
func TestDwindlingChecks(t *testing.T) {
	plans := func(sizes Sizes) checker {
		return checker{name: "c", plan: func(e Effort) []cell { return make([]cell, len(sizes.At(e))) }}
	}
	enough := plans(Sizes{Quick: []int{1, 2}, Standard: []int{1}, Deep: []int{1, 2}})
	few := plans(Sizes{Quick: []int{1}, Standard: []int{1, 2}, Deep: []int{1}})
	require.Empty(t, Claim{checks: []checker{enough}}.dwindling())
	require.Len(t, Claim{checks: []checker{enough, few}}.dwindling(), 1)
	require.PanicsWithValue(t, "props: Sizes has none at deep effort",
		func() { Sizes{Quick: []int{1}, Standard: []int{1}}.At(Deep) })
}

// A control whose interval straddles the end of the margin is not rejected.
func TestUndecidedControlIsAccepted(t *testing.T) {
	row, found := verify(t, claim("undecided control", mean(1.5, Control{Name: "uncertain", claimed: "uncertain"})))
	requirePassed(t, row)
	require.False(t, row.Controls[0].Rejected)
	require.Equal(t, 1, found.ExitCode())
}

// The replicates of a control have streams of their own.
func TestReplicatesDiffer(t *testing.T) {
	seen := map[float64]bool{}
	verify(t, claim("s", typedSweep[int, float64]{
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
	sweep := typedSweep[int, int]{
		Name: "s", Cells: func(Effort) []int { return []int{1} }, Measure: func(*Trial, int, string) int { return 1 },
		Judge: func(*Record, int, int, string) { panic("cannot judge") },
	}
	row, found := verify(t, claim("judge", sweep))
	require.Equal(t, results.Error, row.Verdict)
	require.Contains(t, row.Message, "cannot judge")
	require.Contains(t, row.Message, "engine_test.go:")
	require.Equal(t, 3, found.ExitCode())

	sweep.Cells = func(Effort) []int { panic("cannot plan") }
	good := claim("good", below(1001))
	found = Run(t.Context(), []Claim{claim("plan", sweep), good}, Options{Effort: Quick, Seed: 1})
	require.Equal(t, results.Error, found.Claims[0].Verdict)
	require.Contains(t, found.Claims[0].Message, "cannot plan")
	requirePassed(t, found.Claims[1])
}
