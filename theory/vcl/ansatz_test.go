package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Three layers of gain 2 each: σ = 8, AGOP 64, Gram 4.
func TestBalancedByHand(t *testing.T) {
	b := vcl.Balanced{Depth: 3, Gain: 8}
	require.Equal(t, 64., b.AGOP())
	if got := b.Gram(); !(math.Abs(got-4) <= 0x1p-49) { // one power, exponent rounded
		t.Errorf("Gram eigenvalue %v, want 4", got)
	}
	require.Equal(t, 1., vcl.Balanced{Depth: 1, Gain: 5}.Exponent())
}

// Balanced is exact; one layer needs no balance; two layers off by δ = s have at most twice the eigenvalue; for three,
// (2³ − 1)·S/s.
func TestImbalanceEffect(t *testing.T) {
	require.Zero(t, vcl.ImbalanceEffect(4, 0, 1, 3))
	require.Zero(t, vcl.ImbalanceEffect(1, 0.5, 1, 3))
	for depth, want := range map[int]float64{2: 1, 3: 21} {
		if got := vcl.ImbalanceEffect(depth, 1, 1, 3); !(math.Abs(got-want) <= 0x1p-46) {
			t.Errorf("depth %d: effect %v, want %v", depth, got, want)
		}
	}
}

// Balanced is exact; two layers off by δ err by S·δ, three by S(Sδ + (S+δ)² − S²).
func TestImbalanceError(t *testing.T) {
	require.Zero(t, vcl.ImbalanceError(4, 0, 3))
	require.Zero(t, vcl.ImbalanceError(1, 1, 3))
	require.Zero(t, vcl.ImbalanceError(3, 1, 0))
	for depth, want := range map[int]float64{2: 3, 3: 3 * (3 + 16 - 9)} {
		if got := vcl.ImbalanceError(depth, 1, 3); !(math.Abs(got-want) <= 0x1p-46) {
			t.Errorf("depth %d: error %v, want %v", depth, got, want)
		}
	}
	require.True(t, math.IsNaN(vcl.ImbalanceError(2, -1, 1)) && math.IsNaN(vcl.ImbalanceError(0, 0, 1)))
}

func TestAnsatzOutsideItsDomain(t *testing.T) {
	for _, b := range []vcl.Balanced{{}, {Depth: 2, Gain: -1}, {Depth: 2, Gain: math.NaN()}} {
		require.Error(t, b.Valid())
		require.True(t, math.IsNaN(b.AGOP()) && math.IsNaN(b.Exponent()) && math.IsNaN(b.Gram()))
	}
	require.True(t, math.IsNaN(vcl.ImbalanceEffect(2, -1, 1, 1)))
	require.True(t, math.IsNaN(vcl.ImbalanceEffect(2, 1, 0, 1)))
}
