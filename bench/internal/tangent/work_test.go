//go:build system

package tangent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The counts of doc.go, in units of 10⁹ flops.
func TestFlopsAreThoseOfTheText(t *testing.T) {
	for name, c := range map[string]struct {
		got         Flops
		ours, peers float64
	}{
		"averaged-kernel": {kernelFlops(), 27.0, 36.6},
		"training":        {trainingFlops(epochs), 4.1, 6.2},
		"turn":            {turnFlops(), 26.9, 33.2},
	} {
		require.InDelta(t, c.ours, 1e-9*c.got.Ours, 0.05, name)
		require.InDelta(t, c.peers, 1e-9*c.got.Peers, 0.05, name)
	}
	long := trainingFlops(500)
	require.InDelta(t, 0.55, long.Ours/long.Peers, 0.005)
}
