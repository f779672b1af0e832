package spectra

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	theory "github.com/thm-suite/thm/theory/spectra"
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

// Means of λ over 40000 samples in standard deviations of three centres, with standard errors of 0.006. Ma's centre has
// the better rate, and Johnstone's the better value at these sizes.
func TestCentresOfTheLargest(t *testing.T) {
	for _, c := range []struct {
		n, p                   int
		johnstone, ma, neither float64
	}{{50, 25, -1.2091, -1.1672, -1.4064}, {100, 50, -1.2215, -1.1883, -1.3796}} {
		mean := exactLargest(c.n, c.p).Mean
		from := func(n, p float64) float64 {
			a, b := math.Sqrt(n), math.Sqrt(p)
			return (mean - (a+b)*(a+b)) / ((a + b) * math.Cbrt(1/a+1/b))
		}
		n, p := float64(c.n), float64(c.p)
		for _, x := range [][2]float64{{from(n-1, p), c.johnstone}, {from(n-0.5, p-0.5), c.ma}, {from(n, p), c.neither}} {
			require.Less(t, math.Abs(x[0]-x[1]), 0.03)
		}
		require.Less(t, math.Abs(from(n-1, p)-theory.TracyWidomMean), math.Abs(from(n-0.5, p-0.5)-theory.TracyWidomMean))
	}
}
