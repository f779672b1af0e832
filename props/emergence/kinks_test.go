package emergence

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/truncated"
)

// With γ = 1/4 and σ̃ = 1 the output weight 1 leads to a slope near 0.17 per count, and 10 to one above 1.
func TestNetworksAboveOneAreDeclined(t *testing.T) {
	for weight, declined := range map[float64]bool{1: false, 10: true, -10: true} {
		in := bends{Count: 3, near: 1}
		in.announce(truncated.Paired(mat.NewDense(1, 4, nil), []float64{0.1}, []float64{weight}), 0.25, 1, 4)
		require.Equal(t, declined, in.near < in.off, "output weight %v", weight)
	}
}
