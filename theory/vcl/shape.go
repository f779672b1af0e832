package vcl

import (
	"maps"
	"math"
	"slices"

	"github.com/thm-suite/thm/theory/hermite"
)

// Shape holds the properties of an activation that the theorems use.
type Shape struct {
	Lipschitz float64 // L = sup|σ′|
	Monotone  bool    // σ is non-decreasing
	Curvature float64 // sup|σ″|; NaN when σ has a kink
	Third     float64 // sup|σ‴|; NaN when σ has a kink
	Slope     func(z float64) float64
}

// Shapes are the eight activations by name.
//
// GELU: σ′ = Φ + zφ has its extremum where σ″ = φ(z)(2−z²) vanishes, at z = √2; sup|σ″| = 2φ(0); σ‴ = φ(z)z(z²−4) is
// extremal where z⁴ − 7z² + 4 = 0. tanh: |σ″| = 2t(1−t²) is largest at t = 1/√3, |σ‴| at t = 0. Sigmoid: with
// y = σ(1−σ) ≤ ¼, |σ″| = y√(1−4y) is largest at y = 1/6, and |σ‴| = |y(1−6y)| at y = ¼. Softplus is one integral
// higher.
var Shapes = map[string]Shape{
	"identity": {1, true, 0, 0, func(float64) float64 { return 1 }},
	"relu": {1, true, math.NaN(), math.NaN(),
		func(z float64) float64 { return math.Max(0, math.Copysign(1, z)) }},
	"leaky-relu": {1, true, math.NaN(), math.NaN(),
		func(z float64) float64 { return math.Max(0.125, math.Copysign(1, z)) }},
	"tanh": {1, true, 4 / (3 * math.Sqrt(3)), 2,
		func(z float64) float64 { return 1 / (math.Cosh(z) * math.Cosh(z)) }},
	"sigmoid": {0.25, true, 1 / (6 * math.Sqrt(3)), 0.125,
		func(z float64) float64 { return 0.25 / (math.Cosh(z/2) * math.Cosh(z/2)) }},
	"softplus": {1, true, 0.25, 1 / (6 * math.Sqrt(3)), func(z float64) float64 { return (1 + math.Tanh(z/2)) / 2 }},
	"gelu":     {geluSlope(math.Sqrt2), false, math.Sqrt(2 / math.Pi), geluThird(), geluSlope},
	"z-sin":    {2, true, 1, 1, func(z float64) float64 { return 1 - math.Cos(z) }},
}

// shapeNames lists the names in alphabetical order.
func shapeNames() []string { return slices.Sorted(maps.Keys(Shapes)) }

func geluSlope(z float64) float64 {
	return (1+math.Erf(z/math.Sqrt2))/2 + z*hermite.PDF(z)
}

// geluThird returns the larger of |φ(z)z(z²−4)| at the two positive roots of z⁴ − 7z² + 4.
func geluThird() float64 {
	largest := 0.0
	for _, square := range []float64{(7 - math.Sqrt(33)) / 2, (7 + math.Sqrt(33)) / 2} {
		z := math.Sqrt(square)
		largest = math.Max(largest, math.Abs(hermite.PDF(z)*z*(square-4)))
	}
	return largest
}
