package number

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	x := []float64{9, 1, 8}
	require.Equal(t, 8.0, Median(x))
	require.Equal(t, []float64{9, 1, 8}, x)
	require.Equal(t, 2.5, Median([]float64{4, 1, 2, 3}))
	require.Equal(t, 7.0, Median([]float64{7}))
}

// TestNormalQuantile takes values from tables, and goes back by the distribution.
func TestNormalQuantile(t *testing.T) {
	for p, want := range map[float64]float64{0.5: 0, 0.025: 1.959963984540054, 0.2: 0.8416212335729143,
		0.001: 3.090232306167813} {
		// sixteen printed digits, and a rounding of each step
		require.True(t, math.Abs(NormalQuantile(p)-want) <= 1e-14*(1+want), "%v: %v", p, NormalQuantile(p))
	}
	for _, p := range []float64{1e-12, 1e-5, 0.3, 0.7} {
		back := math.Erfc(NormalQuantile(p)/math.Sqrt2) / 2
		// p has the condition z² < 50 in z, times a few roundings
		require.True(t, math.Abs(back-p) <= 0x1p-52+1e-13*p, "%v: %v", p, back)
	}
	require.True(t, math.IsNaN(NormalQuantile(math.NaN())) && math.IsNaN(NormalQuantile(-1)))
}
