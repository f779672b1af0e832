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

// wide is for claims that are not converted yet.
type wide struct{ M, N, B int }

// signs is for claims that are not converted yet.
func signs(a *mat.Dense) (count [2]int) {
	values := layers.Eigenvalues(a)
	n := len(values)
	noise := 64 * float64(n) * 0x1p-53 * max(-values[0], values[n-1])
	for _, x := range values {
		if x > noise {
			count[1]++
		} else if x < -noise {
			count[0]++
		}
	}
	return count
}
