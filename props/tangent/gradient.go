package tangent

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// gradient pairs the kernel of layers with inner products of gradients from backpropagation.
var gradient = props.Spec{
	Statement: &theory.Gradient,
	Checks: []props.Check{
		props.Drawn[layered, reading]{
			Name:    "kernel of layers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"one layer", "two layers", "deeper"},
			Draw:    func(t *props.T) layered { return drawLayered(t, false).measured(layered.net) },
			Claim:   layered.perceptron,
			Judge: func(r *props.Record, in layered, read reading) {
				p, x, y := read(in), in.X.RawRowView(0), in.X.RawRowView(1)
				size := p.Magnitude(x, y)
				r.Regime(depthRegime(len(in.Net)))
				r.WithinScale("kernel", in.Kernel, p.Kernel(x, y), size, 2*float64(in.operations())*r.Unit()*size)
				r.WithinScale("kernel through factors", in.Factored, p.Kernel(x, y), size,
					2*float64(in.operations())*r.Unit()*size)
			},
			Controls: []props.Wrong[layered, reading]{
				{Name: "biases left out of the features", Assumption: "all-parameters", Criterion: "kernel",
					Draw: func(t *props.T) layered { return drawLayered(t, false).measured(layered.withoutBiases) }},
				{Name: "without the 1 of the biases", Criterion: "kernel", Instead: layered.withoutOnes},
				{Name: "the last layer alone", Criterion: "kernel", Instead: layered.lastLayer},
				{Name: "factors without biases", Criterion: "kernel through factors", As: "without the 1 of the biases"},
			},
		},
		props.Drawn[layered, reading]{
			Name:    "kernel of layers, on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: []string{"one layer", "two layers", "deeper"},
			Draw:    func(t *props.T) layered { return drawLayered(t, true).measured(layered.net) },
			Claim:   layered.perceptron,
			Judge: func(r *props.Record, in layered, read reading) {
				r.Regime(depthRegime(len(in.Net)))
				r.Exactly("kernel", in.Kernel, read(in).Kernel(in.X.RawRowView(0), in.X.RawRowView(1)))
			},
			Controls: []props.Wrong[layered, reading]{{Name: "the last layer alone, on integers",
				Instead: layered.lastLayer}},
		},
	},
	Along: &props.Along{
		Param: "x", From: -4, To: 4, Of: []string{"kernel"},
		Each: &props.ParamSweep{Name: "x2", Values: []string{"0.3", "1", "3"}}, Places: 13, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statement.Values) (map[string]float64, error) {
		net := nn.Net{{W: mat.NewDense(1, 1, []float64{v.Float("w")}), Act: nn.Tanh},
			{W: mat.NewDense(1, 1, []float64{v.Float("a")}), Act: nn.Identity}}
		phi := impl.NetFeatures(net, mat.NewDense(2, 1, []float64{v.Float("x"), v.Float("x2")}))
		return map[string]float64{"kernel": floats.Dot(phi.RawRowView(0), phi.RawRowView(1)),
			"norm": floats.Dot(phi.RawRowView(0), phi.RawRowView(0))}, nil
	}},
}.Claim()

// reading is the network as the statement reads it.
type reading func(layered) theory.Perceptron

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

func drawLayered(t *props.T, integers bool) layered {
	r := t.Stream("entries")
	entries, acts := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1) }, activations
	if integers {
		entries, acts = func(rows, cols int) *mat.Dense { return gen.Integers(r, rows, cols, 2) },
			[]nn.Activation{nn.ReLU, nn.Identity}
	}
	in := layered{Net: drawNet(t, r, 5, acts, entries)}
	_, d := in.Net[0].W.Dims()
	in.X = entries(2, d)
	return in
}

func (in layered) net() nn.Net { return in.Net }

// withoutBiases is the network whose biases moved into constants that are not trained: it has another function's
// features.
func (in layered) withoutBiases() nn.Net {
	var net nn.Net
	for _, layer := range in.Net {
		layer.B = nil
		net = append(net, layer)
	}
	return net
}

// measured takes the kernels of a network.
func (in layered) measured(of func(layered) nn.Net) layered {
	net := of(in)
	phi := impl.NetFeatures(net, in.X)
	in.Kernel = floats.Dot(phi.RawRowView(0), phi.RawRowView(1))
	in.Factored = impl.LayerKernel(impl.FactorsOf(net, in.X)).At(0, 1)
	return in
}

// perceptron is the network as the statement has it.
func (in layered) perceptron() theory.Perceptron {
	var p theory.Perceptron
	for _, layer := range in.Net {
		p.Weights, p.Biases = append(p.Weights, layer.W), append(p.Biases, layer.B)
		p.Activations = append(p.Activations, theory.Curves[layer.Act.Name])
	}
	return p
}

// withoutOnes leaves the 1 of the biases out.
func (in layered) withoutOnes() theory.Perceptron {
	p := in.perceptron()
	clear(p.Biases)
	return p
}

// lastLayer is the last layer alone, of the input in place of its own.
func (in layered) lastLayer() theory.Perceptron {
	in.Net = in.Net[len(in.Net)-1:]
	p := in.perceptron()
	_, width := p.Weights[0].Dims()
	if _, inputs := in.X.Dims(); width != inputs {
		p.Weights[0] = mat.NewDense(1, 5, []float64{1, 1, 1, 1, 1}).Slice(0, 1, 0, min(5, inputs)).(*mat.Dense)
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
