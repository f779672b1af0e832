package peers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The quotient is taken within a round, and its median over the rounds.
func TestBesideComparesWithinRounds(t *testing.T) {
	b := Beside{Ours: []float64{1, 10, 3}, Peers: []float64{4, 20, 2}}
	require.Equal(t, 0.5, b.Share())
	require.Equal(t, 2.0, b.Speedup())
}
