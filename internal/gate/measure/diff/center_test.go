package diff

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/streams"
)

// The median of the means equals the median of the list of all means, with ties, signs and zeros.
func TestHodgesLehmann(t *testing.T) {
	rng := streams.New(1, "blocks", "center")
	for n := 1; n < 40; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
			if n%3 == 0 {
				x[i] = math.Round(x[i])
			}
		}
		var means []float64
		for i := range x {
			for _, y := range x[:i+1] {
				means = append(means, x[i]/2+y/2)
			}
		}
		slices.Sort(means)
		require.Equal(t, (means[(len(means)-1)/2]+means[len(means)/2])/2+0, hodgesLehmann(x)+0, n) // -0 + 0 is 0
	}
	require.True(t, math.IsNaN(hodgesLehmann(nil)))
	require.True(t, math.IsNaN(hodgesLehmann([]float64{1, math.NaN()})))
}

// A forecast of very many rounds is asked whether it is still wanted, and has an answer.
func TestForecastOfManyRounds(t *testing.T) {
	rng := streams.New(1, "blocks", "many")
	pilot := noisy(rng, 5, 0)
	require.False(t, math.IsNaN(Floor(noisy(rng, 5000, 0))))
	require.False(t, math.IsNaN(power(pilot, 5000, 1.5, 0.01, 0.05, 1, 1, rng)))
}
