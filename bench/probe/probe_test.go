package probe

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/testmatrix"
)

// TestFrobenius compares the estimate with the norm it estimates. Its square, divided by the truth, is a mean of
// χ² variables: for rank one, χ²/8 with 8 degrees of freedom lies outside [0.01, 6] with probability
// 1.1·10⁻⁷·(0.1 once more squared) below and P(χ² > 48) ≤ e⁻²⁴·6⁴ = 4.9·10⁻⁸ above (Chernoff).
func TestFrobenius(t *testing.T) {
	for name, l := range map[string]*mat.Dense{
		"rank one": mat.NewDense(3, 2, []float64{0, 0, 0, 7, 0, 0}),
		"dense":    testmatrix.Uniform("frobenius", 30, 20),
	} {
		t.Run(name, func(t *testing.T) {
			_, n := l.Dims()
			square := math.Pow(Frobenius(n, name, func(x []DoubleDouble) []DoubleDouble { return Times(l, x) })/mat.Norm(l, 2), 2)
			require.True(t, square >= 0.01 && square <= 6, "estimate² / norm² = %v", square)
		})
	}
}

// TestDoubleDouble adds 1, then 2⁻¹⁰⁰ a thousand times, then −1: in float64 nothing would be left.
func TestDoubleDouble(t *testing.T) {
	sum := DoubleDouble{}.Plus(1, DoubleDouble{hi: 1})
	for range 1000 {
		sum = sum.Plus(0x1p-50, DoubleDouble{hi: 0x1p-50})
	}
	sum = sum.Plus(-1, DoubleDouble{hi: 1})
	require.Equal(t, 1000*0x1p-100, sum.Value())
	// (1 + 2⁻⁵²)² = 1 + 2⁻⁵¹ + 2⁻¹⁰⁴: the last term is the rounding error of the product.
	x := 1 + 0x1p-52
	require.Equal(t, 0x1p-104, DoubleDouble{}.Plus(x, DoubleDouble{hi: x}).Plus(-1, DoubleDouble{hi: 1 + 0x1p-51}).Value())
}
