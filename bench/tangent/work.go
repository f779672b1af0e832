package tangent

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/tangent"
)

// Work is something that both sides compute.
type Work struct {
	Name     string
	Operands map[string]*mat.Dense // that the peer needs
	Ours     func() (*mat.Dense, error)
}

// The sizes of the work.
const (
	samples, inputs, width = 500, 784, 256
	nodes                  = 50
	batch, epochs          = 100, 10
	order                  = 256 // of the matrices of Theorem 2
)

// Networks are the averaged kernel over 50 nodes of a network 784→256→256→1 on 500 samples, and ten epochs of its
// training on them in batches of 100.
func Networks(r *rand.Rand) []Work {
	x, y := gaussian(r, samples, inputs, 1./28), gaussian(r, samples, 1, 1)
	start, end := tangent.HeNet(r, inputs, width, width, 1), tangent.HeNet(r, inputs, width, width, 1)
	operands := map[string]*mat.Dense{"x": x, "y": y, "start": flat(start), "end": flat(end), "order": orders()}
	p := tangent.Path{Start: start, End: end}
	return []Work{
		{"averaged-kernel", operands, func() (*mat.Dense, error) {
			return p.AveragedKernel(x, tangent.Midpoint(nodes)), nil
		}},
		{"training", operands, func() (*mat.Dense, error) {
			tr := tangent.Training{Rate: 0.1, Momentum: 0.9, Batch: batch, Epochs: epochs}
			trained := tr.Fit(shuffles(), start, x, mat.Col(nil, 0, y))
			return mat.NewDense(samples, 1, tangent.Outputs(trained, x)), nil
		}},
	}
}

// shuffles is the stream of the order of samples.
func shuffles() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }

// orders are the orders of the samples in all epochs, for the peer.
func orders() *mat.Dense {
	r, order, all := shuffles(), make([]float64, samples), mat.NewDense(epochs, samples, nil)
	for i := range order {
		order[i] = float64(i)
	}
	for epoch := range epochs {
		r.Shuffle(samples, func(i, j int) { order[i], order[j] = order[j], order[i] })
		all.SetRow(epoch, order)
	}
	return all
}

// Turn is one turn of alternation for a layer of 256×256 with (z−1)² on one side and 500 samples.
func Turn(r *rand.Rand) Work {
	b, y := gaussian(r, order, order, 0.1), gaussian(r, samples, 1, 1)
	features := gaussian(r, samples, order*order, 1./order)
	square := tangent.Square
	s := tangent.Structured{Labels: mat.Col(nil, 0, y), Layers: []tangent.StructuredLayer{{Rows: order, Cols: order,
		Features: features, Left: &square}}}
	return Work{"turn", map[string]*mat.Dense{"b": b, "features": features, "y": y}, func() (*mat.Dense, error) {
		factors, err := s.Turn([]*mat.Dense{b})
		if err != nil {
			return nil, err
		}
		return factors[0].Product(), nil
	}}
}

func gaussian(r *rand.Rand, rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return scale * r.NormFloat64() }, m)
	return m
}

func flat(net nn.Net) *mat.Dense {
	w := tangent.Weights(net)
	return mat.NewDense(1, len(w), w)
}
