package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

func TestQuinticThresholds(t *testing.T) {
	if g := vcl.QuinticGrowth(10); !(math.Abs(g-537.05) <= 0.005) { // printed to five digits
		t.Errorf("growth %v", g)
	}
	for _, c := range []struct{ value, want, digits float64 }{
		{0.99, 0.003877, 5e-7}, {1 - 1e-7, 0.00829, 5e-6}, {0.5, 0.001003, 5e-7},
	} {
		if got := vcl.QuinticThreshold(c.value, 10); !(math.Abs(got-c.want) <= c.digits) {
			t.Errorf("threshold of %v: %v, want %v", c.value, got, c.want)
		}
	}
	require.True(t, math.IsNaN(vcl.QuinticThreshold(1, 10)) && math.IsNaN(vcl.QuinticThreshold(0.5, -1)))
}

// f(1/2) = (15 − 2.5 + 3/16)/16 = 0.79296875, f(1) = 1, f(0) = 0.
func TestQuinticByHand(t *testing.T) {
	require.Equal(t, 0.79296875, vcl.Quintic(0.5, 1))
	require.Equal(t, 1., vcl.Quintic(1, 7))
	require.Zero(t, vcl.Quintic(0, 7))
	require.Equal(t, 0.3, vcl.Quintic(0.3, 0))
	require.True(t, math.IsNaN(vcl.Quintic(1.1, 1)) && math.IsNaN(vcl.Quintic(0.5, -1)) &&
		math.IsNaN(vcl.Quintic(math.NaN(), 1)))
	for x := 0.0; x <= 1; x += 1. / 1024 {
		if !(vcl.Quintic(x, 10) <= vcl.QuinticGrowth(10)*x && vcl.Quintic(x, 10) <= 1) {
			t.Errorf("f¹⁰(%v) = %v", x, vcl.Quintic(x, 10))
		}
	}
}
