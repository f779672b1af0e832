package latent

import (
	"math"
	"testing"
)

// The normalisation and the mean Hessian of the targets, by multiplying out and differentiating.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name          targetName
		r             int
		square, trace float64
	}{
		{isotropic, 1, 1, math.Sqrt2}, {isotropic, 4, 1, math.Sqrt(8)}, {isotropic, 16, 1, math.Sqrt(32)},
		{alternating, 2, 1, 0}, {alternating, 16, 1, 0},
		{quartic, 1, 1, 0}, {deficient, 2, 1, 1}, {withLinear, 2, 1, 1 / math.Sqrt(5)}, {doubled, 4, 4, 2 * math.Sqrt(8)},
	} {
		f := monomials(c.name.expansion(c.r))
		square, trace := f.Times(f).Mean(), 0.0
		for i := range c.r {
			trace += f.Derivative(i).Derivative(i).Mean()
		}
		const rounding = 200 * 0x1p-53 // up to 16² products of coefficients of order one
		if !(math.Abs(square-c.square) <= rounding*c.square && math.Abs(trace-c.trace) <= rounding*6) {
			t.Errorf("%s, r = %d: E f² = %v, tr H = %v; want %v and %v", c.name, c.r, square, trace, c.square, c.trace)
		}
	}
}
