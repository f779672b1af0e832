package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// The worked example of the residual: the covariance shift is [[99,91],[91,80]].
func TestShiftByHand(t *testing.T) {
	s := vcl.LayerStep{
		W:        mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
		Inputs:   mat.NewDense(2, 1, []float64{1, -1}),
		PreGrads: mat.NewDense(3, 1, []float64{1, 0, -2}),
		Step:     1, Convention: vcl.Sum,
	}
	require.True(t, mat.Equal(mat.NewDense(2, 2, []float64{99, 91, 91, 80}), s.Shift()))
	s.Convention.Covariance = 2
	require.True(t, math.IsNaN(s.Shift().At(0, 0)))
}

// Two steps side by side are the sums of both, by hand: W = 1 then 3, h = 1, g = 2 then −1, P = Wg.
func TestDescentsByHand(t *testing.T) {
	row := func(x ...float64) *mat.Dense { return mat.NewDense(1, 2, x) }
	d := vcl.Descents{Inputs: row(1, 1), PreGrads: row(2, -1), InputGrads: row(2, -3), Step: 1, Steps: 2}
	require.Equal(t, -2*(2.-3), d.FirstOrder().At(0, 0))
	require.Equal(t, 2.+4+9, d.Shifts().At(0, 0))
	require.Equal(t, (4-4.)+(1-9), d.Residuals().At(0, 0))
	moved, weights, virtual := d.Sizes()
	require.Equal(t, []float64{3, 5, 5}, []float64{moved, weights, virtual})
	d.Steps = 3
	require.Error(t, d.Valid())
	require.True(t, math.IsNaN(d.Residuals().At(0, 0)) && math.IsNaN(d.Shifts().At(0, 0)))
}

func TestAccumulated(t *testing.T) {
	a := vcl.Accumulated{Steps: 8, Step: 0.25, Residual: 3, Shift: 6}
	require.Equal(t, 2., a.Time())
	require.Equal(t, 1.5, a.Sum())
	require.Equal(t, 0.125, a.Relative())
	for _, bad := range []vcl.Accumulated{{}, {Steps: 1, Step: math.NaN(), Shift: 1},
		{Steps: 1, Step: 1, Residual: -1, Shift: 1}} {
		require.Error(t, bad.Valid())
		require.True(t, math.IsNaN(bad.Relative()))
	}
}
