package truncated_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

// The sums over blocks are those over a list of inputs: fewer bits than in a block and more, with mirrors and without,
// with noise and without, where some inputs are beyond their margin.
func TestStateGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, dim := range []int{1, 4, 9, 11} {
		h := data.NewHidden(dim, []int{0}, data.Parity(1), data.Mixture(1, 3, 1), data.Odds{One: 1, Zero: 2})
		for _, gate := range []truncated.Smooth{0, 0.3} {
			alone := truncated.Net{W: gaussian(r, 5, dim, 1), B: []float64{0.1, -0.1, 0.2, 0.3, 0.05},
				A: []float64{2, -3, 4, 1, -5}}
			even := truncated.Net{W: gaussian(r, 4, dim, 1), B: alone.B[:4], A: alone.A[:4]}
			paired := truncated.Paired(alone.W, alone.B, alone.A)
			mirrored := truncated.Net{W: paired.W, B: paired.B, A: []float64{2, -3, 4, 1, -5, 1, 3, -4, 2, 6}}
			for _, net := range []truncated.Net{alone, even, paired, mirrored} {
				want, got := net.Gradient(h.Inputs(dense.Identity(dim)), gate), net.StateGradient(h, gate)
				var diff mat.Dense
				diff.Sub(got.W, want.W)
				close(t, "gradient in W", mat.Norm(&diff, 2), 0, 1e-12)
				close(t, "gradient in b", floats.Distance(got.B, want.B, 2), 0, 1e-12)
				close(t, "gradient in a", floats.Distance(got.A, want.A, 2), 0, 1e-12)
				close(t, "loss", got.Loss, want.Loss, 1e-12)
				close(t, "passing", got.Passing, want.Passing, 1e-12)
			}
		}
	}
}
