package emergence

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/internal/derivative"
)

// On integers the gradient of a quadratic is exact, and x is restored.
func TestDerivativeOfQuadratic(t *testing.T) {
	x := []float64{3, -2}
	f := func() float64 { return x[0]*x[0] + 5*x[0]*x[1] - 7*x[1] }
	for _, step := range []float64{1, 0x1p-6} {
		require.Equal(t, []float64{2*3 + 5*-2, 5*3 - 7}, derivative.Quadratic(x, step, f))
		require.Equal(t, []float64{3, -2}, x)
	}
}

// The stated error holds and is small, for a direction of any length.
func TestDerivativeAlong(t *testing.T) {
	x := []float64{0.5, 2}
	for _, size := range []float64{1e-3, 1, 1e3} {
		d := []float64{size, -size}
		slope, err := derivative.Along(x, d, func() float64 { return math.Exp(x[0]) * math.Sin(x[1]) })
		want := size * math.Exp(0.5) * (math.Sin(2) - math.Cos(2))
		require.LessOrEqual(t, math.Abs(slope-want), err)
		require.Less(t, err, 1e-8*size)
		require.Equal(t, []float64{0.5, 2}, x)
	}
	_, err := derivative.Along(x, []float64{math.NaN(), 1}, func() float64 { return x[0] })
	require.True(t, math.IsNaN(err))
}
