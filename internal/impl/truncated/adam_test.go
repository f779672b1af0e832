package truncated

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first step of Adam has the length of the rate, and a quadratic is minimised.
func TestAdam(t *testing.T) {
	x, o := []float64{3, -2}, &Adam{Rate: 0.1}
	o.Move(x, []float64{5, -1})
	require.InDelta(t, 2.9, x[0], 1e-8)
	require.InDelta(t, -1.9, x[1], 1e-8)
	for range 500 {
		o.Move(x, []float64{x[0], 4 * x[1]})
	}
	require.Less(t, math.Hypot(x[0], x[1]), 1e-3)
}
