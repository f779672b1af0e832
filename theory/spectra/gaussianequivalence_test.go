package spectra

import (
	"math"
	"testing"
)

// TestRandomFeatures compares with solutions of the quartic equation of Pennington and Worah, and with the case n = d =
// N = 1.
func TestRandomFeatures(t *testing.T) {
	for _, c := range []struct {
		f       RandomFeatures
		q, want float64
	}{
		{FeaturesOf("quadratic", 2, 1), 3.919768269749, 3.919768269749},
		{RandomFeatures{0.64, 0.18, 1, 1}, 3.472832735209, 3.472832735209},
		{FeaturesOf("tanh", 2, 1), 5.632630, 5.632630},
		{FeaturesOf("relu", 2, 1), 4.979637, 4.979637},
		{FeaturesOf("sine", 2, 1), 3.302599, 3.302599},
	} {
		tolerance := 1e-11
		if c.q*1e6 == math.Round(c.q*1e6) {
			tolerance = 2e-7
		}
		q, m := c.f.Resolvents(0.1)
		near(t, "q", q, c.q, tolerance)
		near(t, "kernel", m, c.want, tolerance)
	}
	f := RandomFeatures{0.5, 0.2, 3, 0.4}
	q, m := f.Resolvents(0.7)
	near(t, "spectra of FᵀF and FFᵀ", q, f.Nu*m+(1-f.Nu)/0.7, 1e-13)
	zero, _ := RandomFeatures{0, 0.3, 2, 1}.Resolvents(0.1)
	small, _ := RandomFeatures{1e-13, 0.3, 2, 1}.Resolvents(0.1)
	near(t, "no linear part", zero, small, 1e-9)
	for activation, want := range map[string][2]float64{"tanh": {.6057055, .0274153}, "relu": {.5, .0908451},
		"sine": {.5403023, .4356868}} {
		f := FeaturesOf(activation, 2, 1)
		near(t, "a", math.Sqrt(f.A2), want[0], 1e-6)
		near(t, "s²", f.S2, want[1], 2e-6)
	}
	// The linear model of the same energies has another second moment, by 6.9552/n.
	gap := func(n, d, width float64) float64 {
		f, q := Quadratic{int(n), int(d), int(width), 0.8, 0.3}, 0.8*0.8+2*0.3*0.3
		linear := (width-1)/width*((n-1)*math.Pow(0.8, 4)/d+q*q+2*math.Pow(0.8, 4)/d) + (n+2)*q*q/width
		return f.SecondMoment() - linear
	}
	near(t, "gap", gap(20, 10, 15), 2.755924-2.416576, 1e-12)
	for n, want := range map[float64]float64{40: 6.872, 400: 6.947, 4000: 6.9544, 4e5: 6.9552} {
		near(t, "n × gap", n*gap(n, n/2, 0.75*n), want, 1e-4)
	}
	near(t, "second moment", Quadratic{20, 10, 15, 0.8, 0.3}.SecondMoment(), 2.755924, 1e-12)
	near(t, "one of all", Quadratic{1, 1, 1, 1, 0}.SecondMoment(), 3, 1e-15)
	nan, _ := RandomFeatures{1, 0, 0, 1}.Resolvents(1)
	near(t, "τ = 0", nan, math.NaN(), 0)
}
