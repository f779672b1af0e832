package spectra

import (
	"math"
	"testing"
)

// TestConfined has one column, whose length is χ with n degrees of freedom, and a 2×2 matrix, of which the sum and the
// difference of the singular values are independent Rayleigh variables times √2.
func TestConfined(t *testing.T) {
	for _, x := range []float64{0.1, 1, 2, 4} {
		if got, want := confined(2, 1, 0, x), -math.Expm1(-x*x/2); !(math.Abs(got-want) < 1e-13) {
			t.Errorf("χ₂ below %v: %v, want %v", x, got, want)
		}
		// P(|R₁ − R₂| > √2 x) = 2∫ r e^(−r²/2) e^(−(r+√2x)²/2) dr.
		s := x / math.Sqrt2
		want := math.Exp(-s*s) * (math.Exp(-s*s) - math.Sqrt(math.Pi)*s*math.Erfc(s))
		if got := confined(2, 2, x, math.Inf(1)); !(math.Abs(got-want) < 1e-13) {
			t.Errorf("2×2 above %v: %v, want %v", x, got, want)
		}
	}
}
