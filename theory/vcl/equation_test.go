package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// h = (3, 4) and ∇ = (0, 2): ∇hᵀ = [[0,0],[6,8]] has norm 10 and trace 8; ∇hᵀ + h∇ᵀ = [[0,6],[6,16]] has the
// eigenvalues 8 ∓ √(64+36) = −2 and 18. The cosine 8/10 is not a float64, so two roundings are allowed.
func TestTransportByHand(t *testing.T) {
	e := vcl.Transport{Gradient: 2, Input: 5, Cosine: 0.8}
	lo, hi := e.Shift()
	require.Equal(t, 10., e.Frobenius())
	for _, c := range []struct{ got, want float64 }{{e.Trace(), 8}, {lo, -2}, {hi, 18}} {
		if !(math.Abs(c.got-c.want) <= 0x1p-48) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func TestTransportOutsideItsDomain(t *testing.T) {
	for _, e := range []vcl.Transport{{Gradient: -1}, {Input: math.NaN()}, {Cosine: 2}} {
		lo, hi := e.Shift()
		require.Error(t, e.Valid())
		require.True(t, math.IsNaN(e.Frobenius()) && math.IsNaN(e.Trace()) && math.IsNaN(lo) && math.IsNaN(hi))
	}
}
