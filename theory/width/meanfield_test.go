package width

import (
	"math"
	"testing"
)

func TestMeanField(t *testing.T) {
	s := ParticleStep{10, 0.5, 1}
	near(t, "mean", s.Mean(), 0.95, 1e-15)
	near(t, "variance", s.Variance(), 0.097625, 1e-15)
	near(t, "one step by hand", ParticleStep{1, 0.5, 2}.Output(6, 13), 6*5-2*13, 0)
	near(t, "distance of linear particles", ParticleStep{50, 0.5, 3}.Distance("linear"), 0.25*(2./50+4./2500), 1e-15)
	large := ParticleStep{1e6, 0.5, 1}
	near(t, "limit", 1e6*large.Variance(), 1.0625, 1e-5)
	near(t, "independent", 1e6*large.Independent(), 2.5625, 1e-12)
	near(t, "no step", ParticleStep{7, 0, 1}.Variance(), 1./7, 1e-15)
	near(t, "tanh moves less", ParticleStep{7, 1, 1}.Distance("tanh"), 0.0516, 1e-1)
	for name, got := range map[string]float64{
		"no particles": ParticleStep{0, 1, 1}.Mean(), "negative step": ParticleStep{1, -1, 1}.Variance(),
		"NaN": ParticleStep{1, 1, math.NaN()}.Output(1, 1), "unknown": ParticleStep{1, 1, 1}.Distance("step"),
		"not valid": ParticleStep{0, 1, 1}.Distance("relu"), "none": ParticleStep{0, 1, 1}.Independent(),
	} {
		near(t, name, got, math.NaN(), 0)
	}
}
