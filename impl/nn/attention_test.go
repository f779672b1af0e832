package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

func matrix(rows, cols int, values ...float64) *mat.Dense { return mat.NewDense(rows, cols, values) }

// linearLoss has the gradient g in every output.
func linearLoss(g *mat.Dense) func(int, *mat.Dense) *mat.Dense {
	return func(int, *mat.Dense) *mat.Dense { return g }
}

// dyadic is a block in which every score is zero, so that all of it is dyadic.
var dyadic = nn.Attention{Scale: 0.5, Heads: []nn.Head{{
	Q: matrix(4, 3, 1, 2, 1, 0, 1, 0, 0, 0, -1, 0, 0, 2),
	K: matrix(4, 3, 0, 0, 2, 0, 0, 1, 1, 0, 0, 1, -1, 1),
	V: matrix(1, 3, 1, -1, 2), O: matrix(1, 1, 2),
}}}

func TestAttentionWithoutRounding(t *testing.T) {
	x, g := []*mat.Dense{matrix(3, 2, 1, 3, 2, -1, 0, 0)}, linearLoss(matrix(1, 2, 1, -3))
	h := dyadic.Batches(x, g)[0]
	require.Equal(t, matrix(2, 2, .5, .5, .5, .5), h.Passes[0].Weights)
	require.Equal(t, matrix(1, 2, 1.5, 1.5), h.O.Inputs)
	require.Equal(t, matrix(2, 2, -2, 8, 6, -24), h.Passes[0].WeightGrad)
	require.Equal(t, matrix(2, 2, -2.5, 2.5, 7.5, -7.5), h.Passes[0].ScoreGrad)
	require.Equal(t, matrix(4, 3, 0, 0, 0, 0, 0, 0, -20, 12.5, 0, -50, 31.25, 0), h.Q.WeightGrad())
	require.Equal(t, matrix(4, 3, 5, -7.5, 0, 12.5, -18.75, 0, 0, 0, 0, 0, 0, 0), h.K.WeightGrad())
	require.Equal(t, matrix(1, 3, -8, -2, 0), h.V.WeightGrad())
	require.Equal(t, matrix(1, 1, -3), h.O.WeightGrad())

	causal := dyadic
	causal.Causal = true
	h = causal.Batches(x, g)[0]
	require.Equal(t, matrix(2, 2, 1, 0, .5, .5), h.Passes[0].Weights)
	require.Equal(t, matrix(1, 2, -1, 1.5), h.O.Inputs)
	require.Equal(t, matrix(2, 2, 0, 0, 7.5, -7.5), h.Passes[0].ScoreGrad)
	require.Equal(t, matrix(4, 3, 0, 0, 0, 0, 0, 0, -22.5, 7.5, 0, -56.25, 18.75, 0), h.Q.WeightGrad())
	require.Equal(t, matrix(4, 3, -7.5, 11.25, 0, 7.5, -11.25, 0, 0, 0, 0, 0, 0, 0), h.K.WeightGrad())
	require.Equal(t, matrix(1, 3, -10, 1, 0), h.V.WeightGrad())
	require.Equal(t, matrix(1, 1, -5.5), h.O.WeightGrad())
}

// Two sequences and two equal heads: gradients of sequences stand side by side, outputs of heads add up.
func TestAttentionOfBatchesAndHeads(t *testing.T) {
	x := matrix(3, 2, 1, 3, 2, -1, 0, 0)
	one := dyadic.Batches([]*mat.Dense{x}, linearLoss(matrix(1, 2, 1, -3)))[0]
	twice := dyadic
	twice.Heads = append(twice.Heads, twice.Heads[0])
	y, _ := dyadic.Forward(x)
	both, _ := twice.Forward(x)
	y.Scale(2, y)
	require.Equal(t, y, both)
	for _, h := range twice.Batches([]*mat.Dense{x, x}, linearLoss(matrix(1, 2, 1, -3))) {
		require.Len(t, h.Passes, 2)
		var gradient mat.Dense
		gradient.Scale(2, one.K.WeightGrad())
		require.Equal(t, &gradient, h.K.WeightGrad())
	}
}

// A causal block whose numbers were computed to sixty digits, loss ½‖Y − Y*‖².
func TestAttentionAgainstDigits(t *testing.T) {
	a := nn.Attention{Scale: 0.707106781186547524, Causal: true, Heads: []nn.Head{{
		Q: matrix(2, 3, .5, -.25, 1, 1, .5, -.75), K: matrix(2, 3, 1, .25, -.5, -.5, 1, .25),
		V: matrix(2, 3, 1, -1, .5, .25, .5, -1), O: matrix(2, 2, 1, .5, -.5, 2),
	}}}
	x, target := matrix(3, 3, 1, -.5, .25, .5, 1, -1, -1, .75, .5), matrix(2, 3, 0, 1, -1, 1, 0, .5)
	h := a.Batches([]*mat.Dense{x}, func(_ int, y *mat.Dense) *mat.Dense {
		y.Sub(y, target)
		return y
	})[0]
	for _, c := range []struct{ got, want *mat.Dense }{
		{h.Passes[0].Weights, matrix(3, 3, 1, 0, 0, .744396532739516, .255603467260484, 0, .643274888911933,
			.075844029195206, .280881081892861)},
		{h.Q.WeightGrad(), matrix(2, 3, -.499250789793965, .373649108383676, 1.842368009298394, .586407109500709,
			-1.128112899908697, -.957837972663325)},
		{h.K.WeightGrad(), matrix(2, 3, .827520732686369, .326274645081733, -1.180481886697380, -1.006587572062073,
			-.094552873105873, 1.327952904474763)},
		{h.V.WeightGrad(), matrix(2, 3, -.502092248022301, -1.143394793484282, .688792739089189, 8.311683514685664,
			4.943055977583519, -7.553704216844252)},
		{h.O.WeightGrad(), matrix(2, 2, .785460241934738, 1.457577842879958, -.400477346143675, 5.687182081433725)},
	} {
		var gap mat.Dense
		gap.Sub(c.got, c.want)
		require.Less(t, mat.Norm(&gap, 2), 5e-14)
	}
}

// A masked score of 2000 would overflow in the exponential, were it not masked before.
func TestAttentionMasksLargeScores(t *testing.T) {
	one := matrix(1, 1, 1)
	a := nn.Attention{Scale: 1, Causal: true, Heads: []nn.Head{{Q: one, K: one, V: one, O: one}}}
	_, passes := a.Forward(matrix(1, 2, 1, 2000))
	require.Equal(t, matrix(2, 2, 1, 0, 0, 1), passes[0].Weights)
}
