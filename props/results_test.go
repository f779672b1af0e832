package props

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

func TestResultsRoundTrip(t *testing.T) {
	roundTrip(t, Run(t.Context(), zoo(), Options{Effort: Quick, Seed: 1}))
	lo, hi := results.Number(math.Inf(-1)), results.Number(math.NaN())
	roundTrip(t, &results.Results{Claims: []results.Claim{{
		WorstRatio: results.Number(math.NaN()), Resolution: results.Number(math.Inf(1)),
		Measurements: []results.Measurement{{Name: "f", Value: hi, Lo: &lo, Hi: &hi}},
		Figures:      []Figure{{Curves: []Curve{{X: []float64{math.Inf(-1), math.NaN(), 1}}}}},
	}}})
}

// The arrays of a results file are never null: readers in other languages need not care.
func TestResultsHaveNoNullArrays(t *testing.T) {
	for _, r := range []*results.Results{
		Run(t.Context(), []Claim{claim("none")}, Options{Effort: Quick, Seed: 1}),
		stopAfter(t, []Claim{commuting(40).Claim()}, 0, 1),
	} {
		var tree any
		b, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &tree))
		requireNoNull(t, tree, "results")
	}
}

func requireNoNull(t *testing.T, tree any, path string) {
	t.Helper()
	switch node := tree.(type) {
	case nil:
		t.Errorf("%s is null", path)
	case []any:
		for _, v := range node {
			requireNoNull(t, v, path+"[]")
		}
	case map[string]any:
		for key, v := range node {
			requireNoNull(t, v, path+"."+key)
		}
	}
}

func TestSummary(t *testing.T) {
	r := Run(t.Context(), zoo(), Options{Effort: Quick, Seed: 1})
	require.Equal(t, 10, len(r.Claims))
	require.Equal(t,
		map[results.Verdict]int{results.Holds: 2, results.Unproven: 1, results.Refuted: 2, results.Undecided: 1,
			results.Incomplete: 0, results.Error: 4}, r.Summary.Verdicts)
	require.Equal(t, results.Count{Planned: 4, Run: 4}, r.Summary.Controls)
	require.Equal(t, results.Count{Planned: 1, Run: 1}, r.Summary.Errata)
	before := r.Summary
	r.Summarise()
	require.Equal(t, before, r.Summary, "counting again changes nothing")
	require.Equal(t, 2e-8, r.Run.FalseAlarm, "two statistical parts")
}
