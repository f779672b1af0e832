package props

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A second source of randomness must not shift the first, and each cell, check, claim and replicate has its own.
func TestTrialStreams(t *testing.T) {
	trial := func(slug, name, label string, replicate int) *Trial {
		s := newSession(&run{Options: Options{Effort: Quick, Seed: 5}}, slug)
		return s.trial(checker{name: name}, label, 0, Quick, replicate)
	}
	draw := func(t *Trial) uint64 { return t.Rand.Uint64() }

	base := trial("vcl/a", "slope", "n=4", 0)
	side := base.Stream("noise").Uint64()
	require.Equal(t, draw(trial("vcl/a", "slope", "n=4", 0)), draw(base), "the side stream shifted the main one")
	require.Equal(t, side, base.Stream("noise").Uint64(), "a side stream starts anew")
	require.NotEqual(t, side, base.Stream("other noise").Uint64())
	require.Equal(t, draw(trial("vcl/a", "slope", "n=4", 0)), draw(trial("vcl/a", "slope", "n=8", 0).sibling("n=4", 0)))

	seen := map[uint64]bool{side: true}
	for _, other := range []*Trial{
		trial("vcl/a", "slope", "n=4", 0), trial("vcl/b", "slope", "n=4", 0), trial("vcl/a", "limit", "n=4", 0),
		trial("vcl/a", "slope", "n=8", 0), trial("vcl/a", "slope", "n=4", 1),
	} {
		first := draw(other)
		require.False(t, seen[first])
		seen[first] = true
	}
}
