package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// algorithm takes the first step with the implementation, and its gradient as a difference of losses.
var algorithm = props.Spec{
	Statement: &theory.Algorithm,
	Checks: []props.Check{props.Instances[firstStep]{
		Name:    "gradient and first step",
		Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Regimes: []string{"no biases", "biases", "one pair", "labels 0"},
		Draw:    drawFirstStep,
		Judge:   judgeFirstStep,
		Proven: map[string]string{"directional derivative": "the loss is quadratic between kinks, and every rounding of " +
			"it and of the gradient"},
		Controls: []props.Control{
			{Reading: "index-rule", Criterion: "output", Done: "index rule"},
			{Name: "independent signs", Assumption: "paired", Criterion: "output", Done: "independent"},
			{Name: "independent signs, gradient", Assumption: "paired", Criterion: "directional derivative",
				Done: "independent"},
			{Name: "loss with ½", Assumption: "loss", Criterion: "directional derivative", Claimed: "½"},
			{Name: "sum over samples", Assumption: "loss", Criterion: "directional derivative", Claimed: "sum"},
			{Name: "λ = 1.01/η", Assumption: "decay", Criterion: "W⁽¹⁾", Done: "more decay"},
			{Name: "no decay", Assumption: "decay", Criterion: "W⁽¹⁾", Done: "no decay"},
			{Name: "opposite sign", Criterion: "∇L", Claimed: "opposite"},
			{Name: "half-spaces of longer weights", Criterion: "of other lengths", Done: "longer with bias"},
			{Name: "equal signs within a pair", Criterion: "antisymmetry", Claimed: "symmetric"},
		},
	}},
}.Claim()

// firstStep is a network at its start with samples, and what the implementation makes of them.
type firstStep struct {
	X, W, Gradient, After, Longer *mat.Dense
	Y, A, B, Output               []float64
	Direction                     *mat.Dense
	H, Up, Down, Eta              float64
	Scaled                        bool // whether the gradient is claimed not to depend on the lengths of the weights
}

func drawFirstStep(t *props.T, done string) firstStep {
	n, d, half := gen.Dim(t.T, "n", 12), gen.Dim(t.T, "d", 5), gen.Dim(t.T, "m/2", 6)
	if done == "index rule" {
		half = max(half, 2)
	}
	r := t.Stream("entries")
	net := latent.Symmetric(r, 2*half, d)
	if rapid.Bool().Draw(t.T, "biases") || done == "longer with bias" {
		for j := range half {
			net.B[j] = r.NormFloat64()
			net.B[half+j] = net.B[j]
		}
	}
	switch done {
	case "independent":
		net = latent.Independent(r, 2*half, d)
		net.A[0], net.A[half] = 1, 1
	case "index rule": // 1-based j ≤ m/2 with m−j; m/2 and m are left over and get +1
		for j := 1; j <= half; j++ {
			if j < half {
				net.W.SetRow(2*half-j-1, net.W.RawRowView(j-1))
				net.A[2*half-j-1] = -net.A[j-1]
			}
		}
		net.W.SetRow(2*half-1, gen.Gaussian(r, 1, d, 1).RawRowView(0))
		net.A[half-1], net.A[2*half-1] = 1, 1
	}
	in := firstStep{X: gen.Gaussian(r, n, d, 1), Y: make([]float64, n), A: net.A, B: net.B, W: net.W,
		Eta: gen.LogUniform(t.T, "η", 1e-3, 1e3)}
	if rapid.IntRange(0, 9).Draw(t.T, "labels 0") < 9 {
		for i := range in.Y {
			in.Y[i] = r.NormFloat64()
		}
	}
	in.Output = net.Output(in.X)
	in.Gradient = net.FirstGradient(in.X, in.Y)
	decay := 1 / in.Eta
	switch done {
	case "more decay":
		decay *= 1.01
	case "no decay":
		decay = 0
	}
	in.After = net.Step(in.Gradient, in.Eta, decay).W
	longer := latent.Network{W: mat.DenseCopyOf(net.W), A: net.A, B: net.B}
	longer.W.Scale(8, longer.W)
	in.Longer = longer.FirstGradient(in.X, in.Y)
	in.Scaled = floats.Norm(net.B, 2) == 0 || done == "longer with bias"
	in.difference(net, gen.Gaussian(r, 2*half, d, 1))
	return in
}

// difference takes the losses at W ± hD, with h a quarter of the distance along D to the nearest kink.
func (s *firstStep) difference(net latent.Network, direction *mat.Dense) {
	s.Direction, s.H = direction, 1
	var z, dz mat.Dense
	z.Mul(s.X, net.W.T())
	dz.Mul(s.X, direction.T())
	n, m := z.Dims()
	for i := range n {
		for j := range m {
			if slope := math.Abs(dz.At(i, j)); slope > 0 {
				s.H = min(s.H, math.Abs(z.At(i, j)+net.B[j])/slope/4)
			}
		}
	}
	moved := func(h float64) float64 {
		var w mat.Dense
		w.Scale(h, direction)
		w.Add(&w, net.W)
		return latent.Network{W: &w, A: net.A, B: net.B}.Loss(s.X, s.Y)
	}
	s.Up, s.Down = moved(s.H), moved(-s.H)
}

func judgeFirstStep(r *props.Record, in firstStep, claimed string) {
	n, d := in.X.Dims()
	m := len(in.A)
	switch {
	case floats.Norm(in.Y, 2) == 0:
		r.Regime("labels 0")
	case m == 2:
		r.Regime("one pair")
	case floats.Norm(in.B, 2) == 0:
		r.Regime("no biases")
	default:
		r.Regime("biases")
	}
	size := mat.Norm(in.W, 2) * mat.Norm(in.X, 2) * math.Sqrt(float64(m))
	size += float64(m) * floats.Norm(in.B, math.Inf(1))
	outputError := float64(m+d+4) * r.Unit() * size
	r.WithinScale("output", floats.Norm(in.Output, math.Inf(1)), 0, size, outputError)

	samples := make([][]float64, n)
	sum := 0.0
	for i := range samples {
		samples[i] = in.X.RawRowView(i)
		sum += math.Abs(in.Y[i]) * floats.Norm(samples[i], 2)
	}
	want := mat.NewDense(m, d, nil)
	for j := range m {
		want.SetRow(j, theory.NeuronGradient(samples, in.Y, in.W.RawRowView(j), in.A[j], in.B[j]))
	}
	switch claimed {
	case "½":
		want.Scale(0.5, want)
	case "sum":
		want.Scale(float64(n), want)
	case "opposite":
		want.Scale(-1, want)
	}
	error := 4 * float64(n+8) * r.Unit() * (sum/float64(n) + 0x1p-500) * math.Sqrt(float64(m))
	labelled := floats.Norm(in.Y, 2) > 0 // otherwise both sides vanish
	if labelled {
		r.WithinMatrix("∇L", in.Gradient, want, error)
	}
	var along mat.Dense
	along.MulElem(in.Direction, want)
	length := mat.Norm(in.Direction, 2)
	moved := size + in.H*length*mat.Norm(in.X, 2) + floats.Norm(in.Y, 2)
	// Between kinks the loss is quadratic along D and the quotient exact. Pre-activations stay below 5/4 of those at W, so
	// that an output errs by (m+d+4)u·5/4 of size, W ± hD by u of it, and a loss by (2(m+d)+n+13)u·(5/4)²·moved², which
	// is also what both losses do to the quotient over h. The sums over D and the formula take 2(n+4) + 2(m+d) + 2 of
	// u√m·Σ|y|‖x‖/n, of which error is 4(n+8), and moved²/h ≥ 2‖D‖‖X‖‖Y‖ has the rest.
	r.WithinScale("directional derivative", (in.Up-in.Down)/(2*in.H), mat.Sum(&along), length*(mat.Norm(want, 2)+size),
		error*length+4*float64(m+d+n+8)*r.Unit()*moved*moved/in.H)

	step := mat.DenseCopyOf(in.Gradient)
	step.Scale(-in.Eta, step)
	if labelled {
		r.WithinMatrix("W⁽¹⁾", in.After, step, 8*r.Unit()*(mat.Norm(step, 2)+2*mat.Norm(in.W, 2)))
	}
	if in.Scaled && labelled {
		r.WithinMatrix("of other lengths", in.Longer, in.Gradient, error)
	}
	if !labelled {
		return
	}
	top, bottom := in.Gradient.Slice(0, m/2, 0, d), mat.DenseCopyOf(in.Gradient.Slice(m/2, m, 0, d))
	if claimed != "symmetric" {
		bottom.Scale(-1, bottom)
	}
	r.ExactlyMatrix("antisymmetry", top, bottom)
}
