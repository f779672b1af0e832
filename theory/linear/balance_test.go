package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Three layers, the gradients of ½‖W X − Y‖² with X = [[1,0],[1,2]] and Y = (1, −2), and a step of 1/8.
func TestBalanceOfThreeLayers(t *testing.T) {
	w1, g1 := mat.NewDense(2, 2, []float64{1, 2, 0, 1}), mat.NewDense(2, 2, []float64{21, 93, -7, -31})
	w2, g2 := mat.NewDense(2, 2, []float64{1, -1, 2, 0}), mat.NewDense(2, 2, []float64{69, 31, 69, 31})
	w3, g3 := mat.NewDense(1, 2, []float64{1, 1}), mat.NewDense(1, 2, []float64{38, 138})
	lower := LayerStep{Upper: w2, Lower: w1, UpperGrad: g2, LowerGrad: g1, Step: 0.125, Degree: 1}
	require.Equal(t, []float64{6.75, 111.1875, 111.1875, 14.25}, lower.Next().RawMatrix().Data)
	upper := LayerStep{Upper: w3, Lower: w2, UpperGrad: g3, LowerGrad: g2, Step: 0.125, Degree: 1}
	require.Equal(t, []float64{-67.84375, -8.46875, -8.46875, 205.15625}, upper.Next().RawMatrix().Data)
}

// A ReLU network with three hidden units, and a step of 1/4: only the diagonal is a law.
func TestBalanceOfUnits(t *testing.T) {
	s := LayerStep{
		Upper: mat.NewDense(1, 3, []float64{1, -1, 2}), Lower: mat.NewDense(3, 2, []float64{1, -2, 2, 1, -1, 1}),
		UpperGrad: mat.NewDense(1, 3, []float64{4, -7, 2}), LowerGrad: mat.NewDense(3, 2, []float64{2, -1, 2, 3, 0, 4}),
		Step: 0.25, Degree: 1,
	}
	require.Equal(t, []float64{-3.3125, -1.75, 1.25}, s.NextUnits())
	s.Degree = 2
	require.True(t, math.IsNaN(s.Next().At(0, 0)))
	require.Equal(t, 2*1-5+(2*16-5)/16., s.NextUnits()[0])
}

// By hand: w₁ = 2, w₂ = 3 and y = 5 give residual 1, A = 5, and A⁺ = 15/4 at h = ½. Decay alone shrinks A.
func TestBalancePrediction(t *testing.T) {
	q, err := Balance.Evaluate(nil)
	require.NoError(t, err)
	require.Equal(t, []float64{5, 3.75, -1.25}, []float64{q[0].Value, q[1].Value, q[2].Value})
	q, err = Balance.Evaluate(map[string]string{"target": "6", "decay": "0.5"})
	require.NoError(t, err)
	require.Equal(t, 5*0.75*0.75, q[1].Value)
	require.True(t, math.IsNaN(LayerStep{Upper: number(1), Lower: number(1), UpperGrad: number(1), LowerGrad: number(1),
		Degree: 1}.Next().At(0, 0)))
}
