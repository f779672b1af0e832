package width

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	theory "github.com/thm-suite/thm/theory/width"
)

// The variance of a neuron with erf at two inputs of length one and cosine 0.3.
func TestOnPlane(t *testing.T) {
	square := onPlane(func(a, b float64) float64 {
		return math.Pow(math.Erf(a)*math.Erf(0.3*a+math.Sqrt(0.91)*b), 2)
	})
	mean := theory.Erf{XX: 1, XY: 0.3, YY: 1}.Mean()
	require.Less(t, math.Abs(square-mean*mean-.206097538319), 1e-12)
}
