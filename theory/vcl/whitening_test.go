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

func TestSecondOrder(t *testing.T) {
	s := vcl.SecondOrder{Step: 0.5, First: 4, Second: 8}
	require.Equal(t, 2., s.Moved())
	require.Equal(t, 2., s.Apart())
	require.Equal(t, 1., s.Relative())
	require.True(t, math.IsNaN(vcl.SecondOrder{}.Relative()) && math.IsNaN(vcl.SecondOrder{Step: 1, First: 1, Second: math.NaN()}.Apart()))
}
