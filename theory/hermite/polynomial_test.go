package hermite_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/hermite"
)

func close(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

func TestPolynomialsByTheirCoefficients(t *testing.T) {
	// Abramowitz and Stegun, table 22.13. Everything is exact at these arguments.
	for _, x := range []float64{-3, -0.5, 0, 1, 2, 4} {
		for k, want := range []float64{1, x, x*x - 1, x*x*x - 3*x, x*x*x*x - 6*x*x + 3, x*x*x*x*x - 10*x*x*x + 15*x} {
			require.Equal(t, want, hermite.Polynomial(k, x))
		}
		require.Equal(t, x*x*x*x+6*x*x+3, hermite.Magnitude(4, x))
	}
	require.Equal(t, 105.0, hermite.Polynomial(8, 0)) // 7!!
	require.Equal(t, 105.0, hermite.Magnitude(8, 0))
	require.PanicsWithValue(t, "hermite: negative degree", func() { hermite.Polynomial(-1, 0) })
}

func TestPolynomialsAreOrthogonal(t *testing.T) {
	for j := range 9 {
		for k := range 9 {
			want := 0.0
			if j == k {
				want = math.Gamma(float64(k + 1))
			}
			got := hermite.Expectation(func(z float64) float64 {
				return hermite.Polynomial(j, z) * hermite.Polynomial(k, z)
			})
			// |E HeⱼHeₖ| ≤ E|HeⱼHeₖ| ≤ √(j!k!), and that is what the sum's terms add up to; each of them and each
			// weight carries some ten roundings.
			close(t, "E HeⱼHeₖ", got, want,
				20*roundoff.Unit*math.Sqrt(math.Gamma(float64(j+1))*math.Gamma(float64(k+1))))
		}
	}
}

func TestNormalDensityAndDistribution(t *testing.T) {
	close(t, "φ(0)", hermite.PDF(0), 0.3989422804014327, 1e-16)
	close(t, "Φ(1)", hermite.CDF(1), 0.8413447460685429, 2e-16)      // Abramowitz and Stegun, table 26.1
	close(t, "Φ(-8)", hermite.CDF(-8), 6.220960574271784e-16, 1e-29) // mpmath, 30 digits
	require.Equal(t, 0.5, hermite.CDF(0))
}

func TestExpectationsWithClosedForms(t *testing.T) {
	const tolerance = 20 * roundoff.Unit
	relu := func(z float64) float64 { return max(z, 0) }
	close(t, "E 1", hermite.Expectation(func(float64) float64 { return 1 }), 1, tolerance)
	close(t, "E sin²(2Z)", hermite.Expectation(func(z float64) float64 { return math.Pow(math.Sin(2*z), 2) }),
		(1-math.Exp(-8))/2, tolerance)
	close(t, "E e^Z", hermite.Expectation(math.Exp), math.Exp(0.5), 2*tolerance)
	close(t, "E ReLU(Z)", hermite.Expectation(relu), 1/math.Sqrt(2*math.Pi), tolerance)
	close(t, "E ReLU(Z)He₄(Z)",
		hermite.Expectation(func(z float64) float64 { return relu(z) * hermite.Polynomial(4, z) }),
		-1/math.Sqrt(2*math.Pi), 5*tolerance)
	// Kinks and jumps off the grid: the accuracy that the doc comment promises.
	close(t, "E|Z-0.3|", hermite.Expectation(func(z float64) float64 { return math.Abs(z - 0.3) }),
		2*hermite.PDF(0.3)+0.3*(2*hermite.CDF(0.3)-1), 1e-4)
	require.True(t, math.IsNaN(hermite.Expectation(func(float64) float64 { return math.NaN() })))
}
