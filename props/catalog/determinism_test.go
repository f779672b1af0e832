package catalog_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
)

// costly are the claims whose evidence is not made twice, because it takes longer than that of all others together.
// whole are claims that are run twice with their controls, which cost several times as much as the evidence.
var (
	costly = []string{"onestep/expansion"}
	whole  = []string{"vcl/residual", "emergence/halfidentity"}
)

// Results are the same bytes for any number of workers and whatever claims run beside them. The log says how much of
// the catalogue is compared. The evidence of all claims keeps to the budget of false alarms, and its figures can be
// told apart.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	all := catalog.All()
	evidence := slices.Clone(all)
	for i := range evidence {
		evidence[i] = evidence[i].WithoutControls()
	}
	first := run(t, evidence, 7)
	for _, complaint := range slices.Concat(catalog.Overspent(first), catalog.Confused(first)) {
		t.Error(complaint)
	}
	repeated := slices.DeleteFunc(evidence, func(c props.Claim) bool { return slices.Contains(costly, c.Statement.Slug) })
	sameWithOneWorker(t, first, repeated)

	inFull, err := catalog.Select(all, whole...)
	require.NoError(t, err)
	sameWithOneWorker(t, run(t, inFull, 7), inFull)
	t.Logf("compared at 1 and 7 workers: the evidence of %d of %d claims, and everything of %d of them",
		len(repeated), len(all), len(inFull))
}

// sameWithOneWorker runs claims with one worker and compares their rows with those of a run with seven.
func sameWithOneWorker(t *testing.T, seven *props.Results, claims []props.Claim) {
	t.Helper()
	for _, what := range differing(t, seven, run(t, claims, 1)) {
		t.Errorf("%s differs between 1 and 7 workers", what)
	}
}

func run(t *testing.T, claims []props.Claim, jobs int) *props.Results {
	return props.Run(t.Context(), claims, props.Options{Effort: props.Quick, Seed: 1, Jobs: jobs})
}

// differing lists the rows of b that are not the same bytes in a, and what else differs.
func differing(t *testing.T, a, b *props.Results) []string {
	t.Helper()
	a, b = a.WithoutTimes(), b.WithoutTimes()
	bytes := func(v any) string {
		encoded, err := json.Marshal(v)
		require.NoError(t, err)
		return string(encoded)
	}
	rows := map[string]string{}
	for _, row := range a.Claims {
		rows[row.ID] = bytes(row)
	}
	var out []string
	for _, row := range b.Claims {
		if bytes(row) != rows[row.ID] {
			out = append(out, row.ID)
		}
	}
	if bytes(a.Tool) != bytes(b.Tool) || bytes(a.Calibration) != bytes(b.Calibration) {
		out = append(out, "tool or calibration")
	}
	if len(a.Claims) == len(b.Claims) && len(out) == 0 && bytes(a) != bytes(b) {
		out = append(out, "the rest")
	}
	return out
}

func TestDeterminismCheckCanFail(t *testing.T) {
	spec := sound()
	count := 0
	spec.Checks = []props.Check{props.Sweep[int, int]{
		Name:    "counts its calls",
		Cells:   func(props.Effort) []int { return []int{0} },
		Measure: func(*props.Trial, int, string) int { count++; return count },
		Judge:   func(r *props.Record, _ int, calls int, _ string) { r.Within("calls", float64(calls), 1, 10) },
	}}
	claim := spec.Claim()
	claims := []props.Claim{claim}
	require.Equal(t, []string{"some/claim"}, differing(t, run(t, claims, 1), run(t, claims, 2)))
	r := run(t, claims, 1)
	other := *r
	other.Run.Seed++
	require.Equal(t, []string{"the rest"}, differing(t, r, &other))
	other.Tool.Kernel = "another"
	require.Equal(t, []string{"tool or calibration"}, differing(t, r, &other))
}
