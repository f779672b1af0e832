package latent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// algorithm takes the first step with the implementation, and compares its gradient with difference quotients of the
// loss.
var algorithm = props.Spec{
	Statement: &theory.Algorithm,
	Checks: []props.Check{props.Drawn[firstStep, firstStepClaim]{
		Name:    "gradient and first step",
		Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Tries:   28,
		Regimes: []string{"no biases", "biases", "one pair", "labels 0"},
		Draw:    func(t *props.T) firstStep { return drawFirstStep(t, stated) },
		Claim:   firstStepClaim{gradient: theory.NeuronGradient, sign: -1},
		Judge:   judgeFirstStep,
		Proven: map[string]string{"directional derivative": "the loss is quadratic between kinks, and every rounding of " +
			"it and of the gradient"},
		Controls: []props.Wrong[firstStep, firstStepClaim]{
			{Reading: "index-rule", Criterion: "output", Draw: func(t *props.T) firstStep {
				return drawFirstStep(t, startOf{halves: 2, pairs: indexRule, decay: 1})
			}},
			{Name: "independent signs", Assumption: "paired", Criterion: "output", Draw: func(t *props.T) firstStep {
				return drawFirstStep(t, startOf{halves: 1, pairs: independentSigns, decay: 1})
			}},
			{Name: "independent signs, gradient", Assumption: "paired", Criterion: "directional derivative",
				As: "independent signs"},
			{Name: "loss with ½", Assumption: "loss", Criterion: "directional derivative",
				Claim: func(c *firstStepClaim) { c.scale(func(int) float64 { return 0.5 }) }},
			{Name: "sum over samples", Assumption: "loss", Criterion: "directional derivative",
				Claim: func(c *firstStepClaim) { c.scale(func(n int) float64 { return float64(n) }) }},
			{Name: "λ = 1.01/η", Assumption: "decay", Criterion: "W⁽¹⁾", Draw: func(t *props.T) firstStep {
				return drawFirstStep(t, startOf{halves: 1, pairs: latent.Symmetric, decay: 1.01})
			}},
			{Name: "no decay", Assumption: "decay", Criterion: "W⁽¹⁾", Draw: func(t *props.T) firstStep {
				return drawFirstStep(t, startOf{halves: 1, pairs: latent.Symmetric})
			}},
			{Name: "opposite sign", Criterion: "∇L",
				Claim: func(c *firstStepClaim) { c.scale(func(int) float64 { return -1 }) }},
			{Name: "half-spaces of longer weights", Criterion: "of other lengths", Draw: func(t *props.T) firstStep {
				in := drawFirstStep(t, startOf{halves: 1, biases: true, pairs: latent.Symmetric, decay: 1})
				in.Scaled = true
				return in
			}},
			{Name: "equal signs within a pair", Criterion: "antisymmetry", Instead: firstStepClaim{sign: 1}},
		},
	}, props.Drawn[firstStep, residual]{
		Name:  "a start without pairs",
		Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
		Draw: func(t *props.T) firstStep {
			return drawFirstStep(t, startOf{halves: 1, biases: true, pairs: latent.Independent, decay: 1})
		},
		Claim: func(y, f float64) float64 { return y - f },
		Judge: judgeUnpaired,
		Proven: map[string]string{unpaired: "the loss is quadratic between kinks, and every rounding of it and of the " +
			"gradient"},
		Controls: []props.Wrong[firstStep, residual]{
			{Name: "labels in place of residuals", Criterion: unpaired, Instead: func(y, _ float64) float64 { return y }},
			{Name: "nine tenths of the output", Criterion: unpaired,
				Instead: func(y, f float64) float64 { return y - 0.9*f }},
		},
	}},
}.Claim()

// unpaired is the criterion for a start whose output is not 0, and residual returns what replaces a label there.
const unpaired = "directional derivative, no pairs"

type residual func(y, f float64) float64

// judgeUnpaired compares the difference quotient as [judgeFirstStep] does, with residuals in place of labels. A
// residual errs by (m+d+4)u times the size of the outputs, and so the formula by that times 2√m/n·Σ‖x‖.
func judgeUnpaired(r *props.Record, in firstStep, of residual) {
	n, d := in.X.Dims()
	m := len(in.A)
	labels, samples := make([]float64, n), make([][]float64, n)
	sum, inputs := 0.0, 0.0
	for i := range samples {
		samples[i], labels[i] = in.X.RawRowView(i), of(in.Y[i], in.Output[i])
		length := floats.Norm(samples[i], 2)
		sum, inputs = sum+math.Abs(labels[i])*length, inputs+length
	}
	size := mat.Norm(in.W, 2)*mat.Norm(in.X, 2)*math.Sqrt(float64(m)) + float64(m)*floats.Norm(in.B, math.Inf(1))
	along := 0.0
	for j := range m {
		g := theory.NeuronGradient(samples, labels, in.W.RawRowView(j), in.A[j], in.B[j])
		along += floats.Dot(in.Direction.RawRowView(j), g)
	}
	length := mat.Norm(in.Direction, 2)
	moved := size + in.H*length*mat.Norm(in.X, 2) + floats.Norm(in.Y, 2)
	formula := (4*float64(n+8)*sum + 2*float64(m+d+4)*size*inputs) / float64(n) * math.Sqrt(float64(m)) * length
	r.WithinScale(unpaired, (in.Up-in.Down)/(2*in.H), along, length*size,
		r.Unit()*(formula+4*float64(m+d+n+8)*moved*moved/in.H))
}

// firstStep holds an initial network with samples, and what the implementation computes from them.
type firstStep struct {
	X, W, Gradient, After, Longer *mat.Dense
	Y, A, B, Output               []float64
	Direction                     *mat.Dense
	H, Up, Down, Eta              float64
	Scaled                        bool // whether the gradient is claimed not to depend on the lengths of the weights
}

// startOf says how a network is initialised, and holds its weight decay in units of 1/η.
type startOf struct {
	halves int  // least number of pairs
	biases bool // always with biases
	pairs  func(r *rand.Rand, m, d int) latent.Network
	decay  float64
}

var stated = startOf{halves: 1, pairs: latent.Symmetric, decay: 1}

func independentSigns(r *rand.Rand, m, d int) latent.Network {
	net := latent.Independent(r, m, d)
	net.A[0], net.A[m/2] = 1, 1
	return net
}

// indexRule pairs j < m/2, counted from 1, with m−j. The neurons m/2 and m are left over, and get a = +1.
func indexRule(r *rand.Rand, m, d int) latent.Network {
	net, half := latent.Symmetric(r, m, d), m/2
	for j := 1; j < half; j++ {
		net.W.SetRow(m-j-1, net.W.RawRowView(j-1))
		net.A[m-j-1] = -net.A[j-1]
	}
	net.W.SetRow(m-1, gen.Gaussian(r, 1, d, 1).RawRowView(0))
	net.A[half-1], net.A[m-1] = 1, 1
	return net
}

func drawFirstStep(t *props.T, start startOf) firstStep {
	n, d, half := gen.Dim(t.T, "n", 12), gen.Dim(t.T, "d", 5), max(start.halves, gen.Dim(t.T, "m/2", 6))
	r := t.Stream("entries")
	net := start.pairs(r, 2*half, d)
	if rapid.Bool().Draw(t.T, "biases") || start.biases {
		for j := range half {
			net.B[j] = r.NormFloat64()
			net.B[half+j] = net.B[j]
		}
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
	in.After = net.Step(in.Gradient, in.Eta, start.decay/in.Eta).W
	longer := latent.Network{W: mat.DenseCopyOf(net.W), A: net.A, B: net.B}
	longer.W.Scale(8, longer.W)
	in.Longer = longer.FirstGradient(in.X, in.Y)
	in.Scaled = floats.Norm(net.B, 2) == 0
	in.difference(net, gen.Gaussian(r, 2*half, d, 1))
	return in
}

// difference computes the losses at W ± hD, with h at most a quarter of the distance along D to the nearest kink.
func (s *firstStep) difference(net latent.Network, direction *mat.Dense) {
	s.Direction, s.H = direction, 1
	z := algebra.Product(s.X, net.W.T())
	dz := algebra.Product(s.X, direction.T())
	n, m := z.Dims()
	for i := range n {
		for j := range m {
			if slope := math.Abs(dz.At(i, j)); slope > 0 {
				s.H = min(s.H, math.Abs(z.At(i, j)+net.B[j])/slope/4)
			}
		}
	}
	moved := func(h float64) float64 {
		w := algebra.Scaled(h, direction)
		w.Add(w, net.W)
		return latent.Network{W: w, A: net.A, B: net.B}.Loss(s.X, s.Y)
	}
	s.Up, s.Down = moved(s.H), moved(-s.H)
}

// firstStepClaim holds the claimed gradient of a neuron, and the claimed sign between the two halves of the gradient.
type firstStepClaim struct {
	gradient func(x [][]float64, y, w []float64, a, b float64) []float64
	sign     float64
}

// scale multiplies the claimed gradient by a factor that may depend on the number of samples.
func (c *firstStepClaim) scale(factor func(n int) float64) {
	c.gradient = func(x [][]float64, y, w []float64, a, b float64) []float64 {
		g := theory.NeuronGradient(x, y, w, a, b)
		floats.Scale(factor(len(y)), g)
		return g
	}
}

func judgeFirstStep(r *props.Record, in firstStep, claim firstStepClaim) {
	n, d := in.X.Dims()
	m := len(in.A)
	r.RegimeOf(floats.Norm(in.B, 2) != 0, m == 2, floats.Norm(in.Y, 2) == 0)
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
		want.SetRow(j, claim.gradient(samples, in.Y, in.W.RawRowView(j), in.A[j], in.B[j]))
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
	// Between kinks the loss is quadratic along D and the quotient exact. Pre-activations stay below 5/4 of those at W,
	// so that an output errs by (m+d+4)u·5/4 times size, W ± hD by u times it, and a loss by
	// (2(m+d)+n+13)u·(5/4)²·moved²; divided by h, this is also the error of the quotient of both losses. The sums over
	// D and the formula err by 2(n+4) + 2(m+d) + 2 times u√m·Σ|y|‖x‖/n; error covers 4(n+8) of that, and moved²/h ≥
	// 2‖D‖‖X‖‖Y‖ the rest.
	r.WithinScale("directional derivative", (in.Up-in.Down)/(2*in.H), mat.Sum(&along), length*(mat.Norm(want, 2)+size),
		error*length+4*float64(m+d+n+8)*r.Unit()*moved*moved/in.H)

	step := mat.DenseCopyOf(in.Gradient)
	step.Scale(-in.Eta, step)
	if labelled {
		r.WithinMatrix("W⁽¹⁾", in.After, step, 8*r.Unit()*(mat.Norm(step, 2)+2*mat.Norm(in.W, 2)))
	}
	if in.Scaled && labelled {
		r.ExactlyMatrix("of other lengths", in.Longer, in.Gradient)
	}
	if !labelled {
		return
	}
	top, bottom := in.Gradient.Slice(0, m/2, 0, d), mat.DenseCopyOf(in.Gradient.Slice(m/2, m, 0, d))
	bottom.Scale(claim.sign, bottom)
	r.ExactlyMatrix("antisymmetry", top, bottom)
}
