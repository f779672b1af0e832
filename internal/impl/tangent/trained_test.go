package tangent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

// Training against plain loops of gradient descent on the tangent features, with more inputs than samples, where the
// first layer is known by coefficients of samples, and with fewer. Steps multiply roundings by a few at most.
func TestTraining(t *testing.T) {
	for _, d := range []int{3, 12} {
		for _, batch := range []int{0, 3} {
			r := rand.New(rand.NewPCG(15, uint64(d)))
			start, x := tangent.HeNet(r, d, 4, 5, 1), gaussian(r, 7, d)
			start[1].B = nil
			y := gaussian(r, 7, 1).RawMatrix().Data
			tr := tangent.Training{Rate: 0.05, Momentum: 0.9, Batch: batch, Epochs: 9}
			got := tr.Fit(rand.New(rand.NewPCG(1, 1)), start, x, y)
			want := slowly(tr, rand.New(rand.NewPCG(1, 1)), start, x, y)
			require.InDeltaSlice(t, want, tangent.Weights(got), 1e-11)
			require.InDeltaSlice(t, tangent.Weights(tangent.HeNet(rand.New(rand.NewPCG(15, uint64(d))), d, 4, 5, 1))[:4*d],
				start[0].W.RawMatrix().Data, 0, "the start has moved")
		}
	}
}

// slowly moves all weights, in one row, by the gradients of NetFeatures.
func slowly(tr tangent.Training, r *rand.Rand, net nn.Net, x *mat.Dense, y []float64) []float64 {
	w := tangent.Weights(net)
	speed, order, batch := make([]float64, len(w)), make([]int, len(y)), len(y)
	if tr.Batch > 0 {
		batch = tr.Batch
	}
	for i := range order {
		order[i] = i
	}
	steps := len(y) / batch
	for step := range tr.Epochs * steps {
		if step%steps == 0 && batch < len(y) {
			r.Shuffle(len(y), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		at := with(net, w)
		floats.Scale(tr.Momentum, speed)
		for _, i := range order[step%steps*batch:][:batch] {
			one := x.Slice(i, i+1, 0, len(x.RawRowView(i))).(*mat.Dense)
			residual := tangent.Outputs(at, one)[0] - y[i]
			floats.AddScaled(speed, residual/float64(batch), tangent.NetFeatures(at, one).RawRowView(0))
		}
		floats.AddScaled(w, -tr.Rate*(1+math.Cos(math.Pi*float64(step)/float64(tr.Epochs*steps)))/2, speed)
	}
	return w
}

// with is a network with other weights.
func with(net nn.Net, w []float64) nn.Net {
	w = append([]float64{}, w...)
	out := make(nn.Net, len(net))
	for l, layer := range net {
		rows, cols := layer.W.Dims()
		out[l] = nn.Layer{W: mat.NewDense(rows, cols, w[:rows*cols]), Act: layer.Act}
		w = w[rows*cols:]
		if layer.B != nil {
			out[l].B, w = w[:rows], w[rows:]
		}
	}
	return out
}
