package latent

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// problem holds a target and one data set, with fresh samples for tuning and points for testing.
type problem struct {
	Target                  target.Named
	Train, Validation, Test latent.Points
}

const (
	plainRuns  = 48 // of variants not claimed to be good; hardly any run may lie on the other side, see [runs]
	testNodes  = 48
	testCopies = 5  // random completions of each node
	manyCopies = 20 // if with fewer the test would cause much of the scatter
)

// newProblem draws n samples in d dimensions, and validation samples for tuning; with few of these, single runs are
// badly tuned.
func newProblem(r *rand.Rand, f target.Named, n, d, validation int) problem {
	nodes := testNodes
	if f.Latent > 1 {
		nodes = testNodes / 4
	}
	return problem{f, latent.Sample(r, n, d, f.Latent, f.At), latent.Sample(r, validation, d, f.Latent, f.At),
		latent.Quadrature(r, nodes, testCopies, d, f.Latent, f.At)}
}

// finely returns the problem with more points for testing.
func (p problem) finely(r *rand.Rand) problem {
	_, d := p.Train.X.Dims()
	p.Test = latent.Quadrature(r, testNodes, manyCopies, d, p.Target.Latent, p.Target.At)
	return p
}

// penalties holds the candidates of the tuning; the smallest is large enough to keep single runs from blowing up.
var penalties = ridge.Penalties(1e-4, 1e2, 13)

// learn runs Algorithm 1, or what a control does in its place, and returns its test error and the first layer.
func (p problem) learn(r *rand.Rand, m int, variant string) (float64, latent.Network) {
	net, linear, rest := p.step(r, m, variant)
	return p.head(net, linear, rest), net
}

// step does everything before the head: it returns the first layer after its step, with new biases, the linear part,
// and the labels less the linear part.
func (p problem) step(r *rand.Rand, m int, variant string) (latent.Network, latent.Linear, []float64) {
	x, y := p.Train.X, p.Train.Y
	_, d := x.Dims()
	linear, rest := latent.Preprocess(x, y)
	if variant == "no preprocessing" {
		linear, rest = latent.Linear{Weights: make([]float64, d)}, y
	}
	var net latent.Network
	switch variant {
	case "no step":
		net = latent.Independent(r, m, d)
	case "independent":
		first := latent.Independent(r, m, d)
		net = latent.Network{W: first.Gradient(x, rest), A: first.A, B: first.B}
	case "output over m":
		first := latent.Independent(r, m, d)
		floats.Scale(1/float64(m), first.A)
		net = latent.Network{W: first.Gradient(x, rest), A: first.A, B: first.B}
	default:
		first := latent.Symmetric(r, m, d)
		if variant == "biases of the code" { // N(0, 1) before the step, one for each pair
			first = first.Redraw(r)
			copy(first.B[m/2:], first.B[:m/2])
		}
		net = latent.Network{W: first.FirstGradient(x, rest), A: first.A, B: first.B}
		if variant == "initial weights kept" { // and η₁ such that the rows of the step have length 1
			net.W.Scale(-1, net.W)
			net.Normalise(1)
			net.W.Add(net.W, first.W)
		}
	}
	net.Normalise(1)
	if variant != "no biases" && variant != "biases of the code" {
		net = net.Redraw(r)
	}
	return net, linear, rest
}

// head fits the output weights and returns the test error.
func (p problem) head(net latent.Network, linear latent.Linear, rest []float64) float64 {
	fitted := must.Get(latent.Head(net, linear, p.Train.X, rest, penalties, p.Validation))
	return p.Test.Square(fitted.Output(p.Test.X))
}

// kernels returns the kernels that are tuned; a constant coordinate √d supplies their bias.
func kernels(d int) map[string]rkhs.Kernel {
	return map[string]rkhs.Kernel{"tangent": rkhs.NeuralTangent(), "features": rkhs.RandomFeatures(),
		"polynomial": rkhs.Polynomial(3, float64(d)), "gaussian": rkhs.Gaussian(math.Sqrt(float64(d)))}
}

// regress maps the points, tunes ridge regression with a kernel, and returns its test error, or NaN if every penalty
// fails.
func (p problem) regress(k rkhs.Kernel, mapped func(x *mat.Dense) *mat.Dense) float64 {
	square, err := latent.Regress(k, mapped, p.Train, p.Validation, p.Test)
	if err != nil && !errors.Is(err, latent.ErrSingular) {
		panic(err)
	}
	return square
}

// leastEffect is the smallest distance of a median from its bound that a claim asserts, as a share of the bound.
const leastEffect = 0.02

// below claims that the median of independent draws lies below a bound, and above that it lies above.
func below(r *props.Record, name string, draws []float64, bound float64) {
	r.Effect(name, stat.Median(draws, stat.CriterionAlpha), bound, (1-leastEffect)*bound)
}

func above(r *props.Record, name string, draws []float64, bound float64) {
	r.Effect(name, stat.Median(draws, stat.CriterionAlpha), bound, (1+leastEffect)*bound)
}

// learnedMetric returns the map of points to the metric of a first layer.
func learnedMetric(w *mat.Dense) func(x *mat.Dense) *mat.Dense {
	return must.Get(latent.InMetric(w))
}
