package emergence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props/gen"
)

// Two fair bits with weights 0.3 and 0.1 at σ̃ = √2/2 move z by 0.4/√2 = 0.283 either way: both kinks are out of reach
// for biases from 0.29 to 0.71, above 1.29 and below −0.29.
func TestBends(t *testing.T) {
	inputs := boxOf([]float64{0.5, 0.5}, math.Sqrt(0.5))
	for bias, bends := range map[float64]bool{-0.29: false, -0.27: true, 0.27: true, 0.29: false, 0.71: false, 0.73: true,
		1.27: true, 1.29: false} {
		net := truncated.Net{W: mat.NewDense(1, 2, []float64{0.3, -0.1}), B: []float64{bias}, A: []float64{1}}
		require.Equal(t, bends, inputs.bends(net), "bias %v", bias)
	}
}

// On the crossed inputs the probabilities add up to 1, and for every affine h only the equal patterns contribute to the
// mean of yh, so that no loss is below λ.
func TestCrossedInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	law := data.Wide{Dim: 6, Support: []int{0, 3, 4}, Accept: data.Parity(3), Pattern: data.Uniform(3, 0.4),
		Background: 0.5}
	crossed := drawTests(r, law, 10, 50).crossed
	for range 20 {
		w, b := gen.Gaussian(r, 1, 6, 3).RawRowView(0), r.NormFloat64()
		mass, loss, onUniform := 0.0, 0.0, 0.0
		for i, p := range crossed.P {
			h := b
			for j, x := range crossed.X.RawRowView(i) {
				h += w[j] * x
			}
			mass += p
			loss += p * max(0, 1-crossed.Y[i]*h)
			onUniform += crossed.Y[i] * h / float64(len(crossed.P))
		}
		require.InDelta(t, 1, mass, 1e-13)
		require.InDelta(t, 0, onUniform, 1e-13)
		require.GreaterOrEqual(t, loss, 0.4-1e-13)
	}
}
