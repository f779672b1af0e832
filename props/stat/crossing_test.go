package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCrossing(t *testing.T) {
	x := []float64{0, 1, 2, 4}
	require.Equal(t, 1.5, Crossing(x, []float64{-1, 0, 2, 1}, 1))
	require.Equal(t, 4., Crossing(x, []float64{3, 2, 0, 1}, 1), "from below")
	require.True(t, math.IsNaN(Crossing(x, []float64{0, 0, 0, 0}, 1)))
	require.Panics(t, func() { Crossing(x, nil, 1) })
}
