package poly_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/poly"
)

// All coefficients and points here are small integers or halves, on which the arithmetic is exact.
var cubic = poly.New(map[poly.Exponents]float64{poly.Powers(2, 1): 1, poly.Powers(1, 1): 2, poly.Powers(0, 3): -1,
	poly.Powers(1): 0.5, poly.Powers(): 1})

func TestArithmeticAgreesWithValues(t *testing.T) {
	other := poly.Variable(2).Plus(poly.Constant(-3))
	for _, x := range [][]float64{{0, 0, 0}, {1, 2, 3}, {-2, 0.5, 4}, {3, -1, -1}} {
		a, b := cubic.At(x), other.At(x)
		require.Equal(t, x[0]*x[0]*x[1]+2*x[0]*x[1]-x[1]*x[1]*x[1]+x[0]/2+1, a)
		require.Equal(t, a+b, cubic.Plus(other).At(x))
		require.Equal(t, a*b, cubic.Times(other).At(x))
		require.Equal(t, -2*a, cubic.Scaled(-2).At(x))
		require.Equal(t, 2*x[0]*x[1]+2*x[1]+0.5, cubic.Derivative(0).At(x))
		require.Equal(t, 0.0, cubic.Derivative(2).At(x))
		q := [][]float64{{1, 2, 0}, {0, -1, 3}, {5, 0, 0}}
		z := []float64{x[0] + 2*x[1], -x[1] + 3*x[2], 5 * x[0]}
		require.Equal(t, cubic.At(z), cubic.Substitute(q).At(x))
	}
	require.Equal(t, 3, cubic.Degree())
	require.Equal(t, 2, cubic.Variables())
	require.Equal(t, "x1^2 x2", poly.Powers(2, 1, 0).String())
	require.Equal(t, poly.Powers(2, 1), poly.Powers(2, 1, 0, 0))
	require.Equal(t, "x1^2 - 1", poly.Hermite(2, 0).String())
	require.Equal(t, "-x1^3 + 0.5 x2 - 3",
		poly.New(map[poly.Exponents]float64{poly.Powers(3): -1, poly.Powers(0, 1): 0.5, 0: -3}).String())
	require.Equal(t, "0", poly.Constant(0).String())
}

func TestOperationsLeaveOperandsAlone(t *testing.T) {
	before := cubic.Scaled(1)
	cubic.Plus(poly.Variable(0))
	cubic.Times(cubic)
	cubic.Derivative(1)
	cubic.Substitute([][]float64{{1, 1}, {1, -1}})
	cubic.Absolute()
	require.Equal(t, before, cubic)
}

func TestHermitePolynomialsAreOrthogonal(t *testing.T) {
	for j := range 8 {
		for k := range 8 {
			want := 0.0
			if j == k {
				want = math.Gamma(float64(k + 1))
			}
			require.Equal(t, want, poly.Hermite(j, 1).Times(poly.Hermite(k, 1)).Mean(), "degrees %d and %d", j, k)
		}
	}
	require.Equal(t, poly.New(map[poly.Exponents]float64{poly.Powers(0, 4): 1, poly.Powers(0, 2): -6, poly.Powers(): 3}),
		poly.Hermite(4, 1))
}

func TestSteinIdentity(t *testing.T) { // E xᵢp(x) = E ∂ᵢp(x)
	p := cubic.Times(cubic)
	for i := range 3 {
		require.Equal(t, p.Derivative(i).Mean(), p.Times(poly.Variable(i)).Mean())
	}
}

func TestMisuseIsTold(t *testing.T) {
	const limits = "poly: exponents outside the limits"
	require.PanicsWithValue(t, limits, func() { poly.Powers(1, -1) })
	require.PanicsWithValue(t, limits, func() { poly.Powers(8, 8) })
	require.PanicsWithValue(t, limits, func() { poly.Variable(16) })
	require.PanicsWithValue(t, limits, func() { poly.Hermite(16, 0) })
	require.PanicsWithValue(t, limits, func() { poly.Hermite(8, 0).Times(poly.Hermite(8, 1)) })
	require.PanicsWithValue(t, "poly: substitution has fewer rows than the polynomial has variables",
		func() { cubic.Substitute([][]float64{{1}}) })
}
