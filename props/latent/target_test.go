package latent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/props/target"
	theory "github.com/thm-suite/thm/theory/latent"
)

// A target along linear forms has the same forms as the target evaluated at the linear forms, and integers stay exact.
func TestTargetAlong(t *testing.T) {
	f := theory.Target{{Coefficient: 2, Degrees: []int{2}}, {Coefficient: -1, Degrees: []int{1, 3}},
		{Coefficient: 3, Degrees: []int{0, 3}}}
	g := target.Along(f, [][]float64{{1, 2, 0}, {0, -1, 2}})
	w := []float64{3, -1, 2}
	for k := range 6 {
		require.Equal(t, f.Form(k, []float64{1, 5}), g.Form(k, w))
	}
	// The Wick square of x₁+2x₂ is a function of x₁+2x₂ alone: its square less the mean 5.
	square := target.Monomials(target.Along(theory.Target{{Coefficient: 1, Degrees: []int{2}}}, [][]float64{{1, 2}}))
	require.Equal(t, 49.0-5, square.At([]float64{3, 2}))
	require.Zero(t, square.Mean())
}
