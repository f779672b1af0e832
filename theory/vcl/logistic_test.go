package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// w = (1, 0), x = (0, 1), g = 1, γ = ½: G = [[1.25, −0.5], [−0.5, 0]] with eigenvalues −0.17539053 and 1.42539053; the
// new weights are (1.1265952102643166, −0.3951882613244048), and gradient descent goes to (1, −0.5).
func TestLogisticByHand(t *testing.T) {
	s := vcl.LogisticStep{Weights: 1, Across: 1, G: 1, Step: 0.5}
	lo, hi := s.Eigenvalues()
	along, across := s.True()
	down, side := s.Descent()
	require.Equal(t, 1., down)
	require.Equal(t, -0.5, side)
	for _, c := range []struct{ got, want, digits float64 }{
		{lo, -0.17539053, 5e-9}, {hi, 1.42539053, 5e-9}, {along, 1.1265952102643166, 1e-15},
		{across, -0.3951882613244048, 1e-15},
	} {
		if !(math.Abs(c.got-c.want) <= c.digits) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// An input parallel to the weights leaves one eigenvalue zero and gives (1 − γgx)w up to the second order in P.
func TestLogisticLimits(t *testing.T) {
	lo, _ := vcl.LogisticStep{Weights: 2, Along: 1, G: 0.5, Step: 0.1}.Eigenvalues()
	require.Zero(t, lo)
	along, across := vcl.LogisticStep{Weights: 2, Along: 1, Across: 3, Step: 0.1}.True()
	require.Equal(t, 2., along)
	require.Zero(t, across)
	// x = (1, 3): (2, 0) − ½·¼·(1, 3).
	down, side := vcl.LogisticStep{Weights: 2, Along: 1, Across: 3, G: 0.5, Step: 0.25}.Descent()
	require.Equal(t, 1.875, down)
	require.Equal(t, -0.375, side)
	for _, s := range []vcl.LogisticStep{{}, {Weights: 1, Across: -1}, {Weights: 1, Step: math.NaN()}} {
		require.Error(t, s.Valid())
		along, across := s.True()
		down, _ := s.Descent()
		require.True(t, math.IsNaN(along) && math.IsNaN(across) && math.IsNaN(down))
	}
}
