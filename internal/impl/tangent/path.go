package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// Path is the straight segment between the parameters of two networks of one architecture with one output.
type Path struct{ Start, End nn.Net }

// At returns the network at (1−t)·Start + t·End.
func (p Path) At(t float64) nn.Net {
	net := make(nn.Net, len(p.Start))
	for l, from := range p.Start {
		to := p.End[l]
		net[l] = from
		out, in := from.W.Dims()
		net[l].W = mat.NewDense(out, in, nil)
		interpolate(net[l].W.RawMatrix().Data, t, flatten(from.W), flatten(to.W))
		if from.B != nil {
			net[l].B = make([]float64, len(from.B))
			interpolate(net[l].B, t, from.B, to.B)
		}
	}
	return net
}

func scaled(a float64, x []float64) []float64 { return floats.ScaleTo(make([]float64, len(x)), a, x) }

// Weights returns weights and biases of a network in the order of [NetFeatures].
func Weights(net nn.Net) []float64 {
	var flat []float64
	for _, layer := range net {
		flat = append(flat, layer.W.RawMatrix().Data...)
		flat = append(flat, layer.B...)
	}
	return flat
}

// Step returns the difference of the parameters, End − Start.
func (p Path) Step() []float64 {
	step := Weights(p.End)
	floats.Sub(step, Weights(p.Start))
	return step
}

// Rule is a quadrature rule on [0, 1]: nodes and weights.
type Rule struct{ Nodes, Weights []float64 }

// Midpoint has n nodes at the middles of n intervals.
func Midpoint(n int) Rule {
	return equal(n, func(i int) float64 { return (float64(i) + 0.5) / float64(n) })
}

// PlainMean has n ≥ 2 equally weighted nodes from 0 to 1, both included.
func PlainMean(n int) Rule { return equal(n, func(i int) float64 { return float64(i) / float64(n-1) }) }

// Trapezoid has n ≥ 2 nodes from 0 to 1, the ends with half the weight of the others.
func Trapezoid(n int) Rule {
	r := PlainMean(n)
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(n-1)
	}
	r.Weights[0] /= 2
	r.Weights[n-1] /= 2
	return r
}

// Gauss is the rule of Gauss and Legendre with n nodes.
func Gauss(n int) Rule {
	r := Rule{make([]float64, n), make([]float64, n)}
	quad.Legendre{}.FixedLocations(r.Nodes, r.Weights, 0, 1)
	return r
}

// lobatto is the rule of Gauss and Lobatto with 7 nodes, exact up to degree 11. Its ends are nodes, so that a kink
// close to an end is not overlooked.
func lobatto() Rule {
	outer, inner := math.Sqrt((5+2*math.Sqrt(5./3))/11), math.Sqrt((5-2*math.Sqrt(5./3))/11)
	a, b := (124-7*math.Sqrt(15))/700, (124+7*math.Sqrt(15))/700
	return Rule{[]float64{0, (1 - outer) / 2, (1 - inner) / 2, 0.5, (1 + inner) / 2, (1 + outer) / 2, 1},
		[]float64{1. / 42, a, b, 128. / 525, b, a, 1. / 42}}
}

func equal(n int, node func(i int) float64) Rule {
	r := Rule{make([]float64, n), make([]float64, n)}
	for i := range n {
		r.Nodes[i], r.Weights[i] = node(i), 1/float64(n)
	}
	return r
}

// Averaged returns the averaged tangent features of the rows of samples (n×p), Σ wₖ·∇f at the nodes of the rule.
func (p Path) Averaged(samples *mat.Dense, r Rule) *mat.Dense {
	var mean *mat.Dense
	for k, t := range r.Nodes {
		phi := NetFeatures(p.At(t), samples)
		phi.Scale(r.Weights[k], phi)
		if mean == nil {
			mean = phi
		} else {
			mean.Add(mean, phi)
		}
	}
	return mean
}

// AveragedAdaptively integrates with halved intervals until halving one changes the features by at most tiny times its
// own length, or the interval is shorter than tiny: for kinks along the path.
func (p Path) AveragedAdaptively(samples *mat.Dense, tiny float64) *mat.Dense {
	rule := lobatto()
	over := func(from, to float64) *mat.Dense {
		moved := Rule{make([]float64, len(rule.Nodes)), scaled(to-from, rule.Weights)}
		for i, node := range rule.Nodes {
			moved.Nodes[i] = from + (to-from)*node
		}
		return p.Averaged(samples, moved)
	}
	var refine func(from, to float64, whole *mat.Dense) *mat.Dense
	refine = func(from, to float64, whole *mat.Dense) *mat.Dense {
		mid := from + (to-from)/2
		left, right := over(from, mid), over(mid, to)
		var halves, change mat.Dense
		halves.Add(left, right)
		change.Sub(&halves, whole)
		if to-from <= tiny || mat.Norm(&change, 2) <= tiny*math.Max(to-from, 0x1p-10) {
			return &halves
		}
		halves.Add(refine(from, mid, left), refine(mid, to, right))
		return &halves
	}
	return refine(0, 1, over(0, 1))
}

// Change returns f(x) at the end less f(x) at the start, for the rows of samples.
func (p Path) Change(samples *mat.Dense) []float64 {
	n, _ := samples.Dims()
	change := make([]float64, n)
	for i := range change {
		x := samples.RawRowView(i)
		change[i] = p.End.Forward(x, nil)[0] - p.Start.Forward(x, nil)[0]
	}
	return change
}
