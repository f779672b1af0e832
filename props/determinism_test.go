package props

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// encode returns the part in which two runs must agree, as it is written to a file.
func encode(t *testing.T, r *results.Results) string {
	t.Helper()
	b, err := json.MarshalIndent(r.WithoutTimes(), "", " ")
	require.NoError(t, err)
	return string(b)
}

func TestResultsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	run := func(jobs int, seed uint64) string {
		return encode(t, Run(t.Context(), zoo(), Options{Effort: Quick, Seed: seed, Jobs: jobs, Uncalibrated: true}))
	}
	first := run(1, 11)
	for _, jobs := range []int{2, 7, 7, 0} {
		require.Equal(t, first, run(jobs, 11), "%d workers", jobs)
	}
	require.NotEqual(t, first, run(2, 12), "the seed has no influence: the comparison is void")
}

// A claim comes out the same alone and among others.
func TestResultsDoNotDependOnTheCompany(t *testing.T) {
	all := Run(t.Context(), zoo(), Options{Effort: Quick, Seed: 11, Jobs: 2, Uncalibrated: true}).WithoutTimes()
	for i, c := range zoo() {
		alone := Run(t.Context(), []Claim{c}, Options{Effort: Quick, Seed: 11, Jobs: 2, Uncalibrated: true}).WithoutTimes()
		a, err := json.Marshal(all.Claims[i])
		require.NoError(t, err)
		b, err := json.Marshal(alone.Claims[0])
		require.NoError(t, err)
		require.Equal(t, string(a), string(b))
	}
}

// WithoutTimes removes what is measured with a clock and leaves the original alone.
func TestWithoutTimes(t *testing.T) {
	r := Run(t.Context(), []Claim{commuting(40).Claim()}, Options{Effort: Quick, Seed: 11, Jobs: 2, Uncalibrated: true})
	require.Positive(t, r.Claims[0].Seconds)
	bare := r.WithoutTimes()
	require.Zero(t, bare.Claims[0].Seconds)
	require.Zero(t, bare.Run.WallSeconds)
	require.Zero(t, bare.Run.Jobs)
	require.True(t, bare.Run.Started.IsZero())
	require.Positive(t, r.Claims[0].Seconds)
	require.Equal(t, 2, r.Run.Jobs)
}
