package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Residuals 1 and 3 on a line: mean of squares 5, mean 2. Midway the pairs have errors 1, 2, 2, 3: mean of squares
// 18/4.
func TestReconstructionByHand(t *testing.T) {
	e := vcl.Reconstruction{Squares: 5, Bias: 2}
	require.Equal(t, 4.5, e.Interpolated(0.5))
	require.Equal(t, 5., e.Interpolated(0))
	require.Equal(t, 5., e.Interpolated(1))
	require.Equal(t, math.Sqrt(5), e.Bound())
	require.Equal(t, 0.5, vcl.Reconstruction{Squares: 1}.Interpolated(0.5))
	// Residuals that are all the same are as far off everywhere.
	require.Equal(t, 4., vcl.Reconstruction{Squares: 4, Bias: 2}.Interpolated(0.25))
}

func TestReconstructionLimits(t *testing.T) {
	for _, e := range []vcl.Reconstruction{{Squares: -1}, {Bias: -1}, {Squares: 1, Bias: 2}, {Squares: math.NaN()}} {
		require.Error(t, e.Valid())
		require.True(t, math.IsNaN(e.Interpolated(0.5)) && math.IsNaN(e.Bound()))
	}
	require.Zero(t, vcl.Reconstruction{}.Bound())
}
