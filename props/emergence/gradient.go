package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/derivative"
	"github.com/thm-suite/thm/props/gen"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// gradient pairs the formulas of training with difference quotients, integrals and steps.
var gradient = props.Spec{
	Statement: &theory.GradientFormula,
	Checks: []props.Check{
		props.Instances[slope]{
			Name:       "the derivative of the loss",
			Cases:      props.Scale{Quick: 80, Standard: 400, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"paired", "every input inside its margin", "some inputs beyond it"},
			Draw:       drawSlope,
			Judge:      judgeSlope,
			Proven: map[string]string{
				"formula":        "seventh derivatives and every rounding are bounded at the instance",
				"implementation": "seventh derivatives and every rounding are bounded at the instance",
			},
			Controls: []props.Control{
				{Name: "noise outside the hinge", Assumption: "inside", Criterion: "formula", Done: "outside"},
				{Name: "neurons without mirrors, no indicator", Assumption: "paired", Criterion: "formula", Done: "beyond",
					Claimed: "no indicator"},
				{Name: "without the input", Criterion: "formula", Claimed: "no input"},
				{Name: "the gate of half the noise", Criterion: "formula", Claimed: "half noise"},
				{Name: "opposite sign", Criterion: "implementation", Claimed: "opposite"},
				{Name: "one neuron has another bias than its mirror", Criterion: "g of pairs", Done: "biased"},
			},
		},
		props.Instances[averaged]{
			Name:       "activation and gate under noise",
			Cases:      props.Scale{Quick: 100, Standard: 500, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"between the kinks", "beyond them"},
			Draw:       drawAveraged,
			Judge:      judgeAveraged,
			Proven:     map[string]string{"σ_s": "every rounding of both sides", "ψ": "every rounding of both sides"},
			Controls: []props.Control{
				{Name: "without the density", Criterion: "σ_s", Done: "near", Claimed: "no density"},
				{Name: "without the upper cut", Criterion: "ψ", Done: "near", Claimed: "no cut"},
				{Name: "implementation without noise", Criterion: "implementation of σ_s", Done: "near",
					Claimed: "no noise"},
				{Name: "gate of the implementation without noise", Criterion: "implementation of ψ", Done: "near",
					Claimed: "no noise"},
			},
		},
		props.Instances[turned]{
			Name:       "steps on the input and on the hidden bits",
			Cases:      props.Scale{Quick: 40, Standard: 200, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"d = D", "d > D"},
			Draw:       drawTurned,
			Judge:      judgeTurned,
			Controls: []props.Control{
				{Name: "λ_w = 1/(4η)", Assumption: "forgetting", Criterion: "w after a step", Done: "kept"},
				{Name: "penalty with ½", Criterion: "w after a step", Done: "half penalty"},
				{Name: "dictionary with dependent columns", Assumption: "orthonormal", Criterion: "outputs after two steps",
					Done: "oblique"},
				{Name: "the dictionary's columns in another order", Criterion: "gradient", Claimed: "permuted"},
			},
		},
	},
	Along: &props.Along{
		Param: "z", From: -0.5, To: 1.5, Of: []string{"slope"},
		Each: &props.ParamSweep{Name: "noise", Values: []string{"0.05", "0.1", "0.3"}}, Y: "mean gate ψ(z)",
		Places: 13, Reps: 1,
	},
	Try: &props.Simulation{Run: drawNoise, Draw: drawGate},
}.Claim()

// slope is the derivative of the loss along a direction of all parameters.
type slope struct {
	Dim, Neurons  int
	Noise         float64
	Slope, Error  float64 // by the values of the loss
	Computed      float64 // by the implementation
	Beyond        int     // inputs with y g > 1
	LargestOutput float64 // of a paired network

	kind      string
	net       truncated.Net
	sample    data.Sample
	direction []float64
}

func drawSlope(t *props.T, done string) slope {
	in := slope{kind: rapid.SampledFrom([]string{"paired", "large", "small"}).Draw(t.T, "kind"),
		Noise: gen.LogUniform(t.T, "s", 0.1, 1)}
	switch done {
	case "beyond", "outside":
		in.kind = "large"
	case "biased":
		in.kind = "paired"
	}
	r := t.Stream("slope")
	h := drawBalanced(t, r, false, "")
	if h.Dim > 6 || h.Dim < 2 && done != "" {
		t.Skip("another size")
	}
	in.Dim, in.sample = h.Dim, h.Inputs(dense.Identity(h.Dim))
	in.Neurons = rapid.IntRange(1, 3).Draw(t.T, "neurons")
	net := drawPaired(r, h, in.Neurons)
	if in.kind != "paired" {
		size := 0.3
		if in.kind == "large" {
			size = 4
		}
		net = truncated.Net{W: gen.Gaussian(r, in.Neurons, h.Dim, 1), B: net.B[:in.Neurons], A: net.A[:in.Neurons]}
		floats.Scale(size, net.A)
	}
	if done == "biased" {
		net.B[0] += 0.1
	}
	in.net = net
	in.measure(t, r, done)
	return in
}

// measure differentiates the loss by its values, unless an input is so near to its margin that it may be passed on the
// way: parameters move by four steps, and an output by no more than their gradient √n + ‖a‖(1 + ‖x‖) times that.
func (in *slope) measure(t *props.T, r *rand.Rand, done string) {
	reach, gate := 0.0, truncated.Smooth(in.Noise)
	for i := range in.sample.P {
		reach = max(reach, floats.Norm(in.sample.X.RawRowView(i), 2))
	}
	reach = 4 * derivative.Step * (math.Sqrt(float64(len(in.net.A))) + floats.Norm(in.net.A, 2)*(1+reach))
	for i, g := range in.net.Outputs(in.sample, gate) {
		margin := in.sample.Y[i] * g
		if math.Abs(margin-1) < 2*reach {
			t.Skip("an input near its margin")
		}
		if margin > 1 && in.sample.P[i] > 0 {
			in.Beyond++
		}
		in.LargestOutput = max(in.LargestOutput, math.Abs(g))
	}
	if done == "beyond" && in.Beyond == 0 {
		t.Skip("every input inside its margin")
	}
	x := flatten(in.net.W, in.net.B, in.net.A)
	in.direction = gen.Gaussian(r, 1, len(x), 1).RawRowView(0)
	if mirrored := in.net.W.RawMatrix().Rows; in.kind == "paired" { // output weights stay those of pairs
		for i := range mirrored {
			in.direction[len(x)-mirrored+i] = 0
		}
	}
	loss := func() float64 { return lossOf(in.unflatten(x), in.sample, gate, done) }
	in.Slope, in.Error = derivative.Along(x, in.direction, loss)
	g := in.net.Gradient(in.sample, gate)
	in.Computed = floats.Dot(flatten(g.W, g.B, g.A), in.direction)
}

// lossOf is the loss by the outputs; "outside" averages the hinge of two noises ±s in place of the activation.
func lossOf(net truncated.Net, s data.Sample, gate truncated.Smooth, done string) float64 {
	loss, shifts := 0.0, []float64{0}
	if done == "outside" {
		shifts = []float64{-float64(gate), float64(gate)}
	}
	for _, shift := range shifts {
		moved := net
		moved.B = append([]float64{}, net.B...)
		floats.AddConst(shift, moved.B)
		for i, g := range moved.Outputs(s, gate) {
			loss += s.P[i] * max(0, 1-s.Y[i]*g) / float64(len(shifts))
		}
	}
	return loss
}

// flatten lists all parameters.
func flatten(w *mat.Dense, b, a []float64) []float64 {
	out := append([]float64{}, mat.DenseCopyOf(w).RawMatrix().Data...)
	return append(append(out, b...), a...)
}

func (in *slope) unflatten(x []float64) truncated.Net {
	n := len(in.net.A)
	return truncated.Net{W: mat.NewDense(n, in.Dim, x[:n*in.Dim]), B: x[n*in.Dim : n*in.Dim+n], A: x[n*in.Dim+n:]}
}

func judgeSlope(r *props.Record, in slope, claimed string) {
	switch {
	case in.kind == "paired":
		r.Regime("paired")
		r.Holds("g of pairs", in.LargestOutput == 0)
	case in.Beyond == 0:
		r.Regime("every input inside its margin")
	default:
		r.Regime("some inputs beyond it")
	}
	formula := in.formula(claimed)
	size := 0.0 // of the sum's terms
	for _, a := range in.net.A {
		size += math.Abs(a) + 1
	}
	tolerance := in.Error + float64(len(in.sample.P)+4*in.Dim+40)*r.Unit()*size*floats.Norm(in.direction, 1)
	tolerance += max(0, in.bound(r.Unit())-1500*r.Unit()*floats.Norm(in.direction, 2)/derivative.Step)
	r.WithinScale("formula", in.Slope, formula, math.Abs(formula), tolerance)
	computed := in.Computed
	if claimed == "opposite" {
		computed = -computed
	}
	r.WithinScale("implementation", computed, in.Slope, math.Abs(in.Slope), tolerance)
}

// bound is what the quotient and both gradients may err by beyond the difference A = |R(2s) − R(s)| that is allowed
// anyway: props/derivative allows 1500u(1+M)/s for it, and what exceeds that is added.
//
// With F ≥ sup|f⁗‴|s⁶·68/(3·5040) the error of R(s) is at most (A + 65F)/15 + F ≤ A + 5.4F. Along the line a neuron is
// aσ_s(z) with a + tα and z + tζ, and its seventh derivative aζ⁷σ⁽⁷⁾ + 7αζ⁶σ⁽⁶⁾, where sup|He₅φ| = 2.31 and sup|He₄φ| =
// 1.20 for each of the two kinks give σ⁽⁷⁾ ≤ 4.62/s⁶ and σ⁽⁶⁾ ≤ 2.4/s⁵ for noise s. A pre-activation errs by (D+3)u of
// its sum c of absolute values, which moves σ_s by as much and ψ by 0.4/s times that; a value of σ_s or ψ errs by 20u,
// and the sums over neurons and inputs take n + N roundings. A loss that errs by e moves R by 1.5e/s and A by less.
func (in slope) bound(unit float64) float64 {
	n, dim, inputs := len(in.net.A), in.Dim, float64(len(in.sample.P))
	step := derivative.Step / floats.Norm(in.direction, 2)
	seventh, loss, gradient := 0.0, 0.0, 0.0
	for k := range in.sample.P {
		x, f, e, g := in.sample.X.RawRowView(k), 0.0, inputs+6, 0.0
		for i, a := range in.net.A {
			alpha, b := math.Abs(in.direction[n*dim+n+i]), in.direction[n*dim+i]
			a = math.Abs(a) + 4*step*alpha
			moved, c := math.Abs(b), math.Abs(in.net.B[i])
			for j, xj := range x {
				moved += math.Abs(in.direction[i*dim+j] * xj)
				c += math.Abs(in.net.W.At(i, j) * xj)
			}
			c = float64(dim+3) * (c + 4*step*moved)
			f += math.Pow(moved/in.Noise, 6) * (4.62*a*moved + 7*2.4*alpha*in.Noise)
			e += a * (c + 26 + float64(n) + inputs)
			g += a*moved*(0.4*c/in.Noise+float64(4*dim+n)+inputs+40) + alpha*(c+float64(n)+inputs+40)
		}
		seventh, loss, gradient = max(seventh, f), max(loss, e), max(gradient, g)
	}
	f := seventh * math.Pow(step, 6) * 68 / (3 * 5040)
	return 5.4*f + (1.7*loss/step+2*gradient+float64(n*(dim+2))*gradient)*unit
}

// formula is the claimed gradient along the direction, input by input.
func (in slope) formula(claimed string) float64 {
	noise, sum := in.Noise, 0.0
	if claimed == "half noise" {
		noise /= 2
	}
	n := len(in.net.A)
	byB, byA := in.direction[n*in.Dim:], in.direction[n*in.Dim+n:]
	for k, p := range in.sample.P {
		x, y, g := in.sample.X.RawRowView(k), in.sample.Y[k], 0.0
		z := make([]float64, n)
		for i, a := range in.net.A {
			z[i] = floats.Dot(in.net.W.RawRowView(i), x) + in.net.B[i]
			g += a * theory.Activation(z[i], in.Noise)
		}
		if !(y*g < 1) && claimed != "no indicator" {
			continue
		}
		for i, a := range in.net.A {
			moved := byB[i]
			if claimed != "no input" {
				moved += floats.Dot(in.direction[i*in.Dim:(i+1)*in.Dim], x)
			}
			sum -= p * y * (a*theory.Gate(z[i], noise)*moved + theory.Activation(z[i], noise)*byA[i])
		}
	}
	return sum
}

// averaged is the activation under noise, and its slope, as integrals.
type averaged struct{ Z, Noise, Value, Slope float64 }

func drawAveraged(t *props.T, done string) averaged {
	in := averaged{Z: rapid.Float64Range(-3, 4).Draw(t.T, "z"), Noise: gen.LogUniform(t.T, "s", 0.01, 3)}
	if done == "near" {
		in.Z, in.Noise = in.Z/7+0.43, 0.5+in.Noise/6
	}
	// The noise ξ = st leads between the kinks for t from −z/s to (1−z)/s.
	density := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	low, high := min(max(-in.Z/in.Noise, -12), 12), min(max((1-in.Z)/in.Noise, -12), 12)
	const panels = 6
	for k := range panels {
		from, to := low+(high-low)*float64(k)/panels, low+(high-low)*float64(k+1)/panels
		in.Slope += quad.Fixed(density, from, to, 20, nil, 0)
		in.Value += quad.Fixed(func(x float64) float64 { return (in.Z + in.Noise*x) * density(x) }, from, to, 20, nil, 0)
	}
	in.Value += math.Erfc((1-in.Z)/in.Noise/math.Sqrt2) / 2
	return in
}

func judgeAveraged(r *props.Record, in averaged, claimed string) {
	if in.Z > 0 && in.Z < 1 {
		r.Regime("between the kinks")
	} else {
		r.Regime("beyond them")
	}
	value, slope := theory.Activation(in.Z, in.Noise), theory.Gate(in.Z, in.Noise)
	switch claimed {
	case "no density":
		value -= in.Noise * math.Exp(-math.Pow(in.Z/in.Noise, 2)/2) / math.Sqrt(2*math.Pi)
	case "no cut":
		slope = math.Erfc(-in.Z/in.Noise/math.Sqrt2) / 2
	}
	// Gauss–Legendre with 20 nodes errs by 10⁻²³ on panels of width 4. Its nodes err by 24u, between −12 and 12, which
	// moves the integrals of |φ′| and of |((z + st)φ)′| by 24u(0.8 + s); the upper end errs by 40u, where the integrand is
	// 0.4 at most; the sums take 30 roundings, the density and the factor z + st ten of their mean. The closed forms err
	// by 12u(1+|z|+s): of erfc and exp 2u each, of their arguments 3u, which they damp. Together 100u + 12u|z| + 40us.
	tolerance := 200 * r.Unit() * (1 + math.Abs(in.Z) + in.Noise)
	r.WithinScale("σ_s", in.Value, value, 1, tolerance)
	r.WithinScale("ψ", in.Slope, slope, 1, tolerance)
	computed, open := truncated.Smooth(in.Noise).Both(in.Z)
	if claimed == "no noise" {
		computed, open = truncated.Smooth(0).Both(in.Z)
	}
	r.WithinScale("implementation of σ_s", computed, in.Value, 1, tolerance)
	r.WithinScale("implementation of ψ", open, in.Slope, 1, tolerance)
}

// turned are two networks, one on x = Mφ̄ and one on φ̄, that take the same steps.
type turned struct {
	Inputs, Dim     int
	Rate, Noise     float64
	Gradient        *mat.Dense // in w
	Expected        *mat.Dense // M times that in q
	Permuted        *mat.Dense
	After, Claimed  *mat.Dense // w after the first step, and −η∂L/∂w
	Outputs, Hidden []float64  // after two steps

	outputs, inputs float64 // Σ|a|, and the number of inputs of the law
}

func drawTurned(t *props.T, done string) turned {
	r := t.Stream("turned")
	h := drawBalanced(t, r, false, "")
	if h.Dim > 6 || h.Dim < 2 {
		t.Skip("another size")
	}
	d := h.Dim + rapid.IntRange(0, 3).Draw(t.T, "d−D")
	m := gen.Orthonormal(r, d, h.Dim)
	if done == "oblique" {
		for i := range d {
			m.Set(i, 1, (m.At(i, 1)+m.At(i, 0))/math.Sqrt2)
		}
	}
	in := turned{Inputs: d, Dim: h.Dim, Rate: gen.LogUniform(t.T, "η", 0.01, 1), Noise: gen.LogUniform(t.T, "s", 0.1, 1)}
	hidden, inputs := h.Inputs(dense.Identity(h.Dim)), h.Inputs(m)
	w := gen.Gaussian(r, 2, d, 1/float64(len(h.Support)))
	var q mat.Dense
	q.Mul(w, m)
	b, a := []float64{0.3 * r.NormFloat64(), 0.3 * r.NormFloat64()}, []float64{0.5 + r.Float64(), -0.5 - r.Float64()}
	onX, onPhi := truncated.Paired(w, b, a), truncated.Paired(&q, b, a)
	step := truncated.Step{Rate: in.Rate, Noise: truncated.Smooth(in.Noise), KeepA: 1}
	switch done {
	case "kept":
		step.KeepW = 0.5
	case "half penalty":
		step.KeepW = 1 - in.Rate*(1/(2*in.Rate))
	}
	in.outputs, in.inputs = floats.Norm(onX.A, 1), float64(len(hidden.P))
	var gx, gphi truncated.Gradient
	onX, gx = onX.Descend(inputs, step)
	onPhi, gphi = onPhi.Descend(hidden, step)
	in.Gradient, in.After = gx.W, mat.DenseCopyOf(onX.W)
	in.Expected, in.Permuted, in.Claimed = new(mat.Dense), new(mat.Dense), new(mat.Dense)
	in.Expected.Mul(gphi.W, m.T())
	swapped := mat.DenseCopyOf(m)
	for j := range h.Dim {
		swapped.SetCol(j, mat.Col(nil, (j+1)%h.Dim, m))
	}
	in.Permuted.Mul(gphi.W, swapped.T())
	before := truncated.Paired(w, b, a)
	in.Claimed.CloneFrom(gx.W)
	for i := range before.A {
		in.Claimed.SetRow(i, theory.Forgotten(before.W.RawRowView(i), gx.W.RawRowView(i), in.Rate, 1/(2*in.Rate)))
	}
	onX, _ = onX.Descend(inputs, step)
	onPhi, _ = onPhi.Descend(hidden, step)
	in.Outputs, in.Hidden = onX.Outputs(inputs, step.Noise), onPhi.Outputs(hidden, step.Noise)
	return in
}

func judgeTurned(r *props.Record, in turned, claimed string) {
	if in.Inputs == in.Dim {
		r.Regime("d = D")
	} else {
		r.Regime("d > D")
	}
	want := in.Expected
	if claimed == "permuted" {
		want = in.Permuted
	}
	tolerance := 100 * (in.inputs + 4*float64(in.Inputs) + 40) * r.Unit() *
		math.Pow((1+1/in.Noise)*(1+in.outputs), 2)
	r.WithinMatrix("gradient", in.Gradient, want, tolerance)
	r.WithinMatrix("w after a step", in.After, in.Claimed, tolerance)
	r.WithinVector("outputs after two steps", in.Outputs, in.Hidden, tolerance)
}

// drawNoise averages the activation and the gate over drawn noise at a user's parameters.
func drawNoise(t *props.Trial, v values.Values) (map[string]float64, error) {
	const draws = 100000
	value, slope, hard := 0.0, 0.0, truncated.Smooth(0)
	for range draws {
		a, b := hard.Both(v.Float("z") + v.Float("noise")*t.Rand.NormFloat64())
		value, slope = value+a/draws, slope+b/draws
	}
	return map[string]float64{"value": value, "slope": slope}, nil
}

// drawGate draws the activation and the gate under a user's noise beside those without.
func drawGate(_ *props.Trial, v values.Values) ([]props.Figure, error) {
	s := v.Float("noise")
	names := []string{"σ", "σ under noise", "gate under noise, predicted"}
	curves := make([]props.Curve, len(names))
	for i, name := range names {
		curves[i] = props.Curve{Name: name, Style: props.Line}
	}
	curves[2].Style = props.Dashed
	for k := range 121 {
		z := -1 + float64(k)/40
		for i, y := range []float64{min(1, max(z, 0)), truncated.Smooth(s).Value(z), theory.Gate(z, s)} {
			curves[i].X, curves[i].Y = append(curves[i].X, z), append(curves[i].Y, y)
		}
	}
	return []props.Figure{{ID: "gate", Title: "The activation and its gate under noise",
		Caption: "The truncated rectifier, its average over the noise, and the gate, which is the slope of that average.",
		X:       props.Axis{Label: "z"}, Y: props.Axis{Label: "value"}, Curves: curves}}, nil
}
