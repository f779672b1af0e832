package props

import (
	"sync"
	"sync/atomic"
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

func TestVerdictsOfClaims(t *testing.T) {
	want := map[string]struct {
		verdict Verdict
		exit    int
		cases   Count
	}{
		"commutes":    {Holds, 0, Count{30, 30}},
		"statistical": {Holds, 0, Count{4, 4}},
		"true":        {Holds, 0, Count{40, 40}},
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
		require.Equal(t, map[Verdict]int{Holds: 0, Refuted: 0, Undecided: 0, Incomplete: 0, Error: 0, row.Verdict: 1},
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
	panics := property("panics", func(*T, int) Ratio { panic("no") })
	for name, c := range map[string]struct {
		check    LegacyCheck
		rejected bool
		exit     int
	}{
		"rejected":  {below(7), true, 0},
		"accepted":  {below(1001), false, 1},
		"undecided": {mean(0, 0.1), false, 1},
		"broken":    {panics, false, 3},
	} {
		row, results := verify(t, Claim{
			Statement: statement(name), Verify: []LegacyCheck{below(1001)},
			Controls: []LegacyControl{{Name: name, Assumption: "a", Check: c.check}},
		})
		require.Equal(t, Holds, row.Verdict, name)
		require.Equal(t, c.rejected, row.Controls[0].Rejected, name)
		require.Equal(t, c.exit, results.ExitCode(), name)
		require.Equal(t, Count{1, count(c.rejected)}, results.Summary.Controls, name)
		require.Equal(t, c.exit == 3, row.Controls[0].Message != "", name)
		require.Equal(t, "a", row.Controls[0].Assumption)
		require.Equal(t, !c.rejected, len(row.complaints()) > 0, "%s: %v", name, row.complaints())
	}
}

// The replicates of a control have streams of their own.
func TestReplicatesDiffer(t *testing.T) {
	seen := map[float64]bool{}
	draws := LegacySweep[int, float64]{
		Name: "draws", Cells: func(Effort) []int { return []int{0} },
		Measure: func(t *Trial, _ int) float64 { return t.Rand.Float64() },
		Judge: func(_ []int, m []float64) Judgement {
			seen[m[0]] = true
			return Judgement{Parts: []Part{{Name: "p", Ratio: inf}}}
		},
	}.Check()
	verify(t, Claim{Statement: statement("s"), Verify: []LegacyCheck{below(1001)}, Controls: []LegacyControl{{Name: "draws", Check: draws}}})
	require.Len(t, seen, replicates.Quick)
}

// A control must be rejected on every replicate, not on most of them.
func TestControlThatIsRejectedSometimes(t *testing.T) {
	calls := atomic.Int64{}
	sometimes := LegacySweep[int, int64]{
		Name: "sometimes", Cells: func(Effort) []int { return []int{0} },
		Measure: func(*Trial, int) int64 { return calls.Add(1) },
		Judge: func(_ []int, m []int64) Judgement {
			return Judgement{Parts: []Part{{Name: "p", Ratio: Truth(m[0] == 2)}}} // accepted on the second replicate
		},
	}.Check()
	row, results := verify(t, Claim{
		Statement: statement("s"), Verify: []LegacyCheck{below(1001)}, Controls: []LegacyControl{{Name: "sometimes", Check: sometimes}},
	})
	require.Equal(t, int64(replicates.Quick), calls.Load())
	require.False(t, row.Controls[0].Rejected)
	require.InEpsilon(t, 2.0/3, float64(row.Controls[0].Fraction), 1e-12)
	require.Equal(t, Number(0), row.Controls[0].Ratio, "the smallest ratio of the replicates")
	require.Equal(t, 1, results.ExitCode())
}

func TestErrata(t *testing.T) {
	for name, c := range map[string]struct {
		check   LegacyCheck
		refuted bool
		exit    int
	}{
		"refuted":     {below(7), true, 0},
		"not refuted": {below(1001), false, 1},
		"undecided":   {mean(0, 0.1), false, 1},
		"broken":      {property("panics", func(*T, int) Ratio { panic("no") }), false, 3},
	} {
		row, results := verify(t, Claim{
			Statement: statement(name), Verify: []LegacyCheck{below(1001)}, Errata: []Refutation{{Erratum: "printed", Check: c.check}},
		})
		require.Equal(t, Holds, row.Verdict, name)
		require.Equal(t, c.refuted, row.Errata[0].Refuted, name)
		require.Equal(t, c.exit, results.ExitCode(), name)
		require.Equal(t, Count{1, count(c.refuted)}, results.Summary.Errata, name)
		require.Equal(t, "as printed", row.Errata[0].Printed)
		require.Equal(t, "n = 1", row.Errata[0].Counterexample)
		require.Equal(t, !c.refuted, len(row.complaints()) > 0, name)
	}
}

func TestSharedMeasurementsAreMadeOnce(t *testing.T) {
	var mu sync.Mutex
	var measured map[float64]int // how often the stream with this first number was used
	check := func(share string, claimed float64) LegacyCheck {
		return LegacySweep[int, float64]{
			Name: "value", Share: share,
			Cells: func(Effort) []int { return []int{1, 2, 3} },
			Measure: func(t *Trial, cell int) float64 {
				mu.Lock()
				defer mu.Unlock()
				x := t.Rand.Float64()
				measured[x]++
				return x
			},
			Judge: func(_ []int, m []float64) Judgement {
				return Judgement{Parts: []Part{{Name: "p", Ratio: Within(m[0]-claimed, 1)}}}
			},
		}.Check()
	}
	most := func(share string) (most int) {
		measured = map[float64]int{}
		row, _ := verify(t, Claim{
			Statement: statement("shared"),
			Verify:    []LegacyCheck{check(share, 0), check(share, 0.5)},
			Controls:  []LegacyControl{{Name: "c", Check: check(share, 5)}, {Name: "d", Check: check(share, -5)}},
			Errata:    []Refutation{{"printed", check(share, 7)}},
			Resolve:   []Resolution{{"value", Absolute, func(dose float64) LegacyCheck { return check(share, dose) }}},
		})
		require.Empty(t, row.complaints())
		require.GreaterOrEqual(t, len(measured), 3*replicates.Quick, "three cells on each replicate")
		for _, times := range measured {
			most = max(most, times)
		}
		return most
	}
	require.Equal(t, 1, most("value"))
	require.Greater(t, most(""), 10, "without sharing every check measures for itself")
}

// Two checks that share a measurement see the same numbers, whoever comes first, and other shares see others.
func TestSharedMeasurementsDoNotDependOnWhoAsks(t *testing.T) {
	seen := map[string]float64{}
	check := func(name, share string) LegacyCheck {
		return LegacySweep[int, float64]{
			Name: name, Share: share, Cells: func(Effort) []int { return []int{1} },
			Measure: func(t *Trial, _ int) float64 { return t.Rand.Float64() },
			Judge: func(_ []int, m []float64) Judgement {
				seen[name+share] = m[0]
				return Judgement{Parts: []Part{{Name: "p"}}}
			},
		}.Check()
	}
	verify(t, claim("order", check("a", "x"), check("b", "x"), check("c", "y")))
	first := seen["ax"]
	require.Equal(t, first, seen["bx"])
	require.NotEqual(t, first, seen["cy"])
	seen = map[string]float64{}
	verify(t, claim("order", check("b", "x"), check("a", "x")))
	require.Equal(t, first, seen["bx"])
}

func TestPanicInPlanOrJudge(t *testing.T) {
	sweep := LegacySweep[int, int]{
		Name: "s", Cells: func(Effort) []int { return []int{1} }, Measure: func(*Trial, int) int { return 1 },
		Judge: func([]int, []int) Judgement { panic("cannot judge") },
	}
	row, results := verify(t, claim("judge", sweep.Check()))
	require.Equal(t, Error, row.Verdict)
	require.Contains(t, row.Message, "cannot judge")
	require.Contains(t, row.Message, "engine_test.go:")
	require.Equal(t, 3, results.ExitCode())

	sweep.Cells = func(Effort) []int { panic("cannot plan") }
	good := claim("good", below(1001))
	results = Run(t.Context(), []Claim{claim("plan", sweep.Check()), good}, Options{Effort: Quick, Seed: 1})
	require.Equal(t, Error, results.Claims[0].Verdict)
	require.Contains(t, results.Claims[0].Message, "cannot plan")
	require.Equal(t, Holds, results.Claims[1].Verdict)
}
