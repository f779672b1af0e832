package vcl_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// f(x) = −(x−1)²·m on the samples 1 and 3 with α = (1, 0) and M = m = 2: f′(1) = 0, f′(3) = −2·2·2 = −8, and M⁺ = 64/2.
func TestRound(t *testing.T) {
	r := vcl.Round{X: mat.NewDense(1, 2, []float64{1, 3}), Alpha: mat.NewDense(2, 1, []float64{1, 0}),
		Slopes: mat.NewDense(2, 2, []float64{-1, -1, -1, -1}), M: mat.NewDense(1, 1, []float64{2})}
	require.Equal(t, 8.0, r.Inner().At(0, 0))
	require.Equal(t, 32.0, r.Next().At(0, 0))
	require.Equal(t, 32.0, r.Size())
	r.M.Set(0, 0, 0) // a lost direction stays lost
	require.Equal(t, 0.0, r.Next().At(0, 0))
}
