package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// lazy trains smooth networks on labels that shrink.
var lazy = props.Spec{
	Statement: &theory.Lazy,
	Checks: []props.Check{props.Grid[shrinking, shrunk, float64]{
		Name:    "order in the label scale",
		Cells:   shrinkings,
		Regimes: []string{"tanh", "sigmoid", "softplus", "gelu", "no biases", "no momentum"},
		Measure: func(t *props.Trial, c shrinking) shrunk { return shrink(t, c, 1./256, centredLabels) },
		Claim:   1, // the order of kernel and parameters; the order of the outputs is twice as large
		Judge: func(r *props.Record, c shrinking, m shrunk, want float64) {
			r.Regime(c.Activation)
			if !c.biases() {
				r.Regime("no biases")
			}
			if c.momentum() == 0 {
				r.Regime("no momentum")
			}
			order.Judge(r, "order of K̄ − K₀", m.Kernel.Remainder, want)
			order.Judge(r, "order of θ₁ − θ₀", m.Step.Remainder, want)
			order.Judge(r, "order of outputs beyond linear", m.Outputs.Remainder, 2*want)
		},
		Conclude: func(r *props.Record, _ []shrinking, all []shrunk, _ float64) { r.Figure(lazyFigure(all)) },
		Controls: []props.WrongCell[shrinking, shrunk, float64]{
			{Name: notCentred, Assumption: "centred",
				Criterion: "order of θ₁ − θ₀: the part of another order",
				Measure:   func(t *props.Trial, c shrinking) shrunk { return shrink(t, c, 1./256, bareLabels) },
				On:        firstHalf},
			{Name: "labels without the outputs at the start, kernel",
				Criterion: "order of K̄ − K₀: the part of another order", As: notCentred},
			{Name: "labels a thousand times as large", Assumption: "small",
				Criterion: "order of K̄ − K₀: the part of another order",
				Measure:   func(t *props.Trial, c shrinking) shrunk { return shrink(t, c, 1000./256, centredLabels) },
				On:        firstHalf},
			{Name: "labels a thousand times as large, parameters",
				Criterion: "order of θ₁ − θ₀: the part of another order", As: "labels a thousand times as large"},
			{Name: "labels without the outputs at the start, outputs",
				Criterion: "order of outputs beyond linear: the part of another order", As: notCentred},
			{Name: "a fourth order of the outputs", Criterion: "order of outputs beyond linear", Instead: 2},
			{Name: "a second order", Criterion: "order of K̄ − K₀", As: "a fourth order of the outputs"},
			{Name: "a second order of the parameters", Criterion: "order of θ₁ − θ₀", As: "a fourth order of the outputs"},
		},
		Replicates: 1,
		Coarse: map[string]string{"order of K̄ − K₀: the part of another order": "a bound that is met by far",
			"order of θ₁ − θ₀: the part of another order":               "a bound that is met by far",
			"order of outputs beyond linear: the part of another order": "a bound that is met by far"},
	}},
}.Claim()

const notCentred = "labels without the outputs at the start"

// firstHalf are the problems that show a control.
func firstHalf(c shrinking) bool { return c.Problem < 6 }

// shrinking is a random network, its data and the activation.
type shrinking struct {
	Activation string
	Problem    int
}

// Half of the networks have no biases, and a quarter of the trainings no momentum.
func (c shrinking) biases() bool { return c.Problem%4 < 2 }

func (c shrinking) momentum() float64 {
	if c.Problem%4 == 3 {
		return 0
	}
	return 0.9
}

func shrinkings(e props.Effort) []shrinking {
	return list.Cross(props.Scale{Quick: 12, Standard: 24, Deep: 1000}.Indices(e),
		[]string{"tanh", "sigmoid", "softplus", "gelu"}, func(i int, act string) shrinking { return shrinking{act, i} })
}

// shrunk are K̄ − K₀, θ₁ − θ₀ and the change of the outputs beyond linear, at 10 points trained on and 10 others, along
// label scales each of which is half of the one before.
type shrunk struct {
	Scales                []float64
	Kernel, Step, Outputs moves
}

// moves are the norms of a change along all scales, and its remainder.
type moves struct {
	Norms     []float64
	Remainder order.Remainder
}

func movesOf(scales []float64, changes []*mat.Dense, claimed int, rounding float64) moves {
	return moves{list.Map(changes, func(x *mat.Dense) float64 { return mat.Norm(x, 2) }),
		order.Halved(scales, changes, claimed, rounding)}
}

var smoothActs = map[string]nn.Activation{"tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "softplus": nn.Softplus,
	"gelu": nn.GELU}

// shrink trains on labels of the first scale and of five that are half of the one before.
func shrink(t *props.Trial, c shrinking, first float64,
	labels func(start nn.Net, points *mat.Dense) []float64) (out shrunk) {
	const n, d, width = 10, 4, 8
	widths := []int{d, width, width, 1}[c.Problem%2:]
	widths[0] = d
	start := impl.HeNet(t.Rand, widths...)
	for l := range start {
		if l < len(start)-1 {
			start[l].Act = smoothActs[c.Activation]
		}
		if !c.biases() {
			start[l].B = nil
		}
	}
	points := gen.Gaussian(t.Rand, 2*n, d, 1)
	y := gen.Gaussian(t.Rand, n, 1, 1).RawMatrix().Data
	features := impl.NetFeatures(start, points)
	_, parameters := features.Dims()
	steepest := singularValues(mat.DenseCopyOf(features.Slice(0, n, 0, parameters)))[0]
	rate := min(0.05, n/(steepest*steepest)) // where a step overshoots, labels of no size are small enough
	var kernels, steps, outputs []*mat.Dense
	for k := range 6 {
		a := math.Ldexp(first, -k)
		seen := points.Slice(0, n, 0, d).(*mat.Dense)
		targets := floats.AddScaledTo(make([]float64, n), labels(start, seen), a, y)
		p := lazyPath(t.Rand, start, seen, targets, rate, c.momentum())
		moved := p.Step()
		step := mat.NewDense(len(moved), 1, moved)
		beyond := mat.NewDense(2*n, 1, p.Change(points))
		beyond.Sub(beyond, algebra.Product(features, step))
		kernel := p.AveragedKernel(points, impl.Midpoint(8))
		kernel.Sub(kernel, impl.LayerKernel(impl.FactorsOf(start, points)))
		out.Scales, kernels = append(out.Scales, a), append(kernels, kernel)
		steps, outputs = append(steps, step), append(outputs, beyond)
	}
	// All are known to roundings of what they are made of.
	out.Kernel, out.Step = movesOf(out.Scales, kernels, 1, 1e-12), movesOf(out.Scales, steps, 1, 1e-12)
	out.Outputs = movesOf(out.Scales, outputs, 2, 1e-13)
	return out
}

// centredLabels returns the outputs of the network at its start, to which labels are added.
func centredLabels(start nn.Net, points *mat.Dense) []float64 { return impl.Outputs(start, points) }

// bareLabels are nothing in its place.
func bareLabels(_ nn.Net, points *mat.Dense) []float64 {
	n, _ := points.Dims()
	return make([]float64, n)
}

// lazyPath trains on labels.
func lazyPath(r *rand.Rand, start nn.Net, points *mat.Dense, labels []float64, rate, momentum float64) impl.Path {
	end := impl.Training{Rate: rate, Momentum: momentum, Epochs: 40}.Fit(r, start, points, labels)
	return impl.Path{Start: start, End: end}
}

// lazyFigure has the norms of what is claimed to shrink over the scale of the labels, as geometric means over networks,
// and lines of the claimed orders through those at the smallest scale.
func lazyFigure(all []shrunk) props.Figure {
	f := props.Figure{ID: "orders", Title: "What small labels move",
		Caption: "Change of the averaged tangent kernel, of the parameters, and of the outputs beyond what the features at " +
			"the start explain, after training on labels of scale a: geometric means over all networks. The dashed lines " +
			"have the claimed orders, 1, 1 and 2.",
		X: props.Axis{Label: "scale of the labels a", Log: true}, Y: props.Axis{Label: "norm", Log: true}}
	for _, c := range []struct {
		name  string
		order float64
		of    func(shrunk) moves
	}{
		{"kernel, K̄ − K₀", 1, func(m shrunk) moves { return m.Kernel }},
		{"parameters, θ₁ − θ₀", 1, func(m shrunk) moves { return m.Step }},
		{"outputs beyond linear", 2, func(m shrunk) moves { return m.Outputs }},
	} {
		points := props.Curve{Name: c.name, Style: props.Points, X: all[0].Scales,
			Y: make([]float64, len(all[0].Scales))}
		for _, m := range all {
			for k, norm := range c.of(m).Norms {
				points.Y[k] += math.Log(norm) / float64(len(all))
			}
		}
		for k, y := range points.Y {
			points.Y[k] = math.Exp(y)
		}
		last := len(points.X) - 1
		line := props.Curve{Name: c.name + ", predicted", Style: props.Dashed, X: points.X,
			Y: make([]float64, len(points.X))}
		for k, a := range points.X {
			line.Y[k] = math.Pow(a/points.X[last], c.order)
		}
		floats.Scale(points.Y[last], line.Y)
		f.Curves = append(f.Curves, points, line)
	}
	return f
}
