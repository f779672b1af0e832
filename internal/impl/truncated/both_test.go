package truncated

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many at once are the same bits as one at a time, at the kinks and beyond all numbers as well.
func TestBothAtOnce(t *testing.T) {
	for _, s := range []Smooth{0, 0.3} {
		z := []float64{math.Inf(-1), -2, -0x1p-1074, math.Copysign(0, -1), 0, 0x1p-1074, 0.3, 1 - 0x1p-53, 1, 1 + 0x1p-52, 7,
			math.Inf(1), math.NaN()}
		value, slope := make([]float64, len(z)), append([]float64{}, z...)
		s.both(value, slope)
		for i, x := range z {
			v, d := s.Both(x)
			require.Equal(t, math.Float64bits(v), math.Float64bits(value[i]), "value at %v", x)
			require.Equal(t, math.Float64bits(d), math.Float64bits(slope[i]), "slope at %v", x)
		}
	}
}
