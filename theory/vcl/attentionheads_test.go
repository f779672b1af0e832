package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// o = (1, ½), v = (2, 1), g = 1, γ = ½: o⁺ = (0, 0) loses ½. The contexts (2, 1) become (1.5, 0.75) and lose 0.875.
func TestHeadPair(t *testing.T) {
	p := vcl.HeadPair{ContextA: number(2), ContextB: number(1), SignalA: number(1), SignalB: number(0.5),
		OutputGrad: number(1), Step: 0.5}
	require.Equal(t, -0.875, p.Shift().At(0, 0))
	require.Equal(t, 0.375, p.Residual().At(0, 0))
	p.SignalA = mat.NewDense(1, 2, nil)
	require.Error(t, p.Valid())
	require.True(t, math.IsNaN(p.Shift().At(0, 0)) && math.IsNaN(p.Residual().At(0, 0)))
}
