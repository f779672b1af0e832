package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAcceptance: the chance that a control is accepted follows from what its rejection rests on.
func TestAcceptance(t *testing.T) {
	rejected := Control{Rejected: true, Replicates: 3}
	with := func(edit func(*Control)) float64 {
		c := rejected
		edit(&c)
		return c.acceptance()
	}
	require.Equal(t, 1., with(func(c *Control) { c.Rejected = false }))
	require.Equal(t, 1., with(func(*Control) {}), "nothing is known")
	require.Equal(t, 0., with(func(c *Control) { c.Fixed = true }))
	require.Equal(t, 1., with(func(c *Control) { c.Fixed, c.Replicates = true, 1 }), "seen once")
	require.Less(t, with(func(c *Control) { c.Cases, c.Seen = 600, 120 }), 1e-8)
	require.Greater(t, with(func(c *Control) { c.Cases, c.Seen = 600, 20 }), 1e-3)
	require.Less(t, with(func(c *Control) { c.Reserve = 1.1 }), 1e-9)
	require.Greater(t, with(func(c *Control) { c.Reserve = 0.3 }), 1e-2)
	require.Equal(t, 1., with(func(c *Control) { c.Cases, c.Seen = 10, 20 }), "more seen than there are")
}
