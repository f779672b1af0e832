package emergence_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// Shares of kinks that were simulated with 10⁶ draws: 0.562, 0.655, 0.718, each to 0.001.
func TestKinkShare(t *testing.T) {
	for k, want := range map[int]float64{5: 0.562, 7: 0.655, 9: 0.718} {
		within(t, "share", emergence.KinkShare(k, 1), want, 0.0015)
	}
	require.Less(t, emergence.KinkShare(5, 1e-3), 2e-3)
	require.True(t, math.IsNaN(emergence.KinkShare(0, 1)))
	require.True(t, math.IsNaN(emergence.KinkShare(5, 0)))
}

// At k = 3 the counts are at −1.5, …, 1.5: slope 1 and bias 0 has its kink in the middle, bias 1.5 at the end, bias 3
// the upper one at the lower end −2.
func TestKinks(t *testing.T) {
	b := emergence.Bent{Count: 3, Slopes: []float64{1, 1, 0.1, 0.1, 0}, Biases: []float64{0, 1.5, 0.5, -1, 0.2}}
	require.Equal(t, 2, b.Kinks()) // the second by its upper kink
	require.Equal(t, -1, emergence.Bent{Count: 2, Slopes: []float64{1}, Biases: []float64{1}}.Kinks())
}
