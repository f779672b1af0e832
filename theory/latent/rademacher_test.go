package latent_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/latent"
)

// By the definition: half of the second moment without a bias, all of it and b² with a large one; and tails by
// quadrature in 30 digits.
func TestRectifiedSquare(t *testing.T) {
	require.InDelta(t, 4.5, latent.RectifiedSquare(3, 0), 1e-15)
	require.InDelta(t, 1+1e4, latent.RectifiedSquare(1, 100), 1e-9)
	require.Zero(t, latent.RectifiedSquare(0, -1))
	require.Equal(t, 4.0, latent.RectifiedSquare(0, 2))
	for b, want := range map[float64]float64{-1: 0.075339783343770753, -2: 0.0057687267145199321,
		-3: 0.00020343508048692374, -5: 1.9343295187553164e-8, -10: 1.45292769571198029e-25, -30: 1.08437248739834915e-200} {
		require.InEpsilon(t, want, latent.RectifiedSquare(1, b), 1e-13, "b = %v", b)
	}
	below, above := latent.RectifiedSquare(1, math.Nextafter(-2, -3)), latent.RectifiedSquare(1, math.Nextafter(-2, 0))
	require.InEpsilon(t, above, below, 1e-14)
}

// Two equal vectors attain the lower bound √(Σ‖v‖²/2), orthogonal ones the upper.
func TestSignedNorm(t *testing.T) {
	require.Zero(t, latent.SignedNorm(nil))
	require.InDelta(t, 5, latent.SignedNorm([][]float64{{3, 4}, {3, 4}}), 1e-15)
	require.InDelta(t, math.Sqrt(14), latent.SignedNorm([][]float64{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}), 1e-15)
	require.InDelta(t, 1.5, latent.SignedNorm([][]float64{{1}, {1}, {1}}), 1e-15)
}

func TestClass(t *testing.T) {
	c := latent.NetworkClass{N: 400, M: 100, D: 20, Output: 1, Input: 1}
	require.InDelta(t, math.Sqrt(0.125), c.Fixed(), 1e-15)
	require.InDelta(t, 0.5, c.FixedPrinted(), 1e-15)
	require.InDelta(t, 1.5*math.Sqrt(5), c.All(), 1e-14)
	c = latent.NetworkClass{N: 3, M: 4, D: 2, Output: 5, Input: 6, Bias: 1}
	require.InDelta(t, 140, c.Linear(7), 1e-13)
	require.InDelta(t, 5*math.Sqrt(4*37./3), c.FixedPrinted(), 1e-13)
	for _, bad := range []latent.NetworkClass{{M: 1, D: 1}, {N: 1, D: 1}, {N: 1, M: 1}, {N: 1, M: 1, D: 1, Output: -1},
		{N: 1, M: 1, D: 1, Input: -1}} {
		require.Error(t, bad.Valid())
		require.True(t, math.IsNaN(bad.All()) && math.IsNaN(bad.Fixed()) && math.IsNaN(bad.FixedPrinted()))
	}
}
