package tangent

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// gradient pairs the kernel of layers with inner products of gradients from backpropagation.
var gradient = props.Spec{
	Statement: &theory.Gradient,
	Checks: []props.Check{
		props.Instances[layered]{
			Name:    "kernel of layers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"one layer", "two layers", "deeper"},
			Draw:    func(t *props.T, done string) layered { return drawLayered(t, false, done) },
			Judge: func(r *props.Record, in layered, claimed string) {
				p, x, y := in.claim(claimed), in.X.RawRowView(0), in.X.RawRowView(1)
				size := p.Magnitude(x, y)
				r.Regime(depthRegime(len(in.Net)))
				r.WithinScale("kernel", in.Kernel, p.Kernel(x, y), size, 2*float64(in.operations())*r.Unit()*size)
				r.WithinScale("kernel through factors", in.Factored, p.Kernel(x, y), size,
					2*float64(in.operations())*r.Unit()*size)
			},
			Controls: []props.Control{
				{Name: "biases left out of the features", Assumption: "all-parameters", Criterion: "kernel",
					Done: "weights only"},
				{Name: "without the 1 of the biases", Criterion: "kernel", Claimed: "no ones"},
				{Name: "the last layer alone", Criterion: "kernel", Claimed: "last layer"},
				{Name: "factors without biases", Criterion: "kernel through factors", Claimed: "no ones"},
			},
		},
		props.Instances[layered]{
			Name:    "kernel of layers, on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"one layer", "two layers", "deeper"},
			Draw:    func(t *props.T, done string) layered { return drawLayered(t, true, done) },
			Judge: func(r *props.Record, in layered, claimed string) {
				r.Regime(depthRegime(len(in.Net)))
				r.Exactly("kernel", in.Kernel, in.claim(claimed).Kernel(in.X.RawRowView(0), in.X.RawRowView(1)))
			},
			Controls: []props.Control{{Name: "the last layer alone, on integers", Claimed: "last layer"}},
		},
	},
	Along: &props.Along{
		Param: "x", From: -4, To: 4, Of: []string{"kernel"},
		Each: &props.ParamSweep{Name: "x2", Values: []string{"0.3", "1", "3"}}, Places: 13, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statements.Values) (map[string]float64, error) {
		net := nn.Net{{W: mat.NewDense(1, 1, []float64{v.Float("w")}), Act: nn.Tanh},
			{W: mat.NewDense(1, 1, []float64{v.Float("a")}), Act: nn.Identity}}
		phi := impl.NetFeatures(net, mat.NewDense(2, 1, []float64{v.Float("x"), v.Float("x2")}))
		return map[string]float64{"kernel": floats.Dot(phi.RawRowView(0), phi.RawRowView(1)),
			"norm": floats.Dot(phi.RawRowView(0), phi.RawRowView(0))}, nil
	}},
}.Claim()

// layered is a network and two inputs.
type layered struct {
	Net              nn.Net
	X                *mat.Dense // 2×d
	Kernel, Factored float64    // of explicit features, and of factors
}

var activations = []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus, nn.ReLU, nn.Identity}

// drawNet draws depth, widths, activations and biases with rapid, and the entries from a stream.
func drawNet(t *props.T, r *rand.Rand, deepest int, acts []nn.Activation,
	entries func(rows, cols int) *mat.Dense) nn.Net {
	depth, in := gen.Dim(t.T, "depth", deepest), gen.Dim(t.T, "inputs", 5)
	net := make(nn.Net, depth)
	for l := range net {
		out, act := gen.Dim(t.T, "width", 6), rapid.SampledFrom(acts).Draw(t.T, "activation")
		if l == depth-1 {
			out = 1
			if rapid.Bool().Draw(t.T, "linear output") {
				act = nn.Identity
			}
		}
		net[l] = nn.Layer{W: entries(out, in), Act: act}
		if rapid.Bool().Draw(t.T, "biases") {
			net[l].B = entries(out, 1).RawMatrix().Data
		}
		in = out
	}
	return net
}

func drawLayered(t *props.T, integers bool, done string) layered {
	r := t.Stream("entries")
	entries, acts := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1) }, activations
	if integers {
		entries, acts = func(rows, cols int) *mat.Dense { return gen.Integers(r, rows, cols, 2) },
			[]nn.Activation{nn.ReLU, nn.Identity}
	}
	in := layered{Net: drawNet(t, r, 5, acts, entries)}
	_, d := in.Net[0].W.Dims()
	in.X = entries(2, d)
	net := in.Net
	if done == "weights only" { // the biases move into constants that are not trained: another function's features
		net = nn.Net{}
		for _, layer := range in.Net {
			layer.B = nil
			net = append(net, layer)
		}
	}
	phi := impl.NetFeatures(net, in.X)
	in.Kernel = floats.Dot(phi.RawRowView(0), phi.RawRowView(1))
	in.Factored = impl.LayerKernel(impl.FactorsOf(net, in.X)).At(0, 1)
	return in
}

// claim is the network as the statement reads it.
func (in layered) claim(claimed string) theory.Perceptron {
	var p theory.Perceptron
	for l, layer := range in.Net {
		if claimed == "last layer" && l < len(in.Net)-1 {
			continue
		}
		p.Weights, p.Biases = append(p.Weights, layer.W), append(p.Biases, layer.B)
		p.Activations = append(p.Activations, theory.Curves[layer.Act.Name])
		if claimed == "no ones" {
			p.Biases[len(p.Biases)-1] = nil
		}
	}
	if claimed == "last layer" { // of its own input
		_, width := p.Weights[0].Dims()
		if _, inputs := in.X.Dims(); width != inputs {
			p.Weights[0] = mat.NewDense(1, 5, []float64{1, 1, 1, 1, 1}).Slice(0, 1, 0, min(5, inputs)).(*mat.Dense)
		}
	}
	return p
}

// operations counts those along a path through the network, forwards, backwards and in the inner products.
func (in layered) operations() int {
	sum := 10
	for _, layer := range in.Net {
		out, width := layer.W.Dims()
		sum += 2*(out+width) + 12
	}
	return sum
}

func depthRegime(depth int) string {
	return []string{"one layer", "two layers", "deeper"}[min(depth, 3)-1]
}
