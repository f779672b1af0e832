package spectra

import (
	"math"
	"testing"
)

// TestSmallest compares with quadratures of the density with Tricomi's function, and with the case n = 1.
func TestSmallest(t *testing.T) {
	for _, c := range []struct {
		n       int
		x, want float64 // P(nλ ≤ x)
	}{
		{1, 1, 0.6826894921371},
		{2, 1, 0.7244175547987},
		{5, 1, 0.7548638612858},
		{20, 0.5, 0.6102281966222},
		{math.MaxInt, 1, 0.7768698398516},
		{math.MaxInt, 0.5, 0.6159977170334},
	} {
		near(t, "law", Smallest{c.n}.Below(math.Sqrt(c.x)), c.want, 1e-12)
	}
	near(t, "mean", Smallest{math.MaxInt}.Mean(), 0.655679542419, 1e-12)
	near(t, "mean of many", Smallest{1000000}.Mean(), 0.655679542419, 1e-6)
	near(t, "median", Smallest{math.MaxInt}.Below(math.Sqrt(1+2*math.Ln2)-1), 0.5, 1e-12)
	for _, n := range []int{1, 2, 3, 10, 40, 100000} { // the whole mass, and the density at 0 of σ
		near(t, "mass", Smallest{n}.Below(60), 1, 1e-12)
		up, _ := math.Lgamma(float64(n+1) / 2)
		down, _ := math.Lgamma(float64(n) / 2)
		near(t, "density", Smallest{n}.Below(1e-6)/1e-6, math.Sqrt(2/float64(n))*math.Exp(up-down), 1e-8)
	}
	for _, x := range []float64{Smallest{0}.Below(1), Smallest{3}.Below(-1), Smallest{0}.Mean()} {
		if !math.IsNaN(x) {
			t.Errorf("%v outside of the hypotheses", x)
		}
	}
}
