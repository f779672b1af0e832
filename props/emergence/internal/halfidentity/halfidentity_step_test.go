package halfidentity

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props/gen"
)

// The claim speaks only about laws with its symmetry, so Valid must reject other numbers.
func TestStepValid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	take := func(k int, pattern []int64, odds data.Odds) step {
		h := data.NewHidden(6, []int{0, 2, 5}[:k], data.Parity(k), pattern, odds)
		return firstStep(r, h, gen.Orthonormal(r, 8, 6), 2)
	}
	in := take(3, data.Mixture(3, 1, 1), data.Fair)
	require.NoError(t, in.Valid())
	require.ErrorContains(t, take(3, data.Mixture(3, 1, 1), data.Odds{One: 1, Zero: 2}).Valid(), "complement")
	require.ErrorContains(t, take(2, data.Mixture(2, 1, 1), data.Fair).Valid(), "complement")
	in.P[0] *= 2
	require.ErrorContains(t, in.Valid(), "probabilities")
}
