package stat

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDetectable(t *testing.T) {
	// Computed with 25 digits by mpmath 1.3.0, by adaptive quadrature of the noncentral t distribution, and printed
	// with nine. 1e-8 is two units of the ninth digit at worst.
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
		found := Detectable(3, n, c.alpha, c.beta) * math.Sqrt(float64(n)) / 3
		near(t, found, c.want, 1e-8, fmt.Sprint("detectable at ", c))
	}
	// With many draws it is the sum of two normal quantiles.
	near(t, Detectable(1, 1e8, 0.05, 0.2)*1e4, 1.95996398+0.84162123, 1e-6, "normal limit")
	require.Equal(t, Detectable(1, 30, 0.01, 0.05), Zone(1, 30, 0.01, 0.1))
	require.Zero(t, Detectable(0, 30, 0.01, 0.05))
}

func TestDetectableSlope(t *testing.T) {
	// Abscissae with Sxx = 8 and 12 points are like a mean with 11 points of which only the standard error differs.
	x := []float64{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}
	want := Detectable(3, 11, 1e-4, 0.05) * math.Sqrt(11.0/8)
	near(t, DetectableSlope(x, 3, 1e-4, 0.05), want, 1e-12, "detectable slope")
}
