package gen

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Each tenth of the logarithm gets its share. With n = 4000 draws a share of 1/10 has standard deviation 0.0047; six of
// them are allowed.
func TestLogUniformIsUniform(t *testing.T) {
	const n = 4000
	counts := [10]int{}
	draws := rapid.Custom(func(t *rapid.T) float64 { return LogUniform(t, "x", 1e-3, 1e7) })
	for seed := range n {
		x := draws.Example(seed)
		require.True(t, x >= 1e-3*(1-1e-12) && x <= 1e7*(1+1e-12), "%v", x)
		counts[min(9, int(math.Log10(x)+3))]++
	}
	for tenth, count := range counts {
		require.InDelta(t, 0.1, float64(count)/n, 6*math.Sqrt(0.1*0.9/n), "tenth %d", tenth)
	}
}
