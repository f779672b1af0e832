package procrustes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// factored takes the first step of a layer in factors in the guise of a solver, with an R that is not the identity.
type factored struct{}

func (factored) Solve(p procrustes.Problem) (procrustes.Step, error) {
	m, _ := p.W.Dims()
	r, err := linalg.PolarSVD(gaussian(stream(7), m, m))
	if err != nil {
		return procrustes.Step{}, err
	}
	layer, next := procrustes.NewFactored(dense.Mul(r.T(), p.W)), new(procrustes.Factored)
	h := mat.DenseCopyOf(p.H)
	u, step, err := layer.StepInto(next, p.Rate, dense.Mul(r.T(), mat.DenseCopyOf(p.Gamma)), h, dense.Mul(layer.F, h))
	if err == nil {
		step.W = dense.Mul(dense.Mul(r, u), step.W)
	}
	return step, err
}

// TestFactoredStaysOnItsWay takes 300 steps, in which FFᵀ is renewed twice, beside [procrustes.Polar] on the weights
// themselves: wide and tall layers, batches for which FFᵀ is updated and such for which it is computed. Both ways the
// weights gather a few roundings per step.
func TestFactoredStaysOnItsWay(t *testing.T) {
	for i, s := range [][3]int{{12, 30, 2}, {12, 30, 20}, {12, 10, 3}, {1, 3, 1}} {
		m, n, batch := s[0], s[1], s[2]
		rng := stream(uint64(20 + i))
		p := generic(rng, m, n, batch, 0.02)
		layer, spare := procrustes.NewFactored(p.W), new(procrustes.Factored)
		r := mat.NewDense(m, m, nil)
		for i := range m {
			r.Set(i, i, 1)
		}
		for range 300 {
			p.Gamma, p.H = gaussian(rng, m, batch), gaussian(rng, n, batch)
			u, _, err := layer.StepInto(spare, p.Rate, dense.Mul(r.T(), p.Gamma), p.H, dense.Mul(layer.F, p.H))
			require.NoError(t, err)
			r, layer, spare = dense.Mul(r, u), spare, layer
			p.W = solve(t, procrustes.Polar{}, p).W
		}
		var d mat.Dense
		d.Sub(dense.Mul(r, layer.F), p.W)
		if e := mat.Norm(&d, 2) / mat.Norm(p.W, 2); !(e <= 1e-11) {
			t.Errorf("%v: the weights differ by %v", s, e)
		}
	}
}

func TestFactoredRefuses(t *testing.T) {
	p := generic(stream(30), 3, 5, 2, 0.1)
	h, gamma := mat.DenseCopyOf(p.H), mat.DenseCopyOf(p.Gamma)
	layer, next, y := procrustes.NewFactored(mat.DenseCopyOf(p.W)), new(procrustes.Factored), dense.Mul(p.W, h)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, degraded := range []*mat.Dense{h, gamma, y} {
			good := degraded.At(1, 1)
			degraded.Set(1, 1, bad)
			_, _, err := layer.StepInto(next, 0.1, gamma, h, y)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			degraded.Set(1, 1, good)
		}
		_, _, err := layer.StepInto(next, bad, gamma, h, y)
		require.ErrorContains(t, err, "step size")
	}
	require.True(t, mat.Equal(p.W, layer.F))
	_, _, err := layer.StepInto(next, 0.1, gamma, h, y)
	require.NoError(t, err, "memory that held NaN")
	require.Panics(t, func() { _, _, _ = layer.StepInto(layer, 0.1, gamma, h, y) })
	require.Panics(t, func() { _, _, _ = layer.StepInto(next, 0.1, gamma, h, nil) })
	require.Panics(t, func() { _, _, _ = layer.StepInto(next, 0.1, h, h, y) })
}
