package vcl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/order"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
)

// taken calls Halve for a remainder as a function of the step size, with steps that are the step size itself, of a
// layer whose weights move by τ at the step size τ.
func taken(rounding float64, remainder func(rate float64) float64) (h layers.Halvings, tried []float64) {
	h = layers.Halve(layers.Reach{Size: 1, Rate: 1, Rest: 0.01, Moved: 0.1}, rounding,
		func(rate float64) (rest, moved *mat.Dense) {
			tried = append(tried, rate)
			return mat.NewDense(1, 1, []float64{remainder(rate)}), mat.NewDense(1, 1, []float64{rate})
		})
	return h, tried
}

// A remainder 3γ² has nothing of another order, and the first six step sizes do; the last only serves the one before.
func TestHalveOfAPureRemainder(t *testing.T) {
	h, tried := taken(0, func(rate float64) float64 { return 3 * rate * rate })
	require.Equal(t, []float64{0x1p-6, 0x1p-7, 0x1p-8, 0x1p-9, 0x1p-10, 0x1p-11}, tried)
	require.Equal(t, tried[:5], h.Rest.Steps)
	require.Equal(t, []float64{0x3p-12, 0x3p-14, 0x3p-16, 0x3p-18, 0x3p-20}, h.Rest.Norms)
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

// Of γ² + 32γ³ at γ = 1/64 a third counts as another order, twice half of 32γ³ over the whole; an eighth of the step
// has less.
func TestHalveTakesThePurest(t *testing.T) {
	h, tried := taken(0, func(rate float64) float64 { return rate*rate + 32*rate*rate*rate })
	require.Len(t, tried, 12)
	require.Equal(t, 0x1p-9, h.Rest.Steps[0])
	require.InDelta(t, 0.0625/1.0625, h.Rest.Beyond[0]/h.Rest.Norms[0], 1e-15)
	require.Equal(t, 0x1p-6, h.Moved.Steps[0])
}

// Beside rounding as large as the remainder at the first steps, the largest steps are the purest.
func TestHalveFarFromRounding(t *testing.T) {
	h, tried := taken(0x1p-19, func(rate float64) float64 { return rate * rate })
	require.Len(t, tried, 18)
	require.Equal(t, 0x1p-4, h.Rest.Steps[0])
	require.Equal(t, 8., h.Rest.Resolved())
}

// What another order may be is (10τ)ᵏ times the series at τ = 1/10, and the rounding as often as it enters.
func TestHalveAllows(t *testing.T) {
	h, _ := taken(1e-9, func(rate float64) float64 { return rate * rate })
	require.InEpsilon(t, math.Pow(10./64, 3)*0.01+5e-9, h.Rest.Allowed[0], 1e-12)
	require.InEpsilon(t, math.Pow(10./128, 2)*0.1+3e-9, h.Moved.Allowed[1], 1e-12)
}

// A remainder that is no number is not hidden by other step sizes.
func TestHalveKeepsNaN(t *testing.T) {
	h, tried := taken(0, func(rate float64) float64 {
		if rate == 0x1p-7 {
			return math.NaN()
		}
		return rate * rate
	})
	require.Len(t, tried, 6)
	require.True(t, math.IsNaN(h.Rest.Norms[1]))
}
