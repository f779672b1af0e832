package hessian

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
)

// Moments of coordinates of a random point on the sphere: E u₁^2i u₂^2j is a product of double factorials over d(d+2)…
func TestCubatureIntegratesEvenPolynomials(t *testing.T) {
	double := func(k int) float64 { // (k−1)!! for even k
		x := 1.0
		for j := k - 1; j > 1; j -= 2 {
			x *= float64(j)
		}
		return x
	}
	for _, c := range []struct{ d, r, n int }{{2, 1, 4}, {2, 2, 8}, {3, 2, 6}, {3, 3, 6}, {4, 3, 4}, {1000, 2, 8}} {
		for i := 0; i <= 2*c.n-2; i += 2 {
			for j := 0; i+j <= 2*c.n-2; j += 2 {
				if c.r == 1 && j > 0 {
					continue
				}
				got, want := 0.0, double(i)*double(j)
				for _, p := range cubature(c.d, c.r, c.n) {
					x := p.weight * math.Pow(p.at[0], float64(i))
					if j > 0 {
						x *= math.Pow(p.at[1], float64(j))
					}
					got += x
				}
				for k := 0; k < (i+j)/2; k++ {
					want /= float64(c.d + 2*k)
				}
				if !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("%+v: E u₁^%d u₂^%d = %v, want %v", c, i, j, got, want)
				}
			}
		}
	}
}

// The normalisation and the mean Hessian of the targets of the figures, by multiplying out and differentiating.
func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		name  string
		r     int
		trace float64
	}{{"", 1, math.Sqrt2}, {"", 16, math.Sqrt(32)}, {"alternating signs", 2, 0}, {"alternating signs", 16, 0},
		{"He₄, H = 0", 1, 0}, {"H of rank 1, weaker direction", 2, 1}, {"with a linear part", 2, math.Sqrt(0.2)}} {
		f := target.Monomials(comparison(c.name, c.r))
		square, trace := f.Times(f).Mean(), 0.0
		for i := range c.r {
			trace += f.Derivative(i).Derivative(i).Mean()
		}
		const rounding = 200 * roundoff.Unit // up to 16² products of coefficients of order one
		if !(math.Abs(square-1) <= rounding && math.Abs(trace-c.trace) <= rounding*6) {
			t.Errorf("%s, r = %d: E f² = %v, tr H = %v; want 1 and %v", c.name, c.r, square, trace, c.trace)
		}
	}
}
