package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// W = 1, a = 2, h = (1, 3), Y = (1, 1), g = (1, 0): f = (2, 6), HY = 4, S = 16, ∇ = −2, and a step of ½ makes W = 2, S
// = 64. fᵀY = 8, YᵀKg = 4: 2·½·8·4 + ¼·4·16 = 32 + 16.
func TestLinearReadoutByHand(t *testing.T) {
	first, second := vcl.LinearReadout{Aligned: 8, Pull: 4, Squared: 4}.Change(0.5)
	require.Equal(t, []float64{32, 16}, []float64{first, second})
	first, second = vcl.LinearReadout{Squared: -1}.Change(0.5)
	require.True(t, math.IsNaN(first) && math.IsNaN(second))
}
