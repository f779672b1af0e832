package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// redoneSigns is the number of pairs whose statistics are computed again from their definition.
const redoneSigns = 8

// redone is what that takes, of the network on signs.
type redone struct {
	Points         *mat.Dense // two of them, 2×d
	Kernel         float64    // K̄ of the two
	Start, End     []float64  // weights
	Labels, Growth []float64  // y and K̄(x,x)/K₀(x,x)

	Difficulty          float64 // v of what was learnt, g; 0 where K₀ is singular
	Along, Size, Square float64 // gᵀK₀g, ‖K₀‖_F and ‖g‖²
}

// judgeSigns ties the numbers that medians are taken of to the sentence.
func judgeSigns(r *props.Record, index int, all labelled, claim signsClaim) {
	if index >= redoneSigns {
		return
	}
	c := all.Redone
	near := theory.NearOverFar(c.Labels, c.Growth, claim.share)
	r.Within("near over far of quarters", all.Near[1], near, 2*float64(len(c.Labels))*r.Unit()*near)
	c.judgeKernel(r, claim.nodes)
	coefficient := 0.0
	if c.Difficulty > 0 {
		coefficient = claim.coefficient(theory.Stretch{Norm: c.Difficulty, Family: theory.Quadratic, Factor: 1})
	}
	aligned := theory.Aligned(c.Along, c.Size, c.Square, coefficient) // sums of n² products
	r.Within("alignment by Theorem 1", all.Predicted[1], aligned, 4*math.Pow(float64(len(c.Labels)), 2)*r.Unit()*aligned)
}

// judgeKernel: both sides are polynomials in weights, activations and slopes, see the tolerance of tangent/gradient.
func (c redone) judgeKernel(r *props.Record, nodes int) {
	_, d := c.Points.Dims()
	widths := []int{d, signsWidth, signsWidth, 1}
	start := perceptron(c.Start, widths)
	along := start.Along(perceptron(c.End, widths), nodes)
	x, other := c.Points.RawRowView(0), c.Points.RawRowView(1)
	operations, size := 0, start.Magnitude(x, x)
	for _, w := range widths {
		operations += 4*w + 12
	}
	for _, p := range along {
		size = max(size, p.Magnitude(x, x), p.Magnitude(other, other))
	}
	noise := 2 * float64(operations+nodes) * r.Unit() * size
	phi := theory.AveragedFeatures(along, x)
	r.WithinScale("averaged kernel of two points", c.Kernel, floats.Dot(phi, theory.AveragedFeatures(along, other)),
		floats.Dot(phi, phi), noise)
	first := start.Kernel(x, x)
	growth := floats.Dot(phi, phi) / first
	r.Within("growth at a point", c.Growth[0], growth, noise*(1+growth)/first)
}

// perceptron is the ReLU network of these widths with biases, from its weights in one row, as the statements have it.
func perceptron(weights []float64, widths []int) theory.Perceptron {
	var p theory.Perceptron
	for l := range len(widths) - 1 {
		in, out := widths[l], widths[l+1]
		p.Weights = append(p.Weights, mat.NewDense(out, in, weights[:in*out]))
		p.Biases = append(p.Biases, weights[in*out:in*out+out])
		p.Activations = append(p.Activations, theory.Curves["relu"])
		weights = weights[in*out+out:]
	}
	p.Activations[len(p.Activations)-1] = theory.Curves["identity"]
	return p
}
