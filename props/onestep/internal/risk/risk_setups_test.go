package risk

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// No check would notice a larger penalty in the regime of a small one: what is measured and what is claimed change
// together.
func TestSmallestPenaltyIsTheStatements(t *testing.T) {
	smallest := math.Inf(1)
	for _, s := range setups {
		smallest = min(smallest, s.Risk.Lambda)
	}
	require.InDelta(t, 0.01, smallest, 0)
}
