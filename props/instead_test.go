package props

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInstead asks for the fields that a control sets, in whatever order they come.
func TestInstead(t *testing.T) {
	type claims struct {
		Level  float64
		square func(float64) float64
	}
	check := claims{2, func(x float64) float64 { return x * x }}
	require.Equal(t, []bool{false, true, true}, []bool{says(claims{}), says(claims{Level: 1}), says(check.square)})
	c := instead(check, claims{square: func(x float64) float64 { return x }}).(claims)
	require.Equal(t, []float64{2, 3}, []float64{c.Level, c.square(3)})
	c = instead(check, claims{Level: 5}).(claims)
	require.Equal(t, []float64{5, 9}, []float64{c.Level, c.square(3)})
	require.Equal(t, 9., check.square(3))
	require.Equal(t, 3., instead(check.square, func(x float64) float64 { return x }).(func(float64) float64)(3))
	require.Equal(t, 2., instead(2., 0.))
}
