package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// lazy trains smooth networks on labels that shrink.
var lazy = props.Spec{
	Statement: &theory.Lazy,
	Checks: []props.Check{props.Sweep[shrinking, shrunk]{
		Name:    "order in the label scale",
		Cells:   shrinkings,
		Regimes: []string{"tanh", "sigmoid", "softplus"},
		Measure: measureShrinking,
		Judge: func(r *props.Record, c shrinking, m shrunk, claimed string) {
			r.Regime(c.Activation)
			want := 1.0
			if claimed == "square" {
				want = 2
			}
			order.Judge(r, "order of K̄ − K₀", m.remainder(m.Kernels), want)
			order.Judge(r, "order of θ₁ − θ₀", m.remainder(m.Steps), want)
		},
		Controls: []props.Control{
			{Name: "labels without the outputs at the start", Assumption: "centred",
				Criterion: "order of θ₁ − θ₀: the part of another order", Done: "not centred"},
			{Name: "labels without the outputs at the start, kernel",
				Criterion: "order of K̄ − K₀: the part of another order", Done: "not centred"},
			{Name: "labels a thousand times as large", Assumption: "small",
				Criterion: "order of K̄ − K₀: the part of another order", Done: "large"},
			{Name: "labels a thousand times as large, parameters",
				Criterion: "order of θ₁ − θ₀: the part of another order", Done: "large"},
			{Name: "a second order", Criterion: "order of K̄ − K₀", Claimed: "square"},
			{Name: "a second order of the parameters", Criterion: "order of θ₁ − θ₀", Claimed: "square"},
		},
		Replicates: 2,
		Coarse: map[string]string{"order of K̄ − K₀: the part of another order": "a bound that is met by far",
			"order of θ₁ − θ₀: the part of another order": "a bound that is met by far"},
	}},
}.Claim()

// shrinking is a random network, its data and the activation.
type shrinking struct {
	Activation string
	Problem    int
}

func shrinkings(e props.Effort) []shrinking {
	var cells []shrinking
	for i := range (props.Scale{Quick: 4, Standard: 30, Deep: 1000}).At(e) {
		for _, act := range []string{"tanh", "sigmoid", "softplus"} {
			cells = append(cells, shrinking{act, i})
		}
	}
	return cells
}

// shrunk are K̄ − K₀ and θ₁ − θ₀ at label scales of which each is half of the one before.
type shrunk struct {
	Scales         []float64
	Kernels, Steps []*mat.Dense
}

// remainder: kernels and parameters are known to roundings of what they are made of.
func (m shrunk) remainder(of []*mat.Dense) order.Remainder {
	return order.Halved(m.Scales, of, 1, 1e-12)
}

var smoothActs = map[string]nn.Activation{"tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "softplus": nn.Softplus}

func measureShrinking(t *props.Trial, c shrinking, done string) (out shrunk) {
	const n, d, width = 10, 4, 8
	widths := []int{d, width, width, 1}[c.Problem%2:]
	widths[0] = d
	start := impl.HeNet(t.Rand, widths...)
	for l := range len(start) - 1 {
		start[l].Act = smoothActs[c.Activation]
	}
	points := gen.Gaussian(t.Rand, n, d, 1)
	y := gen.Gaussian(t.Rand, n, 1, 1).RawMatrix().Data
	first := 1. / 256
	if done == "large" {
		first *= 1000
	}
	for k := range 6 {
		a := math.Ldexp(first, -k)
		kernel, step := lazyRun(t.Rand, start, points, y, a, done == "not centred")
		out.Scales, out.Kernels, out.Steps = append(out.Scales, a), append(out.Kernels, kernel), append(out.Steps, step)
	}
	return out
}

// lazyRun trains on labels of scale a and returns K̄ − K₀ and θ₁ − θ₀ (a column).
func lazyRun(r *rand.Rand, start nn.Net, points *mat.Dense, y []float64, a float64,
	raw bool) (kernel, step *mat.Dense) {
	labels := make([]float64, len(y))
	if !raw {
		copy(labels, impl.Outputs(start, points))
	}
	floats.AddScaled(labels, a, y)
	end := impl.Training{Rate: 0.05, Momentum: 0.9, Epochs: 40}.Fit(r, start, points, labels)
	p := impl.Path{Start: start, End: end}
	kernel = p.AveragedKernel(points, impl.Midpoint(8))
	kernel.Sub(kernel, impl.LayerKernel(impl.FactorsOf(start, points)))
	moved := p.Step()
	return kernel, mat.NewDense(len(moved), 1, moved)
}
