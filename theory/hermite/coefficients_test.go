package hermite_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/hermite"
)

// The activations as functions, to hold the closed forms against quadrature.
func functions() map[string]struct {
	closed       hermite.Activation
	value, slope func(float64) float64
} {
	type entry = struct {
		closed       hermite.Activation
		value, slope func(float64) float64
	}
	const r, t = 1.7, -0.6
	return map[string]entry{
		"phase-sine": {hermite.PhaseSine(r, t),
			func(z float64) float64 { return r*math.Sin(z+t) - r*math.Exp(-0.5)*math.Sin(t) },
			func(z float64) float64 { return r * math.Cos(z+t) }},
		"series": {hermite.Series(0.3, 0.8, -0.5, 0.25),
			func(z float64) float64 { return 0.3 + 0.8*z - 0.5*(z*z-1) + 0.25*(z*z*z-3*z) },
			func(z float64) float64 { return 0.8 - z + 0.25*(3*z*z-3) }},
		"tanh": {hermite.Tanh(), math.Tanh, func(z float64) float64 { return 1 - math.Tanh(z)*math.Tanh(z) }},
		"relu": {hermite.CentredReLU(),
			func(z float64) float64 { return max(z, 0) - 1/math.Sqrt(2*math.Pi) },
			func(z float64) float64 {
				if z > 0 {
					return 1
				}
				return 0
			}},
	}
}

func TestClosedFormsAgreeWithQuadrature(t *testing.T) {
	for name, f := range functions() {
		for k := range 9 {
			// |E σHeₖ| ≤ √(E σ² k!), and the quadrature is good to some 20 roundings of that.
			close(t, name+" coefficient", f.closed.Coefficient(k), hermite.Coefficient(f.value, k),
				40*roundoff.Unit*math.Sqrt(f.closed.Energy/hermite.Factorial(k)))
		}
		// Energies are of order one; 1e-14 is some fifty roundings.
		close(t, name+" energy", f.closed.Energy,
			hermite.Expectation(func(z float64) float64 { return f.value(z) * f.value(z) }), 1e-14)
		close(t, name+" energy of the slope", f.closed.SlopeEnergy,
			hermite.Expectation(func(z float64) float64 { return f.slope(z) * f.slope(z) }), 1e-14)
	}
}

// Values worked out by hand (sine and cosine) and tabulated with mpmath (tanh, ReLU), to the digits given.
func TestCoefficientsOfNamedActivations(t *testing.T) {
	sincos := hermite.PhaseSine(math.Sqrt(2*math.E), math.Pi/4) // √e(sin z + cos z) − 1
	for k, want := range []float64{0, 1, -1. / 2, -1. / 6, 1. / 24, 1. / 120} {
		close(t, "sine plus cosine", sincos.Coefficient(k), want, 1e-15)
	}
	close(t, "its energy", sincos.Energy, math.E-1, 1e-15)
	close(t, "its nonlinear energy", sincos.Nonlinear(), math.E-2, 1e-15)
	close(t, "the energy of its slope", sincos.SlopeEnergy, math.E, 1e-15)

	tanh := hermite.Tanh()
	close(t, "tanh c₁", tanh.Coefficient(1), 0.6057055, 5e-8)
	close(t, "tanh c₃", tanh.Coefficient(3), -0.0605992, 5e-8)
	close(t, "tanh nonlinear energy", tanh.Nonlinear(), 0.0274153, 5e-8)
	close(t, "tanh slope energy", tanh.SlopeEnergy, 0.4644029, 5e-8)

	relu := hermite.CentredReLU()
	close(t, "ReLU c₂", relu.Coefficient(2), 0.1994711, 5e-8)
	close(t, "ReLU c₄", relu.Coefficient(4), -0.0166226, 5e-8)
	close(t, "ReLU nonlinear energy", relu.Nonlinear(), 0.0908451, 5e-8)
}

func TestFactorials(t *testing.T) {
	for k, want := range []float64{1, 1, 2, 6, 24, 120} {
		require.Equal(t, want, hermite.Factorial(k))
	}
	for k, want := range []float64{1, 1, 1, 2, 3, 8, 15, 48, 105} {
		require.Equal(t, want, hermite.DoubleFactorial(k-1))
	}
	require.Panics(t, func() { hermite.Factorial(-1) })
	require.Panics(t, func() { hermite.DoubleFactorial(-2) })
}
