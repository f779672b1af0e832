package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// path pairs averaged tangent features with differences of the network itself.
var path = props.Spec{
	Statement: &theory.Path,
	Checks:    []props.Check{pathIdentity, pathRules, pathKernels},
	Along: &props.Along{
		Param: "w1", From: -4, To: 4, Y: "change of f = a·w·x", Of: []string{"change"},
		Each: &props.ParamSweep{Name: "a1", Values: []string{"-1", "1", "3"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statements.Values) (map[string]float64, error) {
		net := func(w, a string) nn.Net {
			return nn.Net{{W: mat.NewDense(1, 1, []float64{v.Float(w)}), Act: nn.Identity},
				{W: mat.NewDense(1, 1, []float64{v.Float(a)}), Act: nn.Identity}}
		}
		p, x := impl.Path{Start: net("w0", "a0"), End: net("w1", "a1")}, mat.NewDense(1, 1, []float64{1})
		along := func(rule impl.Rule) float64 { return floats.Dot(p.Averaged(x, rule).RawRowView(0), p.Step()) }
		points := v.Int("nodes")
		return map[string]float64{"change": along(impl.Midpoint(1)),
			"plain": float64(points) * (along(impl.PlainMean(points)) - p.Change(x)[0])}, nil
	}},
}.Claim()

var pathIdentity = props.Drawn[moved, struct{}]{
	Name:    "change along the path",
	Cases:   props.Scale{Quick: 36, Standard: 240, Deep: 20000},
	Regimes: []string{"linear", "smooth", "kinked"},
	Draw: func(t *props.T) moved {
		in, _ := drawMoved(t, averagedFeatures)
		return in
	},
	Judge: func(r *props.Record, in moved, _ struct{}) {
		r.Regime(in.regime())
		// Intervals that were accepted changed by less than tiny, at most 2¹⁰ of them by that much in all; and
		// gradients and outputs are rounded.
		tolerance := floats.Norm(in.Step, 2) * (4*adaptiveTiny + 100*r.Unit()*floats.Norm(in.Features, 2))
		tolerance += 100 * r.Unit() * in.Size
		r.WithinScale("change of the output", floats.Dot(in.Features, in.Step), in.Change, math.Abs(in.Change),
			tolerance)
	},
	Controls: []props.Wrong[moved, struct{}]{
		{Name: "features at the start", Assumption: "average", Draw: func(t *props.T) moved {
			in, _ := drawMoved(t, func(p impl.Path, x *mat.Dense) *mat.Dense { return impl.NetFeatures(p.Start, x) })
			return in
		}},
		{Name: "features at the end", Draw: func(t *props.T) moved {
			in, _ := drawMoved(t, func(p impl.Path, x *mat.Dense) *mat.Dense { return impl.NetFeatures(p.End, x) })
			return in
		}},
		{Name: "the step of other parameters", Assumption: "straight", Cases: 18, Draw: func(t *props.T) moved {
			in, r := drawMoved(t, averagedFeatures)
			in.Step = gen.Gaussian(r, len(in.Step), 1, 1).RawMatrix().Data
			return in
		}},
		{Name: "half of the change", Alter: func(in *moved) { in.Change /= 2 }},
	},
	Replicates: 3,
}

// adaptiveTiny ends the adaptive quadrature.
const adaptiveTiny = 1e-12

// moved is a pair of networks and one input.
type moved struct {
	Path     impl.Path
	X        []float64
	Features []float64 // averaged
	Step     []float64
	Change   float64
	Size     float64 // of the outputs before cancellation
}

func averagedFeatures(p impl.Path, x *mat.Dense) *mat.Dense {
	return p.AveragedAdaptively(x, adaptiveTiny)
}

// drawMoved draws a path and takes the features of its networks at one input, (1×p). It returns the stream as well.
func drawMoved(t *props.T, features func(p impl.Path, x *mat.Dense) *mat.Dense) (moved, *rand.Rand) {
	r := t.Stream("entries")
	entries := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))) }
	acts := rapid.SampledFrom([][]nn.Activation{{nn.Tanh, nn.Sigmoid, nn.Softplus, nn.GELU},
		{nn.ReLU, nn.LeakyReLU, nn.Tanh},
		{nn.Identity}}).Draw(t.T, "kind")
	in := moved{Path: impl.Path{Start: drawNet(t, r, 4, acts, entries)}}
	in.Path.End = like(in.Path.Start, entries)
	_, d := in.Path.Start[0].W.Dims()
	x := gen.Gaussian(r, 1, d, 1)
	in.X, in.Step, in.Change = x.RawRowView(0), in.Path.Step(), in.Path.Change(x)[0]
	in.Size = outputSize(in.Path, in.X)
	in.Features = features(in.Path, x).RawRowView(0)
	return in, r
}

// outputSize is that of the outputs at both ends before cancellation.
func outputSize(p impl.Path, x []float64) (size float64) {
	for _, net := range []nn.Net{p.Start, p.End} {
		size += 1 + math.Abs(net.Forward(x, nil)[0]) + floats.Norm(impl.Weights(net), 1)*(1+floats.Norm(x, 1))
	}
	return size
}

// like is a network of the same architecture with entries of its own.
func like(net nn.Net, entries func(rows, cols int) *mat.Dense) nn.Net {
	other := make(nn.Net, len(net))
	for l, layer := range net {
		out, width := layer.W.Dims()
		other[l] = layer
		other[l].W = entries(out, width)
		if layer.B != nil {
			other[l].B = entries(out, 1).RawMatrix().Data
		}
	}
	return other
}

func (in moved) regime() string {
	regime := "linear"
	for _, layer := range in.Path.Start {
		switch layer.Act.Name {
		case nn.ReLU.Name, nn.LeakyReLU.Name:
			return "kinked"
		case nn.Identity.Name:
		default:
			regime = "smooth"
		}
	}
	return regime
}

var pathKernels = props.Drawn[kernels, kernelOrder]{
	Name:    "order of the kernels",
	Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
	Regimes: []string{"smooth", "kinked"},
	Draw:    drawKernels,
	Claim:   kernelOrder{kernels.mean, theory.Covariance},
	Judge:   judgeKernels,
	Controls: []props.Wrong[kernels, kernelOrder]{
		{Name: "the average of the kernels below the averaged kernel",
			Criterion: "averaged kernel where the difference is least",
			Alter:     func(in *kernels) { in.Averaged, in.Average = in.Average, in.Averaged }},
		{Name: "the two kernels taken for equal", Criterion: "their difference",
			Claim: func(c *kernelOrder) {
				c.difference = func(features []*mat.Dense, _ []float64) *mat.Dense {
					n, _ := features[0].Dims()
					return mat.NewDense(n, n, nil)
				}
			}},
		{Name: "the kernel at the middle of the path", Criterion: "averaged kernel through layers",
			Claim: func(c *kernelOrder) {
				c.mean = func(in kernels) *mat.Dense { return in.Features[len(in.Features)/2] }
			}},
	},
}

// kernelOrder is what the statement says of the two kernels.
type kernelOrder struct {
	mean       func(kernels) *mat.Dense                                  // features of the averaged kernel
	difference func(features []*mat.Dense, weights []float64) *mat.Dense // of the average of kernels from it
}

// kernels are those of a few samples along a path, at the nodes of a rule.
type kernels struct {
	Kinked            bool
	Features          []*mat.Dense
	Weights           []float64
	Averaged, Average *mat.Dense // K̄, through layers, and Σ wₖK_{tₖ}
}

func drawKernels(t *props.T) kernels {
	r := t.Stream("entries")
	entries := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1) }
	in := kernels{Kinked: rapid.Bool().Draw(t.T, "kinked")}
	acts := []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus}
	if in.Kinked {
		acts = []nn.Activation{nn.ReLU}
	}
	p := impl.Path{Start: drawNet(t, r, 4, acts, entries)}
	p.End = like(p.Start, entries)
	_, d := p.Start[0].W.Dims()
	samples := gen.Gaussian(r, gen.Dim(t.T, "n", 5), d, 1)
	nodes := 2 + gen.Dim(t.T, "nodes", 6)
	rule := []impl.Rule{impl.Midpoint(nodes), impl.Trapezoid(nodes), impl.Gauss(nodes),
		impl.PlainMean(nodes)}[rapid.IntRange(0, 3).Draw(t.T, "rule")]
	in.Weights, in.Averaged = rule.Weights, p.AveragedKernel(samples, rule)
	for k, node := range rule.Nodes {
		phi := impl.NetFeatures(p.At(node), samples)
		in.Features = append(in.Features, phi)
		part := algebra.Product(phi, phi.T())
		part.Scale(rule.Weights[k], part)
		if in.Average == nil {
			in.Average = part
		} else {
			in.Average.Add(in.Average, part)
		}
	}
	return in
}

// judgeKernels: kernels are sums of p products per node, computed in another order, of at most trace(Σ wK) in
// size; of dead units there is nothing but zeros.
func judgeKernels(r *props.Record, in kernels, c kernelOrder) {
	r.Regime(map[bool]string{true: "kinked", false: "smooth"}[in.Kinked])
	n, p := in.Features[0].Dims()
	noise := 8 * float64(p+len(in.Weights)+n) * r.Unit() * (1 + mat.Trace(in.Average))
	mean := c.mean(in)
	r.WithinMatrix("averaged kernel through layers", in.Averaged, algebra.Product(mean, mean.T()), noise)
	difference := algebra.Difference(in.Average, in.Averaged)
	r.PerturbedMatrix("their difference", c.difference(in.Features, in.Weights), func(want *mat.Dense) props.Ratio {
		gap := algebra.Difference(difference, want)
		ratio := mat.Norm(gap, 2) / noise
		return props.Ratio{Value: ratio, Lower: ratio}
	})
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			symmetric.SetSym(i, j, (difference.At(i, j)+difference.At(j, i))/2)
		}
	}
	_, vectors := must.Both(linalg.SymEigen(symmetric, true))
	w := vectors.ColView(0) // where the difference is least
	r.AtMost("averaged kernel where the difference is least", mat.Inner(w, in.Averaged, w), mat.Inner(w, in.Average, w),
		noise)
}

// mean is Σ wₖφ at the nodes.
func (in kernels) mean() *mat.Dense {
	n, p := in.Features[0].Dims()
	mean := mat.NewDense(n, p, nil)
	for k, phi := range in.Features {
		part := algebra.Scaled(in.Weights[k], phi)
		mean.Add(mean, part)
	}
	return mean
}
