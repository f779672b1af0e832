package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Orthonormal tokens, keys ±1 and M = (1, −1): the quotient is tanh(γ)/γ.
func TestShortStep(t *testing.T) {
	for _, c := range []struct{ step, want float64 }{{0.1, .996679946249558}, {1e-3, 1 - 1e-6/3 + 2e-12/15}} {
		s := vcl.ShortStep{Scale: 1, Tokens: 1, Other: math.Sqrt2, Virtual: c.step * math.Sqrt2}
		require.InDelta(t, c.step/math.Sqrt2, s.Bound(), 1e-16)
		require.InDelta(t, c.want, s.Halved()/s.Bound(), 1e-14)
	}
	require.True(t, math.IsNaN(vcl.ShortStep{Scale: -1}.Halved()))
}
