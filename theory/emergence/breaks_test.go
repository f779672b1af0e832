package emergence

import (
	"math"
	"testing"
)

// Without weight outside A, or with weights on A that add up to 0, nothing is missed: the law of the sampled step is
// left. Outside the hypotheses there is no number.
func TestFirstStep(t *testing.T) {
	d := Direction{Mixture: Mixture{Dim: 5, Count: 3, Background: 0.5, Uniform: 0.5}, Samples: 1000, Rho: 1}
	relevant := []float64{1, 1, 1, 0, 0}
	const bias, noise = 0.1, 0.2
	sampled := func(q []float64, deviation float64) float64 {
		at := d
		at.Rho = Rho(bias, deviation, noise)
		return 2 * at.Tan2() * (1 + at.Dependence(q, relevant, bias, deviation, noise))
	}
	sigma := d.Mixture.Deviation()
	for _, c := range []struct {
		q      []float64
		square float64
		missed bool
	}{{[]float64{0.3, 0.2, 0.1, 0, 0}, 0.14, false}, {[]float64{0.1, -0.3, 0.2, 0.4, 0.3}, 0.39, false},
		{[]float64{0.3, 0.2, 0.1, 0.4, 0.3}, 0.39, true}} {
		got, want := d.FirstStep(2, c.q, relevant, bias, noise), sampled(c.q, math.Sqrt(c.square/4)/sigma)
		if off := got - want; math.Abs(off) > 1e-15 != c.missed {
			t.Errorf("weights %v: %v, without what is missed %v", c.q, got, want)
		}
	}
	if !math.IsNaN(d.FirstStep(2, []float64{1}, relevant, bias, noise)) {
		t.Error("one weight for five bits")
	}
}
