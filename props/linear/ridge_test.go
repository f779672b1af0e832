package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Tiny inputs and a long time keep all digits: at ts = 1 the flow takes 1 − 1/e of the labels.
func TestFlowOfTinyInputs(t *testing.T) {
	x := mat.NewDense(1, 1, []float64{-4.8247063846373894e-05})
	s := x.At(0, 0) * x.At(0, 0)
	flow := flowOf(x, 1/s)
	require.InEpsilon(t, 1/math.E, flow.bias.At(0, 0), 1e-13)
	require.InEpsilon(t, -math.Expm1(-1)/x.At(0, 0), flow.noise.At(0, 0), 1e-13)
}
