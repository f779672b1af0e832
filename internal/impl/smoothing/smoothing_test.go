package smoothing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/smoothing"
)

func TestBoxByHand(t *testing.T) {
	require.Equal(t, []float64{1.5, 2, 3, 3.5}, smoothing.Box([]float64{1, 2, 3, 4}, 1))
	require.Equal(t, []float64{1, 2, 3, 4}, smoothing.Box([]float64{1, 2, 3, 4}, 0))
	require.PanicsWithValue(t, "smoothing: a window of negative length", func() { smoothing.Box(nil, -1) })
}

func TestStepByHand(t *testing.T) {
	require.Equal(t, []float64{1, 1, 5, 5, 5}, smoothing.Step([]float64{0, 2, 4, 5, 6}))
	require.Equal(t, []float64{9, 1, 1}, smoothing.Step([]float64{9, 0, 2})) // a jump after the first value
	require.Equal(t, []float64{1, 1, 9}, smoothing.Step([]float64{0, 2, 9}))
	require.Equal(t, []float64{3}, smoothing.Step([]float64{3}))
	require.Empty(t, smoothing.Step(nil))
}
