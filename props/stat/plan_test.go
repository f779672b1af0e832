package stat

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDetectable(t *testing.T) {
	// Computed with 25 digits by mpmath 1.3.0, by adaptive quadrature of the noncentral t distribution, and printed with
	// nine. 1e-8 is two units of the ninth digit at worst.
	for _, c := range []struct{ nu, alpha, beta, want float64 }{
		{1, 0.05, 0.1, 20.9644734},
		{4, 1e-8, 1e-3, 336.282375},
		{9, 0.05, 0.1, 3.65105547},
		{19, 1e-8, 1e-8, 20.5985193},
		{30, 1e-8, 1e-6, 14.7174085},
		{30, 0.5, 0.5, 0.677076009},
		{98, 1e-8, 1e-3, 9.64075409},
		{1000, 1e-8, 1e-3, 8.89411607},
		{10000, 0.05, 0.2, 2.80185431},
	} {
		n := int(c.nu) + 1
		near(t, Detectable(3, n, c.alpha, c.beta)*math.Sqrt(float64(n))/3, c.want, 1e-8, fmt.Sprint("detectable at ", c))
	}
	// With many draws it is the sum of two normal quantiles.
	near(t, Detectable(1, 1e8, 0.05, 0.2)*1e4, 1.95996398+0.84162123, 1e-6, "normal limit")
	require.Equal(t, Detectable(1, 30, 0.01, 0.05), Zone(1, 30, 0.01, 0.1))
	require.Zero(t, Detectable(0, 30, 0.01, 0.05))
}

func TestDetectableSlope(t *testing.T) {
	// Abscissae with Sxx = 8 and 12 points are like a mean with 11 points of which only the standard error differs.
	x := []float64{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	near(t, DetectableSlope(x, 3, 1e-4, 0.05), Detectable(3, 11, 1e-4, 0.05)*math.Sqrt(11.0/8), 1e-12, "detectable slope")
}

func TestSamplesNeeded(t *testing.T) {
	for _, d := range []float64{0.05, 0.3, 1, 40} {
		for _, alpha := range []float64{0.05, PartAlpha} {
			n := SamplesNeeded(1, d, alpha, 1e-3)
			require.LessOrEqual(t, Detectable(1, n, alpha, 1e-3), d, "the samples suffice")
			require.False(t, Detectable(1, n-1, alpha, 1e-3) <= d, "one less does not: n = %d", n)
		}
	}
}

func TestDetectableProportion(t *testing.T) {
	// Against p = 0 every success is decisive: 1-(1-q)^n = 1-beta.
	below, above := DetectableProportion(0, 20, 0.05, 0.1)
	near(t, above, 1-math.Pow(0.1, 1.0/20), 1e-12, "detectable beside 0")
	require.True(t, math.IsNaN(below))

	below, above = DetectableProportion(0.5, 100, 0.05, 0.1)
	near(t, 1-below, above, 1e-12, "symmetry")

	// Five coins cannot refute a fair one at 1e-8, whatever they show.
	below, above = DetectableProportion(0.5, 5, 1e-8, 0.1)
	require.True(t, math.IsNaN(below) && math.IsNaN(above))
}
