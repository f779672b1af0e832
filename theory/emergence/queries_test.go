package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// Exact and rounded correlations of the vote; times √C they are 0.54 to 0.64.
func TestVoteByHand(t *testing.T) {
	for _, c := range []struct {
		d, k int
		want string
	}{{5, 3, "1/4"}, {7, 3, "1/8"}, {9, 3, "9/128"}, {9, 5, "1/16"}, {10, 3, "15/256"}} {
		require.Equal(t, c.want, emergence.VoteCorrelation(c.d, c.k).RatString())
	}
	for _, c := range []struct {
		d, k int
		want float64
	}{{20, 3, 0.0183525}, {16, 5, 0.00875854}, {100, 3, 0.00153736}, {100, 5, 6.25274e-5}} {
		got, _ := emergence.VoteCorrelation(c.d, c.k).Float64()
		within(t, "correlation", got, c.want, 1e-5*c.want)
		scaled := got * math.Sqrt(emergence.Binomial(c.d, c.k))
		require.Greater(t, scaled, 0.54)
		require.Less(t, scaled, 0.65)
	}
	got, err := emergence.ParityVote.Evaluate(nil)
	require.NoError(t, err)
	require.Equal(t, 0.470703125, got[1].Value)
	within(t, "printed", got[2].Value, 0.4999994, 5e-8)
	require.Nil(t, emergence.VoteCorrelation(3, 4))
	require.Nil(t, emergence.VoteCorrelation(3, 0))
}

// τ = 0.05: at most 100 sets; D = 100, k = 5: C^(1/3)/2 = 211. At τ = 2C^(−1/3) and ε = C^(−1/3): 16C^(1/3) − 4.
func TestQueriesByHand(t *testing.T) {
	within(t, "eliminated", emergence.Eliminated(0.05), 100, 1e-12)
	third := math.Cbrt(emergence.Binomial(100, 5))
	within(t, "corollary", third/2, 211, 0.5)
	within(t, "queries", emergence.QueriesNeeded(100, 5, 2/third, 1/third), 16*third-4, 1e-9)
	require.Zero(t, emergence.QueriesNeeded(3, 3, 0.1, 0.1))
	require.True(t, math.IsNaN(emergence.QueriesNeeded(3, 3, 0, 0.1)))
	require.True(t, math.IsNaN(emergence.QueriesNeeded(3, 3, 0.1, 0.5)))
}
