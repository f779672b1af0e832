package emergence

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// In both layers the simplex method meets a nearly singular basis.
func TestSmallestLossOfStubbornLayers(t *testing.T) {
	for _, seed := range []uint64{12978, 18329} {
		r := rand.New(rand.NewPCG(seed, 5))
		in := layer{Count: 2*r.IntN(5) + 1, Uniform: r.Float64(), kind: "full"}
		in.Slopes, in.Biases = afterSecondStep(r, in.Count, 60, 1)
		in.solve(in.aligned())
		require.InDelta(t, 0, in.Loss, in.err)
	}
}
