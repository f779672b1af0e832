package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// The sequence (.783, .330) → (.952, .801) → (.990, .957) → (.998, .991) → (.9996, .998), as printed to three digits.
func TestIdlePower(t *testing.T) {
	for k, want := range [][2]float64{{0.783, 0.330}, {0.952, 0.801}, {0.990, 0.957}, {0.998, 0.991}, {0.9996, 0.998}} {
		for i, s := range []float64{0.783, 0.330} {
			if got := vcl.IdlePower(s, 0.1, k); !(math.Abs(got-want[i]) <= 1e-3) {
				t.Errorf("%v after %d steps: %v, want %v", s, k, got, want[i])
			}
		}
	}
	require.Equal(t, 0.33, vcl.IdlePower(0.33, 0.5, 9))
	require.True(t, math.IsNaN(vcl.IdlePower(-1, 0.1, 1)) && math.IsNaN(vcl.IdlePower(1, 0, 1)) &&
		math.IsNaN(vcl.ShiftWeight(-1)))
}

// Eigenvalues 4, 1 and −2: with α = ¼ and two kept, 2, 1 and 0. The steepest is x^½ at 1, where it is 1/2, as 2/6 and
// 1/3 are less.
func TestKeptPowers(t *testing.T) {
	g := mat.NewSymDense(3, []float64{4, 0, 0, 0, 1, 0, 0, 0, -2})
	powers, rounding, err := vcl.KeptPowers(g, 2, 0.25, 1e-12)
	require.NoError(t, err)
	require.Equal(t, []float64{2, 0, 0, 0, 1, 0, 0, 0, 0}, powers.RawMatrix().Data)
	require.InEpsilon(t, 0.5e-12, rounding, 1e-9)
	powers, rounding, err = vcl.KeptPowers(g, 1, 0.5, 1e-12) // a jump from 0 to 4 over the gap of 3
	require.NoError(t, err)
	require.Equal(t, []float64{4, 0, 0, 0, 0, 0, 0, 0, 0}, powers.RawMatrix().Data)
	require.InEpsilon(t, 4./3*1e-12, rounding, 1e-9)
}
