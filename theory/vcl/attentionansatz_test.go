package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Queries q = 3 and keys 2: q⁴ − (2q)² = q(q² − 4)q = 45.
func TestAnsatzDefect(t *testing.T) {
	require.Equal(t, 45., vcl.AnsatzDefect(number(3), number(2)).At(0, 0))
	require.Equal(t, -20., vcl.AnsatzDefect(number(2), number(3)).At(0, 0))
}

func TestBalancedHead(t *testing.T) {
	h := vcl.BalancedHead{Gain: 2, Variance: 3, Scale: 0.5}
	require.Equal(t, 12., h.AGOP())
	require.Equal(t, h.Gram(), math.Pow(h.AGOP(), h.Exponent())/math.Sqrt(3*0.25))
	h.Scale = 0
	require.True(t, math.IsNaN(h.AGOP()) && math.IsNaN(h.Gram()) && math.IsNaN(h.Exponent()))
}
