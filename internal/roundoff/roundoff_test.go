package roundoff_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
)

func TestUnits(t *testing.T) {
	require.Equal(t, math.Nextafter(1, 2)-1, float64(roundoff.Ulp))
	require.Equal(t, 1-math.Nextafter(1, 0), float64(roundoff.Unit))
}

// TestGamma: γ_n is at least what n worst roundings add up to, and not more than that by its second-order terms.
func TestGamma(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 1 << 20} {
		grown := -math.Expm1(float64(n)*math.Log1p(-roundoff.Unit)) / (1 - float64(n)*roundoff.Unit)
		got, first := roundoff.Gamma(n), float64(n)*roundoff.Unit
		require.GreaterOrEqual(t, got, first)
		require.InEpsilon(t, grown, got, first+4*roundoff.Ulp)
	}
}
