package onestep

import (
	"math"
	"testing"
)

// Thresholds and places of a linear teacher with noise of variance 1/4, computed apart.
func TestFeatureSpike(t *testing.T) {
	for _, c := range []struct {
		activation                            string
		phi, psi, edge, threshold, two, eight float64
	}{
		{"sincos", 0.5, 0.5, 3.301137, 1.320299, 3.610379, 10.464392},
		{"tanh", 0.8, 0.4, 2.135747, 2.200158, 2.135747, 4.405269},
		{"relu", 0.4, 1, 1.223912, 2.074767, 1.223912, 2.598011},
	} {
		act := Activation(c.activation)
		step := Step{Phi: c.phi, Psi: c.psi, Activation: act, Linear: 1, Energy: 1.25}
		c1 := act.Coefficient(1)
		at := func(eta float64) FeatureSpike {
			return FeatureSpike{Features{Step: step}.Bulk(), c1 * c1 * eta * step.Length()}
		}
		// The threshold is where an outlier meets the edge, which determines it to fewer digits.
		if got := at(1).Threshold() / at(1).Strength; !(math.Abs(got-c.threshold) <= 1e-4*c.threshold) {
			t.Errorf("%s: threshold %.7g, want %.7g", c.activation, got, c.threshold)
		}
		for _, q := range [][2]float64{{at(1).Bulk.Edge(), c.edge}, {at(2).Largest(), c.two}, {at(8).Largest(), c.eight}} {
			if !(math.Abs(q[0]-q[1]) <= 2e-6*q[1]) {
				t.Errorf("%s: %.7g, want %.7g", c.activation, q[0], q[1])
			}
		}
		// The overlaps grow from 0 at the threshold to 1.
		if s := at(1.001 * c.threshold); !(s.Left() > 0 && s.Left() < 0.02 && s.Right() < 0.02) {
			t.Errorf("%s: overlaps %v and %v at the threshold", c.activation, s.Left(), s.Right())
		}
		if s := at(1000); !(math.Abs(s.Left()-1) < 1e-4 && math.Abs(s.Right()-1) < 1e-4) {
			t.Errorf("%s: overlaps %v and %v far out", c.activation, s.Left(), s.Right())
		}
	}
}

// Features that are all noise are the matrix of Benaych-Georges and Nadakuditi, whose closed forms WeightSpike has:
// F₀/√n has entries of variance c²/n, and is √(N/n)·c times one with entries of variance 1/N.
func TestFeatureSpikeOfNoise(t *testing.T) {
	b := Bulk{Phi: 0.7, Psi: 0.4, Linear: 1e-9, Nonlinear: 1.5}
	scale := math.Sqrt(1.5 * b.Phi / b.Psi) // entries of variance 1/N have aspect n/N = ψ/φ
	if got, want := (FeatureSpike{Bulk: b}).Threshold()/scale, math.Pow(b.Psi/b.Phi, 0.25); math.Abs(got-want) > 1e-6 {
		t.Errorf("threshold %.9g, want %.9g", got, want)
	}
	for _, strength := range []float64{1.2, 2, 5} {
		w := WeightSpike{Strength: strength, Psi: b.Phi / b.Psi}
		s := FeatureSpike{b, strength * scale}
		for _, q := range [][2]float64{{s.Largest() / scale, w.Largest()}, {s.Left(), w.Left()}, {s.Right(), w.Right()}} {
			if !(math.Abs(q[0]-q[1]) <= 1e-7) {
				t.Errorf("θ = %v: %.9g, want %.9g", strength, q[0], q[1])
			}
		}
	}
}
