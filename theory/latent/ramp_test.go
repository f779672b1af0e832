package latent

import (
	"math"
	"testing"
)

// Ramps whose errors can be seen: the straight line, the midpoint rule, the constant 1, and the constant 0 in the cell.
func TestCellRamp(t *testing.T) {
	for _, c := range []struct{ h, p, q, distance, norm float64 }{
		{0.3, 0, 1, 0, 2 / 0.3},
		{1, 0.5, 0.5 + 0x1p-40, 1. / 12, 0x1p41},
		{3, 0, 0x1p-40, 1, 0x1p41 / 3},
		{3, 1 - 0x1p-40, 1, 1, 0x1p41 / 3},
		{1, 0, 0.5, 1. / 12, 4}, // ∫₀^½ u² + ∫_½¹ (1−u)²
	} {
		s := CellRamp{c.h, c.p, c.q}
		about(t, "distance", s.Distance(), c.distance, 1e-11)
		about(t, "error", s.Error(), c.h/6+c.distance, 1e-11)
		about(t, "norm", s.Norm(), c.norm, 1e-11*c.norm)
		about(t, "farthest", s.Farthest(s.SmallestNorm()+1/c.h), 1, 1e-14)
		about(t, "smallest norm", s.SmallestNorm(), 2/c.h, 1e-11)
	}
	for _, s := range []CellRamp{{0, 0, 1}, {1, 0.5, 0.5}, {1, -0.1, 0.5}, {1, 0.5, 1.1}} {
		if !math.IsNaN(s.Bound()) || !math.IsNaN(s.Error()) || !math.IsNaN(s.Norm()) || !math.IsNaN(s.SmallestNorm()) ||
			!math.IsNaN(s.Farthest(1)) {
			t.Errorf("%+v has an error or a norm", s)
		}
	}
	// At θ the line across the cell is off as the interpolant of min(s, t) is; its mean over θ is the bound.
	mean := 0.0
	for i := range 1000 {
		mean += StepError(10, (float64(i)+0.5)/1000) / 1000
	}
	about(t, "mean over θ", mean, CellRamp{0.1, 0, 1}.Bound(), 1e-7)
}
