package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// w = 2, h = 3, g = 1, γ = 1, λ = 2: w⁺ = −2 − 3 = −5, so the square grows by 21. Without decay w⁺ = −1 and it shrinks
// by 3; decay brings −2·0·4 + 2·2·6 = 24.
func TestDecayByHand(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	s := vcl.LayerStep{W: one(2), Inputs: one(3), PreGrads: one(1), Step: 1, Convention: vcl.Sum}
	require.Equal(t, -3., s.Shift().At(0, 0)+s.Residual().At(0, 0))
	require.Equal(t, 24., s.Decay(2).At(0, 0))
	require.Zero(t, s.Decay(0).At(0, 0))
	s.Convention.Weights = 0.5
	require.True(t, math.IsNaN(s.Decay(1).At(0, 0)))
}
