package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The solution of dx/dt = −x² from 1 is 1/(1 + t), and a rotation keeps its radius.
func TestFlow(t *testing.T) {
	x := []*mat.Dense{mat.NewDense(1, 1, []float64{1})}
	decay := func(x []*mat.Dense) []*mat.Dense {
		return []*mat.Dense{mat.NewDense(1, 1, []float64{-math.Pow(x[0].At(0, 0), 2)})}
	}
	require.Less(t, math.Abs(flow(x, 3, 6, decay)[0].At(0, 0)-0.25), 1e-13)

	turn := mat.NewDense(2, 2, []float64{0, -1, 1, 0})
	start := []*mat.Dense{mat.NewDense(2, 1, []float64{1, 0})}
	end := flow(start, math.Pi/2, 3, func(x []*mat.Dense) []*mat.Dense { return []*mat.Dense{product(turn, x[0])} })
	require.True(t, mat.EqualApprox(end[0], mat.NewDense(2, 1, []float64{0, 1}), 1e-13))
}
