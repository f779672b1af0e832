//go:build system

package tangent

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

// Work is something that both sides compute.
type Work struct {
	Name     string
	Operands map[string]*mat.Dense // that the peer needs
	Ours     func() (*mat.Dense, error)
	Flops    Flops
}

// Flops counts those of the matrix products on each side, two for a multiplication and an addition, and one where a
// symmetric product needs half of its entries. What is linear in the size of a matrix is left out.
type Flops struct{ Ours, Peers float64 }

// The sizes of the work.
const (
	samples, inputs, width = 500, 784, 256
	nodes                  = 50
	batch, epochs          = 100, 10
	order                  = 256 // of the matrices of Theorem 2
	band                   = 64  // rows of features that are moved at a time
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
		}, kernelFlops()},
		{"training", operands, func() (*mat.Dense, error) {
			tr := tangent.Training{Rate: 0.1, Momentum: 0.9, Batch: batch, Epochs: epochs}
			trained := tr.Fit(shuffles(), start, x, mat.Col(nil, 0, y))
			return mat.NewDense(samples, 1, tangent.Outputs(trained, x)), nil
		}, trainingFlops(epochs)},
	}
}

// kernelFlops: both sides form the features of the second layer, n×(width·width), and their Gram matrix, and take the
// second layer forwards and backwards at every node. NumPy multiplies the first layer with the samples at every node,
// we do at the two ends.
func kernelFlops() Flops {
	const first, second = 2 * samples * inputs * width, 2 * samples * width * width
	const grams = samples * samples * (inputs + width + width*(width+1))
	const features = 2 * samples * nodes * width * (width + 1)
	const both = grams + features + 2*nodes*second
	return Flops{Ours: both + 2*first, Peers: both + nodes*first}
}

// trainingFlops: both sides take three products with the second layer in a step, forwards, backwards and for its
// gradient, and the outputs in the end. NumPy takes two with the first, samples times weights and the gradient. We
// have the first layer in the span of the samples: one product of a batch's rows of the samples' Gram matrix with
// n×width, and that Gram matrix and two products of all samples with the weights once for all steps.
func trainingFlops(epochs int) Flops {
	const first, second = 2 * batch * inputs * width, 2 * batch * width * width
	const spanned, once = 2 * batch * samples * width, samples*samples*inputs + 4*samples*inputs*width
	const outputs = 2 * samples * (inputs*width + width*width)
	steps := float64(epochs * samples / batch)
	return Flops{Ours: steps*(3*second+spanned) + once + outputs, Peers: steps*(3*second+2*first) + outputs}
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
	}, turnFlops()}
}

// turnFlops: both sides form the Gram matrix of the features that A has moved. NumPy moves them by A, we by a triangle
// in bands of rows, of which a band needs the columns from its first row on.
func turnFlops() Flops {
	const gram = samples * samples * order * order
	moved := 0
	for top := 0; top < order; top += band {
		moved += 2 * samples * band * (order - top) * order
	}
	return Flops{Ours: float64(gram + moved), Peers: gram + 2*samples*order*order*order}
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
