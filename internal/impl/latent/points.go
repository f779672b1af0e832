package latent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Points are labelled points with weights that add up to 1: E g(x) is about Σ weightᵢ g(xᵢ).
type Points struct {
	X       *mat.Dense
	Y       []float64
	Weights []float64
}

// Sample returns n standard normal points in d dimensions, labelled by a function of the first r coordinates.
func Sample(r *rand.Rand, n, d, latent int, f func(z []float64) float64) Points {
	p := Points{mat.NewDense(n, d, nil), make([]float64, n), make([]float64, n)}
	data := p.X.RawMatrix().Data
	for i := range data {
		data[i] = r.NormFloat64()
	}
	for i := range n {
		p.Y[i], p.Weights[i] = f(p.X.RawRowView(i)[:latent]), 1/float64(n)
	}
	return p
}

// negligible is the weight below which a node of the quadrature is left out: one at z > 9, where z⁸ is below 10⁸.
const negligible = 1e-20

// Quadrature returns Gauss-Hermite nodes on the first r coordinates, each with this many copies whose other
// coordinates are standard normal, the same ones at every node: the error along the latent coordinates is that of the
// quadrature, and not that of a sample of a polynomial with heavy tails.
func Quadrature(r *rand.Rand, nodes, copies, d, latent int, f func(z []float64) float64) Points {
	at, weights := grid(nodes, latent)
	rest := mat.NewDense(copies, d, nil)
	data := rest.RawMatrix().Data
	for i := range data {
		data[i] = r.NormFloat64()
	}
	p := Points{X: mat.NewDense(len(at)*copies, d, nil)}
	for i, z := range at {
		y := f(z)
		for c := range copies {
			row := p.X.RawRowView(i*copies + c)
			copy(row, rest.RawRowView(c))
			copy(row, z)
			p.Y, p.Weights = append(p.Y, y), append(p.Weights, weights[i]/float64(copies))
		}
	}
	return p
}

// grid is the product of Gauss-Hermite rules for the standard normal law, without nodes of negligible weight.
func grid(nodes, dimensions int) (at [][]float64, weights []float64) {
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	at, weights = [][]float64{{}}, []float64{1}
	for range dimensions {
		var next [][]float64
		var nextWeights []float64
		for i, z := range at {
			for k := range x {
				if weight := weights[i] * w[k] / math.SqrtPi; weight > negligible {
					next = append(next, append(append([]float64{}, z...), math.Sqrt2*x[k]))
					nextWeights = append(nextWeights, weight)
				}
			}
		}
		at, weights = next, nextWeights
	}
	return at, weights
}

// Square returns the mean of (prediction − y)².
func (p Points) Square(predictions []float64) float64 {
	return p.mean(predictions, func(e float64) float64 { return e * e })
}

// Absolute returns the mean of |prediction − y|.
func (p Points) Absolute(predictions []float64) float64 { return p.mean(predictions, math.Abs) }

func (p Points) mean(predictions []float64, of func(float64) float64) float64 {
	if len(predictions) != len(p.Y) {
		panic("latent: predictions of another number of points")
	}
	sum := 0.0
	for i, y := range p.Y {
		sum += p.Weights[i] * of(predictions[i]-y)
	}
	return sum
}
