package vcl

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/vcl/layers"
)

// withSingularValues is for claims that are not converted yet.
func withSingularValues(r *rand.Rand, n int, d []float64) *mat.Dense {
	return layers.WithSingularValues(r, len(d), n, d)
}
