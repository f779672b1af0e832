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
	statement "github.com/thm-suite/thm/theory"
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
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
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

// outputSize returns the size of the outputs at both ends before cancellation.
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
			Instead: kernelOrder{difference: func(features []*mat.Dense, _ []float64) *mat.Dense {
				n, _ := features[0].Dims()
				return mat.NewDense(n, n, nil)
			}}},
		{Name: "the kernel at the middle of the path", Criterion: "averaged kernel through layers",
			Instead: kernelOrder{mean: func(in kernels) *mat.Dense { return in.Features[len(in.Features)/2] }}},
	},
}

// kernelOrder holds the claims about the two kernels.
type kernelOrder struct {
	mean       func(kernels) *mat.Dense                                  // features of the averaged kernel
	difference func(features []*mat.Dense, weights []float64) *mat.Dense // of the average of kernels from it
}

// kernels holds the kernels of a few samples along a path, at the nodes of a rule.
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

var pathRules = props.Drawn[ruled, ruleErrors]{
	Name:    "errors of the rules",
	Cases:   props.Scale{Quick: 40, Standard: 400, Deep: 20000},
	Regimes: []string{"one layer", "two layers", "deeper"},
	Draw:    drawRuled,
	Claim: ruleErrors{theory.PlainMeanError, theory.MidpointConstant,
		func(start, end float64) float64 { return -2 * theory.MidpointConstant(start, end) }},
	Judge: judgeRuled,
	Controls: []props.Wrong[ruled, ruleErrors]{
		{Name: "plain mean without error", Criterion: "plain mean, T times its error",
			Instead: ruleErrors{plain: func(start, end, change, trapezoid float64, points int) float64 { return 0 }}},
		{Name: "the same constant for both rules", Criterion: "trapezoid, leading constant",
			Claim: func(c *ruleErrors) { c.trapezoid = c.midpoint }},
		{Name: "1/12 for the midpoint rule", Criterion: "midpoint, leading constant",
			Instead: ruleErrors{midpoint: func(start, end float64) float64 { return 2 * theory.MidpointConstant(start, end) }}},
	},
	Coarse: map[string]string{"midpoint, leading constant": "extrapolated from numbers of nodes",
		"trapezoid, leading constant": "extrapolated from numbers of nodes"},
	Proven: map[string]string{"plain mean, T times its error": "an identity in the values of g, which both sides " +
		"share; every rounding of the two sums is counted"},
	Replicates: 3,
}

// ruleErrors are the errors of the rules by the statement: of the plain mean, and the leading constants of the others.
type ruleErrors struct {
	plain               func(start, end, change, trapezoid float64, points int) float64
	midpoint, trapezoid func(slopeAtStart, slopeAtEnd float64) float64
}

// ruled holds the results of rules for the derivative g along a path at one input. The constants are extrapolated from
// n² times the errors at 64 and 128 intervals; the slopes are known to the change that doubling the width of the
// differences makes, the constants to the change that halving both numbers of intervals makes.
type ruled struct {
	Layers             int
	Ends, Slopes       [2]float64 // of g at 0 and 1
	SlopesOff          float64
	Change             float64
	Plain, Trapezoid   float64 // errors with 64 points
	Mid, Trap          float64
	MidOff, TrapOff    float64
	Scale              float64 // of g and its derivatives
	MeanSize, Gradient float64 // mean |g| at the 64 points, the largest ‖∇f‖‖step‖
	Outputs            float64 // their size before cancellation
}

func drawRuled(t *props.T) ruled {
	r := t.Stream("entries")
	entries := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 0.7/math.Sqrt(float64(cols))) }
	p := impl.Path{Start: drawNet(t, r, 4, []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus}, entries)}
	p.End = like(p.Start, entries)
	_, d := p.Start[0].W.Dims()
	x := gen.Gaussian(r, 1, d, 1)
	step := p.Step()
	in := ruled{Layers: len(p.Start), Change: p.Change(x)[0], Outputs: outputSize(p, x.RawRowView(0))}
	g := func(at float64) float64 {
		features := impl.NetFeatures(p.At(at), x).RawRowView(0)
		in.Gradient = max(in.Gradient, floats.Norm(features, 2)*floats.Norm(step, 2))
		return floats.Dot(features, step)
	}
	in.slopes(g)
	in.errors(g)
	in.Scale = math.Abs(in.Ends[0]) + math.Abs(in.Ends[1]) + math.Abs(in.Slopes[0]) + math.Abs(in.Slopes[1]) +
		math.Abs(in.Change)
	return in
}

// slopeStep is the step of the differences, rulePoints the number of points of the plain mean.
const slopeStep, rulePoints = 1e-3, 64

// slopes takes central differences of fourth order: the path goes on beyond its ends.
func (in *ruled) slopes(g func(float64) float64) {
	for i, at := range []float64{0, 1} {
		slope := func(h float64) float64 { return (8*(g(at+h)-g(at-h)) - g(at+2*h) + g(at-2*h)) / (12 * h) }
		in.Ends[i], in.Slopes[i] = g(at), slope(slopeStep)
		in.SlopesOff += math.Abs(slope(2*slopeStep) - in.Slopes[i])
	}
}

// errors computes the errors of the rules.
func (in *ruled) errors(g func(float64) float64) {
	along := func(rule impl.Rule) float64 {
		sum := 0.0
		for k, node := range rule.Nodes {
			sum += rule.Weights[k] * g(node)
		}
		return sum
	}
	for _, node := range impl.PlainMean(rulePoints).Nodes {
		in.MeanSize += math.Abs(g(node)) / rulePoints
	}
	in.Plain, in.Trapezoid = along(impl.PlainMean(rulePoints))-in.Change, along(impl.Trapezoid(rulePoints))-in.Change
	constant := func(rule func(n int) impl.Rule) (value, off float64) {
		var squares [3]float64 // n² times the error
		for i, n := range []int{rulePoints / 2, rulePoints, 2 * rulePoints} {
			squares[i] = float64(n*n) * (along(rule(n)) - in.Change)
		}
		value = (4*squares[2] - squares[1]) / 3
		return value, math.Abs(value - (4*squares[1]-squares[0])/3)
	}
	in.Mid, in.MidOff = constant(impl.Midpoint)
	in.Trap, in.TrapOff = constant(func(n int) impl.Rule { return impl.Trapezoid(n + 1) })
}

// judgeRuled: the plain mean is an identity in g. Sums of T terms err by (T+2)u times the sum of their sizes, weights
// included, which is at most T/(T−1) times the mean of |g|; both are multiplied by T at most, and eight further
// operations err by a rounding of the terms.
//
// n² times the error of a rule is c₂ + c₄/n² + c₆/n⁴ + …: extrapolation from n and 2n leaves −c₆/4n⁴, and from n/2 and
// n sixteen times that, so that the two differ by fifteen times what is left. Likewise a slope errs by g⁽⁵⁾h⁴/30, and
// the slope of twice the width by sixteen times that. A value of g errs by 100 roundings of ‖∇f‖‖step‖, and outputs by
// as many of what they are before cancellation, as in the change along the path: (4·4n² + n²)/3 times that in the
// constant, and 18/12h times in each slope, a 24th and a 12th of which count.
func judgeRuled(r *props.Record, in ruled, c ruleErrors) {
	r.Regime(depthRegime(in.Layers))
	plain := c.plain(in.Ends[0], in.Ends[1], in.Change, in.Trapezoid, rulePoints)
	size := in.MeanSize + math.Abs(in.Change) + math.Abs(in.Ends[0]) + math.Abs(in.Ends[1])
	r.WithinScale("plain mean, T times its error", rulePoints*in.Plain, plain, in.Scale,
		rulePoints*(2*(rulePoints+2)*rulePoints/(rulePoints-1.)+8)*r.Unit()*size)
	noise := 100 * r.Unit() * (in.Gradient + in.Outputs) * (17./3*rulePoints*rulePoints + 2*1.5/slopeStep/12)
	r.WithinScale("midpoint, leading constant", in.Mid, c.midpoint(in.Slopes[0], in.Slopes[1]), in.Scale,
		in.MidOff+in.SlopesOff/24+noise)
	r.WithinScale("trapezoid, leading constant", in.Trap, c.trapezoid(in.Slopes[0], in.Slopes[1]), in.Scale,
		in.TrapOff+in.SlopesOff/12+noise)
}
