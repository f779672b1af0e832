package procrustes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/procrustes"
)

// rotated takes the first step of a layer in factors in the guise of a solver.
type rotated struct{}

func (rotated) Solve(p procrustes.Problem) (procrustes.Step, error) {
	var next procrustes.Rotated
	step, err := procrustes.NewRotated(p.W).StepInto(&next, p.Rate, p.Gamma, p.H, dense.Mul(p.W, mat.DenseCopyOf(p.H)))
	if err == nil {
		step.W = next.Weights()
	}
	return step, err
}

// TestRotatedStaysOnItsWay takes 300 steps, in which the layer renews itself twice, beside [procrustes.Polar] on the weights themselves: wide and tall
// layers, batches for which FFᵀ is updated and such for which it is computed. Both ways the weights gather a few roundings per step.
func TestRotatedStaysOnItsWay(t *testing.T) {
	for i, s := range [][3]int{{12, 30, 2}, {12, 30, 20}, {12, 10, 3}, {1, 3, 1}} {
		m, n, batch := s[0], s[1], s[2]
		r := stream(uint64(20 + i))
		p := generic(r, m, n, batch, 0.02)
		layer, spare := procrustes.NewRotated(p.W), new(procrustes.Rotated)
		for range 300 {
			p.Gamma, p.H = gaussian(r, m, batch), gaussian(r, n, batch)
			step, err := layer.StepInto(spare, p.Rate, p.Gamma, p.H, dense.Mul(layer.F, p.H))
			require.NoError(t, err)
			require.Nil(t, step.W)
			layer, spare = spare, layer
			p.W = solve(t, procrustes.Polar{}, p).W
		}
		var d mat.Dense
		d.Sub(layer.Weights(), p.W)
		if e := mat.Norm(&d, 2) / mat.Norm(p.W, 2); !(e <= 1e-11) {
			t.Errorf("%v: the weights differ by %v", s, e)
		}
		d.Reset()
		d.Mul(layer.R, layer.R.T())
		for i := range m {
			d.Set(i, i, d.At(i, i)-1)
		}
		if e := mat.Norm(&d, 2); !(e <= 100*u*math.Sqrt(float64(m))*math.Sqrt(300)) {
			t.Errorf("%v: R is off orthogonality by %v", s, e)
		}
	}
}

func TestRotatedRefuses(t *testing.T) {
	p := generic(stream(30), 3, 5, 2, 0.1)
	h, gamma := mat.DenseCopyOf(p.H), mat.DenseCopyOf(p.Gamma)
	layer, next, y := procrustes.NewRotated(p.W), new(procrustes.Rotated), dense.Mul(p.W, h)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for _, spoilt := range []*mat.Dense{h, gamma, y} {
			good := spoilt.At(1, 1)
			spoilt.Set(1, 1, bad)
			_, err := layer.StepInto(next, 0.1, gamma, h, y)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			spoilt.Set(1, 1, good)
		}
		_, err := layer.StepInto(next, bad, gamma, h, y)
		require.ErrorContains(t, err, "step size")
	}
	require.True(t, mat.Equal(p.W, layer.Weights()))
	_, err := layer.StepInto(next, 0.1, gamma, h, y)
	require.NoError(t, err, "memory that held NaN")
	require.Panics(t, func() { _, _ = layer.StepInto(layer, 0.1, gamma, h, y) })
	require.Panics(t, func() { _, _ = layer.StepInto(next, 0.1, gamma, h, nil) })
	require.Panics(t, func() { _, _ = layer.StepInto(next, 0.1, h, h, y) })
}
