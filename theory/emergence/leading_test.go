package emergence

import (
	"math"
	"testing"
)

// Noise 3/10 and a background of deviation 4/10 are together 1/2: 100 bits of weight q = σ̃/12.5 with p_o = 1/2.
func TestTogether(t *testing.T) {
	const sigma = 5.0
	near(t, "τ", Together(0.3, 0.5, 100*math.Pow(sigma*0.4/5, 2), sigma), 0.5, 1e-15)
	if x := Together(-1, 0.5, 1, 1); !math.IsNaN(x) {
		t.Errorf("negative noise: %v", x)
	}
}

// With the upper cut out of reach Ψ″(b) = −(b/τ²)f(b) for the density f of N(0, τ²).
func TestLeadingOrderIsTheDensity(t *testing.T) {
	m := Mixture{Dim: 400, Count: 5, Background: 0.5, Uniform: 0.5}
	s := LeadingOrder(m, 400*0.01, 0.02, 0.001)
	tau, sigma := s.Noise, m.Deviation()
	density := math.Exp(-0.02*0.02/(2*tau*tau)) / (tau * math.Sqrt(2*math.Pi))
	want := -0.02 / (tau * tau) * density * 0.25 / (sigma * sigma) * 0.3 * 0.25 / sigma * 0.7
	near(t, "T outside A", s.Outside(0.3, 0.7), want, 1e-12*math.Abs(want))
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v up to %v", what, got, want, tolerance)
	}
}
