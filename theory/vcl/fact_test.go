package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// f = wh with h = 1, y = 1 and λ = 1: (w−1) + w = 0 at w = 1/2, where ∇_hℓ = w(w−1) = −1/4 and w² = 1/4.
func TestFactByHand(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	require.Equal(t, 0.25, vcl.FactGram(one, mat.NewDense(1, 1, []float64{-0.25}), 1).At(0, 0))
	s := vcl.Stationarity{Lambda: 0.5, Weights: 3, Gradient: 2}
	require.Equal(t, 12., s.Error())
	require.Equal(t, 2.25, s.Shift(0.25))
}

func TestFactOutsideItsDomain(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	require.True(t, math.IsNaN(vcl.FactGram(one, one, 0).At(0, 0)))
	for _, s := range []vcl.Stationarity{{}, {Lambda: 1, Weights: -1}, {Lambda: 1, Gradient: math.NaN()}} {
		require.Error(t, s.Valid())
		require.True(t, math.IsNaN(s.Error()) && math.IsNaN(s.Shift(1)))
	}
}
