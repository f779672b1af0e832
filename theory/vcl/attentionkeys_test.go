package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Tokens 2 and 1, W_Q = ln 3, all else 1: the second token gives ¾ of its attention to the first. With the signal 2 the
// gradients are ⅜ in W_Q and ⅜ ln 3 in W_K, the latter that of the centred tokens ½ and −½ with key signals ±⅜ ln 3.
func TestTwoTokens(t *testing.T) {
	h := vcl.TwoTokens{X1: 2, X2: 1, Query: math.Log(3), Key: 1, Value: 1, Signal: 2, Scale: 1}
	require.InDelta(t, 0.75, h.Weight(), 1e-15)
	require.InDelta(t, 0.375, h.Key*h.Form(), 1e-15)
	require.InDelta(t, .411979608250541, h.Query*h.Form(), 1e-15)
	h.X1 = 1 // equal tokens
	require.Zero(t, h.Form())
	h.Scale = math.NaN()
	require.True(t, math.IsNaN(h.Weight()) && math.IsNaN(h.Form()))
}
