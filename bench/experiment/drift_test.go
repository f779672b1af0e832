package experiment

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
)

// published is a quick result, in JSON.
var published = sync.OnceValues(func() ([]byte, error) {
	r, err := Run(context.Background(), Options{Names: []string{Covariance, NewtonSchulz}, Sets: []Set{SyntheticSet(1)},
		Effort: props.Quick, Seed: 1, Jobs: 2})
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
})

// twice returns it twice, once to tamper with.
func twice(t *testing.T) (before, r *Result) {
	b, err := published()
	require.NoError(t, err)
	before, r = &Result{}, &Result{}
	require.NoError(t, json.Unmarshal(b, before))
	require.NoError(t, json.Unmarshal(b, r))
	return before, r
}

func TestDrift(t *testing.T) {
	published, r := twice(t)
	require.Empty(t, r.Drift(published))
	require.Empty(t, r.Unsound())

	r.Findings[0].Verdict = props.Undecided
	r.Findings[1].Estimate = published.Findings[1].Hi + 1e-6
	require.Equal(t, []string{
		"diagonals on synthetic, two-layer: undecided, published as " + string(published.Findings[0].Verdict),
	}, r.Drift(published)[:1])
	require.Len(t, r.Drift(published), 2)

	r.Findings[1].Estimate = props.Number(math.NaN())
	require.Len(t, r.Drift(published), 2)
	require.Len(t, r.Unsound(), 1)

	_, r = twice(t)
	r.Findings = r.Findings[1:]
	require.Equal(t, []string{"diagonals on synthetic, two-layer: published, and not found now"}, r.Drift(published))
	require.Equal(t, []string{"diagonals on synthetic, two-layer: not among the published findings"},
		published.Drift(r))
	r.Run.Experiments = []string{NewtonSchulz} // a run of one experiment is compared with that one
	r.Findings = r.Findings[len(r.Findings)-1:]
	require.Empty(t, r.Drift(published))
}

// Accuracies may be off by half a point, correlations may not.
func TestDriftAllowsHalfAPoint(t *testing.T) {
	f := Finding{Claim: NoOverfit, Estimate: 0.02, Lo: 0.01, Hi: 0.03}
	require.True(t, f.near(0.03+0.9*Margin))
	require.False(t, f.near(0.03+1.1*Margin))
	require.False(t, f.near(math.NaN()))
	f.Claim = Increments
	require.False(t, f.near(0.03+1e-9))
	nan := props.Number(math.NaN())
	require.True(t, Finding{Claim: RobustSeeds, Lo: nan, Hi: nan}.near(0))
	require.False(t, Finding{Claim: RobustSeeds, Lo: nan, Hi: nan}.near(1))
	require.True(t, Finding{Claim: RobustSeeds, Estimate: nan, Lo: nan, Hi: nan}.near(math.NaN()))
}

func TestCovers(t *testing.T) {
	r, _ := twice(t)
	sets := []string{"synthetic"}
	require.NoError(t, r.Covers([]string{Covariance}, sets, props.Quick, 1))
	require.ErrorContains(t, r.Covers([]string{Training}, sets, props.Quick, 1), `no experiment "training"`)
	require.ErrorContains(t, r.Covers(nil, []string{"mnist"}, props.Quick, 1),
		`no data set "mnist", they have [synthetic]`)
	require.ErrorContains(t, r.Covers(nil, sets, props.Standard, 1), "effort quick, not standard")
	require.ErrorContains(t, r.Covers(nil, sets, props.Quick, 2), "seed 1, not 2")
	r.Run.Sizes.Hidden++
	require.ErrorContains(t, r.Covers(nil, sets, props.Quick, 1), "other sizes")
	r.Run.Sizes.Hidden--
	r.Run.Cells.Run--
	require.ErrorContains(t, r.Covers(nil, sets, props.Quick, 1), "incomplete")
}
