package data_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/data"
)

// The law in floating point agrees with the exact one: probabilities of patterns, means and σ̃.
func TestWideIsHidden(t *testing.T) {
	support := []int{1, 4, 5}
	h := data.NewHidden(7, support, data.Parity(3), data.Mixture(3, 1, 3), data.Odds{One: 1, Zero: 3})
	w := data.Wide{Dim: 7, Support: support, Accept: data.Parity(3), Pattern: data.Uniform(3, 0.25), Background: 0.25}
	for j, m := range h.Mean() {
		want, _ := m.Float64()
		require.Equal(t, want, w.Mean()[j])
	}
	variance, _ := h.Variance().Float64()
	require.Less(t, math.Abs(w.Deviation()*w.Deviation()-variance), 1e-15)
}

// Bits on A whose means all differ: patterns of weights that add up to 64.
func TestWideMeans(t *testing.T) {
	weights, pattern := []int64{1, 2, 3, 5, 7, 11, 13, 22}, make([]float64, 8)
	for p, w := range weights {
		pattern[p] = float64(w) / 64
	}
	support := []int{0, 2, 3}
	h := data.NewHidden(4, support, data.Parity(3), weights, data.Fair)
	w := data.Wide{Dim: 4, Support: support, Accept: data.Parity(3), Pattern: pattern, Background: 0.5}
	for j, m := range h.Mean() {
		want, _ := m.Float64()
		require.Equal(t, want, w.Mean()[j])
	}
	require.Equal(t, 22./64, w.Pattern[7]) // which Mean leaves alone
}

// χ² of the counts of all 2⁵ states in 10⁵ draws, with 31 degrees of freedom: Pr[χ² > 101] < 2·10⁻⁹ by the bound of
// Laurent and Massart, x = 20.
func TestWideDraws(t *testing.T) {
	for _, background := range []float64{0.5, 0.25, 0.2, 0.125} {
		w := data.Wide{Dim: 5, Support: []int{0, 2, 3}, Accept: data.Parity(3), Pattern: data.Uniform(3, 0.5),
			Background: background}
		const n = 100000
		s := w.Draw(rand.New(rand.NewPCG(3, 4)), n)
		counts := make([]float64, 32)
		for i := range n {
			state, pattern := 0, 0
			for j, x := range s.X.RawRowView(i) {
				if x > 0 {
					state |= 1 << j
				}
			}
			for b, j := range w.Support {
				pattern |= state >> j & 1 << b
			}
			require.Equal(t, w.Label(pattern), s.Y[i])
			counts[state]++
		}
		chi2 := 0.0
		for state, got := range counts {
			p := w.Pattern[state&1|state>>2&1<<1|state>>3&1<<2]
			for _, j := range []int{1, 4} {
				p *= []float64{1 - background, background}[state>>j&1]
			}
			chi2 += (got - n*p) * (got - n*p) / (n * p)
		}
		require.Less(t, chi2, 31+2*math.Sqrt(31*20)+2*20)
	}
}
