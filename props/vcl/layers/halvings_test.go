package layers_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/order"
	"github.com/thm-suite/thm/props/vcl/layers"
)

// taken calls Halve for a remainder as a function of the step size, with steps that are the step size itself.
func taken(first, rounding float64, remainder func(rate float64) float64) (h layers.Halvings, tried []float64) {
	h = layers.Halve(first, rounding, func(rate float64) (rest, moved *mat.Dense) {
		tried = append(tried, rate)
		return mat.NewDense(1, 1, []float64{remainder(rate)}), mat.NewDense(1, 1, []float64{rate})
	})
	return h, tried
}

// A remainder 3γ² has nothing of another order, and the first six step sizes do; the last only serves the one before.
func TestHalveOfAPureRemainder(t *testing.T) {
	h, tried := taken(0.5, 0, func(rate float64) float64 { return 3 * rate * rate })
	require.Equal(t, []float64{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625}, tried)
	require.Equal(t, tried[:5], h.Rest.Steps)
	require.Equal(t, []float64{0.75, 0.1875, 0.046875, 0.01171875, 0.0029296875}, h.Rest.Norms)
	require.Equal(t, make([]float64, 5), h.Rest.Beyond)
	require.Equal(t, tried[:5], h.Moved.Norms)
	for _, c := range []struct {
		name      string
		remainder order.Remainder
		want      float64
	}{{"remainder", h.Rest, 2}, {"step", h.Moved, 1}} {
		slope, allowed := order.Slope(c.remainder.Steps, c.remainder.Norms, c.remainder.Beyond)
		require.LessOrEqual(t, math.Abs(slope-c.want), 1e-14, c.name)
		require.Zero(t, allowed, c.name)
	}
}

// Of γ² + γ³ at γ = ½ two fifths count as another order, twice half of γ³ over the whole; an eighth of the step has
// less.
func TestHalveTakesThePurest(t *testing.T) {
	h, tried := taken(0.5, 0, func(rate float64) float64 { return rate*rate + rate*rate*rate })
	require.Len(t, tried, 12)
	require.Equal(t, 0.0625, h.Rest.Steps[0])
	require.InDelta(t, 0.0625/1.0625, h.Rest.Beyond[0]/h.Rest.Norms[0], 1e-15)
}

// Beside rounding as large as the remainder at the first steps, the largest steps are the purest.
func TestHalveFarFromRounding(t *testing.T) {
	h, tried := taken(0.5, 1e-3, func(rate float64) float64 { return rate * rate })
	require.Len(t, tried, 18)
	require.Equal(t, 2., h.Rest.Steps[0])
}

// A remainder that is no number is not hidden by other step sizes.
func TestHalveKeepsNaN(t *testing.T) {
	h, tried := taken(0.5, 0, func(rate float64) float64 {
		if rate == 0.25 {
			return math.NaN()
		}
		return rate * rate
	})
	require.Len(t, tried, 6)
	require.True(t, math.IsNaN(h.Rest.Norms[1]))
}
