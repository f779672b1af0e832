package reports

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// One replicate cannot show that a rejection is the same at every seed.
func TestBasis(t *testing.T) {
	for want, c := range map[string]results.Control{
		"the same in all 3 replicates": {Fixed: true, Replicates: 3},
		"its interval lies 2.5 half-widths beyond the margin; accepted at another seed with probability at most 0.01": {
			Fixed: true, Replicates: 1, Reserve: 2.5, Chance: 0.01},
		"its interval has no width and lies beyond the margin": {
			Replicates: 1, Reserve: results.Number(math.Inf(1)), Chance: 1},
		"seen by 7 of 9 cases": {Replicates: 2, Cases: 9, Seen: 7, Chance: 1},
	} {
		c.Rejected = true
		require.Equal(t, want, basis(c))
	}
	require.Empty(t, basis(results.Control{Fixed: true, Replicates: 3}))
}
