package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows of every length come out as their numbers do one at a time, to the bit.
func TestElementwiseInFours(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 1e-320, math.MaxFloat64, math.Inf(1)}
	draw := func() float64 {
		if r.IntN(3) == 0 {
			return special[r.IntN(len(special))]
		}
		return r.NormFloat64()
	}
	bits := func(x []float64) (out []uint64) {
		for _, v := range x {
			out = append(out, math.Float64bits(v))
		}
		return out
	}
	for n := range 67 {
		from, biases := make([]float64, n), make([]float64, n)
		for j := range from {
			from[j], biases[j] = draw(), math.Abs(draw())
			if r.IntN(2) == 0 && !math.IsInf(from[j], 0) {
				biases[j] = -from[j] // the sum is a zero
			}
		}
		for _, sign := range []float64{1, -1} {
			rectified, alone := make([]float64, n), make([]float64, n)
			rectify(rectified, from, biases, sign)
			for j := range alone {
				rectify(alone[j:j+1], from[j:], biases[j:], sign)
				if math.IsNaN(alone[j]) { // +∞ − ∞; its sign is nobody's
					alone[j], rectified[j] = 0, 0
				}
			}
			require.Equal(t, bits(alone), bits(rectified), "%d numbers, sign %v", n, sign)
		}
		active, alone := append([]float64{}, from...), append([]float64{}, from...)
		indicate(active, biases)
		for j := range alone {
			indicate(alone[j:j+1], biases[j:])
		}
		require.Equal(t, bits(alone), bits(active), "%d numbers", n)
	}
}
