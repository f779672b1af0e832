package probe

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/doubledouble"
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
			square := math.Pow(Frobenius(n, name,
				func(x []doubledouble.Sum) []doubledouble.Sum { return Times(l, x) })/mat.Norm(l, 2), 2)
			require.True(t, square >= 0.01 && square <= 6, "estimate² / norm² = %v", square)
		})
	}
}
