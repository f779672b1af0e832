package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// The worked example: A = [[35,44],[44,56]], the shift [[99,91],[91,80]], W⁺ᵀW⁺ = [[58,40],[40,41]].
func TestTargetsByHand(t *testing.T) {
	s := vcl.LayerStep{
		W:        mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
		Inputs:   mat.NewDense(2, 1, []float64{1, -1}),
		PreGrads: mat.NewDense(3, 1, []float64{1, 0, -2}),
		Step:     1, Convention: vcl.Sum,
	}
	shift, descent := s.Targets()
	require.True(t, mat.Equal(mat.NewDense(2, 2, []float64{134, 135, 135, 136}), shift))
	require.True(t, mat.Equal(mat.NewDense(2, 2, []float64{58, 40, 40, 41}), descent))
	s.Step = math.NaN()
	shift, descent = s.Targets()
	require.True(t, math.IsNaN(shift.At(0, 0)) && math.IsNaN(descent.At(1, 1)))
}

// w = 1, h = 2, g = ½, γ = 1: w − γgh = 0, R = ¼·3, G = 0 − ¾ < 0. At γ = ½: w − γgh = ½, R = 3/16, G = 1/4 − 3/16 =
// 1/16: ½ − ¼.
func TestOneWeight(t *testing.T) {
	s := vcl.OneWeight{Weight: 1, Input: 2, Gradient: 0.5, Step: 1}
	require.Equal(t, 0.75, s.Residual())
	require.Zero(t, s.Apart())
	s.Step = 0.5
	require.Equal(t, 0.25, s.Apart())
	s.Step = 1e-6
	require.InDelta(t, s.Leading(), s.Apart(), 1e-5*s.Leading())
	bad := vcl.OneWeight{Weight: -1}
	require.Error(t, bad.Valid())
	require.True(t, math.IsNaN(bad.Residual()) && math.IsNaN(bad.Apart()) && math.IsNaN(bad.Leading()))
	require.True(t, math.IsNaN(vcl.OneWeight{Weight: 1, Step: math.NaN()}.Apart()))
}
