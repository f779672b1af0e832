package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The interval for a ratio of spreads covers the truth as often as it promises for correlated samples, and one for
// independent samples of half the width does not.
func TestSpreadRatioCovers(t *testing.T) {
	const runs, n, truth = 4000, 5, 2.0
	r := rand.New(rand.NewPCG(1, 2))
	missed, missedNarrow := 0, 0
	for range runs {
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			common := r.NormFloat64()
			b[i] = 0.8*common + 0.6*r.NormFloat64()
			a[i] = truth * (0.8*common + 0.6*r.NormFloat64())
		}
		iv := SpreadRatio(a, b, calibrationAlpha)
		require.True(t, iv.Valid())
		if !(iv.Lo <= truth && truth <= iv.Hi) {
			missed++
		}
		if lo, hi := math.Sqrt(iv.Lo*iv.Estimate), math.Sqrt(iv.Hi*iv.Estimate); !(lo <= truth && truth <= hi) {
			missedNarrow++
		}
	}
	// six standard deviations of a binomial count: 6·√(4000·0.05·0.95) = 83
	expected := int(runs * calibrationAlpha)
	require.True(t, missed >= expected-83 && missed <= expected+83, "missed %d times of %d", missed, runs)
	require.Greater(t, missedNarrow, expected+83)
	require.False(t, SpreadRatio([]float64{1, 1, 1}, []float64{1, 1, 1}, calibrationAlpha).Valid())
	require.False(t, SpreadRatio([]float64{1, 2}, []float64{1, 3}, calibrationAlpha).Valid())
}
