//go:build system

package catalog_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/results"
)

// Of each source, the first claim and every sixteenth after it are run again with one worker. whole lists the claims
// that are run twice with everything that a run has besides its rows.
const every = 16

var whole = []string{"vcl/residual", "emergence/halfidentity"}

// Results are the same bytes for any number of workers and whatever other claims run with them. The log says how much
// of the catalogue is compared. The evidence of all claims keeps to the budget of false alarms, and its figures can be
// told apart.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	all := catalog.All()
	first, repeated := withSeven(t, all)
	for _, complaint := range slices.Concat(overspent(first), confused(first)) {
		t.Error(complaint)
	}
	require.Len(t, first.Claims, len(all))
	sameWithOneWorker(t, first, repeated)

	inFull := slices.DeleteFunc(slices.Clone(all), func(c props.Claim) bool {
		return !slices.Contains(whole, c.Statement.Slug)
	})
	require.Len(t, inFull, len(whole))
	sameWithOneWorker(t, run(t, inFull, 7, 1), inFull)
	t.Logf("compared at 1 and 7 workers: %d of %d claims, and all that a run says of %d of them", len(repeated), len(all),
		len(inFull))
}

// withSeven returns the results of seven workers for all claims, and the claims to repeat: with their controls where
// .ci/run has made such a run, at a seed of its own, and names it in THM_RESULTS; otherwise without, which takes a
// fraction of the time.
func withSeven(t *testing.T, all []props.Claim) (*results.Results, []props.Claim) {
	t.Helper()
	file := os.Getenv("THM_RESULTS")
	if file == "" {
		evidence := slices.Clone(all)
		for i := range evidence {
			evidence[i] = evidence[i].WithoutControls()
		}
		return run(t, evidence, 7, 1), sample(evidence)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var made results.Results
	require.NoError(t, json.Unmarshal(text, &made))
	require.Equal(t, props.Quick, made.Run.Effort)
	require.Equal(t, 7, made.Run.Jobs)
	portable := blas64.Implementation()
	blas.Use() // as the command does
	t.Cleanup(func() { blas64.Use(portable) })
	return &made, sample(all)
}

// sample takes the first claim of each source and every sixteenth after it.
func sample(claims []props.Claim) (out []props.Claim) {
	seen := map[string]int{}
	for _, c := range claims {
		source, _, _ := strings.Cut(c.Statement.Slug, "/")
		if seen[source]%every == 0 {
			out = append(out, c)
		}
		seen[source]++
	}
	return out
}

// sameWithOneWorker runs claims with one worker and compares their rows with those of a run with seven.
func sameWithOneWorker(t *testing.T, seven *results.Results, claims []props.Claim) {
	t.Helper()
	one := run(t, claims, 1, seven.Run.Seed)
	seven.Tool.Version = one.Tool.Version // of the command's file, and of this test's
	for _, what := range differing(t, seven, one) {
		t.Errorf("%s differs between 1 and 7 workers", what)
	}
}

func run(t *testing.T, claims []props.Claim, jobs int, seed uint64) *results.Results {
	return props.Run(t.Context(), claims, props.Options{Effort: props.Quick, Seed: seed, Jobs: jobs})
}

// differing lists the rows of b that are not the same bytes in a, and what else differs.
func differing(t *testing.T, a, b *results.Results) []string {
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
	spec.Checks = []props.Check{props.Grid[int, int, struct{}]{
		Name:    "counts its calls",
		Cells:   func(props.Effort) []int { return []int{0} },
		Measure: func(*props.Trial, int) int { count++; return count },
		Judge:   func(r *props.Record, _ int, calls int, _ struct{}) { r.Within("calls", float64(calls), 1, 10) },
	}}
	claim := spec.Claim()
	claims := []props.Claim{claim}
	require.Equal(t, []string{"some/claim"}, differing(t, run(t, claims, 1, 1), run(t, claims, 2, 1)))
	r := run(t, claims, 1, 1)
	other := *r
	other.Run.Seed++
	require.Equal(t, []string{"the rest"}, differing(t, r, &other))
	other.Tool.Kernel = "another"
	require.Equal(t, []string{"tool or calibration"}, differing(t, r, &other))
}
