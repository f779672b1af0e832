package linear

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func dense(rows, cols int, data ...float64) *mat.Dense { return mat.NewDense(rows, cols, data) }

// A balanced pair with W = diag(1, 4), and the same formula for diag(8, 1) and depths two and three.
func TestEndToEndOnIntegers(t *testing.T) {
	s := TwoLayers{W1: dense(2, 2, 0, 2, 1, 0), W2: dense(2, 2, 0, 1, 2, 0), G: dense(2, 2, 1, 2, 3, -1), Step: 0.25}
	require.Equal(t, []float64{2.0625, -2.875, -4.3125, 6.625}, s.Next().RawMatrix().Data)
	one := dense(2, 2, 1, 0, 0, 1)
	for _, c := range []struct {
		depth     int
		strengths []float64
		want      []float64
	}{
		{2, []float64{1, 2}, []float64{2, 10, 15, -8}},
		{3, []float64{2, 1}, []float64{48, 42, 63, -3}},
	} {
		got := Chain{Depth: c.depth, U: one, V: one, Strengths: c.strengths}.Velocity(s.G)
		require.Equal(t, c.want, got.RawMatrix().Data)
	}
}

// A matrix that is not symmetric, through its singular value decomposition.
func TestEndToEndOfAMatrix(t *testing.T) {
	w, g := dense(2, 2, 1, 0.5, 0.2, 2), dense(2, 2, 1, 2, 3, -1)
	for depth, want := range map[int][]float64{
		2: {3.810992438504, 6.069726860281, 8.935433968086, -2.318436653189},
		3: {6.790065176714, 10.41844215979, 15.19986487218, -3.414473445296},
	} {
		for i, x := range ChainOf(w, depth).Velocity(g).RawMatrix().Data {
			require.Less(t, math.Abs(x-want[i]), 1e-11)
		}
	}
	require.True(t, mat.EqualApprox(ChainOf(dense(2, 2, 8, 0, 0, 1), 2).Velocity(g), dense(2, 2, 16, 18, 27, -2), 1e-12))
}

// By hand: w₁ = w₂ = 2 gives (2 − 2hg)². One layer amplifies nothing, and a negative strength is none.
func TestEndToEndByHand(t *testing.T) {
	const h, g = 0.25, 0.5
	require.Equal(t, math.Pow(2-2*h*g, 2),
		TwoLayers{W1: number(2), W2: number(2), G: number(g), Step: h}.Next().At(0, 0))
	require.Equal(t, 1.0, Chain{Depth: 1}.Gain(0, 3))
	require.Equal(t, 0.0, Chain{Depth: 3}.Gain(0, 0))
	require.True(t, math.IsNaN(Chain{Depth: 2}.Gain(-1, 1)))
	require.True(t, math.IsNaN(TwoLayers{W1: number(1), W2: number(1), G: number(1)}.Next().At(0, 0)))
}
