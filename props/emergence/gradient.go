package emergence

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// gradient pairs the formulas of training with difference quotients, integrals and steps.
var gradient = props.Spec{
	Statement: &theory.GradientFormula,
	Checks: []props.Check{
		props.Drawn[slope, slopeClaim]{
			Name:       "the derivative of the loss",
			Cases:      props.Scale{Quick: 80, Standard: 400, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"paired", "every input inside its margin", "some inputs beyond it"},
			Draw: func(t *props.T) slope {
				return drawSlope(t, []string{"paired", "large", "small"}, lossOf)
			},
			Claim: slopeClaim{gate: theory.Gate, moved: floats.Dot,
				counts: func(margin float64) bool { return margin < 1 }},
			Judge: judgeSlope,
			Proven: map[string]string{
				"formula":        "seventh derivatives and every rounding are bounded at the instance",
				"implementation": "seventh derivatives and every rounding are bounded at the instance",
			},
			Controls: []props.Wrong[slope, slopeClaim]{
				{Name: "noise outside the hinge", Assumption: "inside", Criterion: "formula", Cases: 20,
					Draw: func(t *props.T) slope { return drawSlope(t, []string{"large"}, lossOutside) }},
				{Name: "neurons without mirrors, no indicator", Assumption: "paired", Criterion: "formula",
					Instead: slopeClaim{counts: func(float64) bool { return true }}},
				{Name: "without the input", Criterion: "formula",
					Instead: slopeClaim{moved: func(direction, _ []float64) float64 { return floats.Sum(direction) }}},
				{Name: "the gate of half the noise", Criterion: "formula",
					Instead: slopeClaim{gate: func(z, s float64) float64 { return theory.Gate(z, s/2) }}},
				{Name: "opposite sign", Criterion: "implementation",
					Alter: func(in *slope) { in.Computed = -in.Computed }},
				{Name: "one neuron has another bias than its mirror", Criterion: "g of pairs",
					Alter: func(in *slope) {
						net := in.net
						net.B = slices.Clone(net.B)
						net.B[0] += 0.1
						in.LargestOutput = floats.Norm(net.Outputs(in.sample, truncated.Smooth(in.Noise)), math.Inf(1))
					}},
			},
		},
		props.Drawn[averaged, averagedClaim]{
			Name:       "activation and gate under noise",
			Cases:      props.Scale{Quick: 100, Standard: 500, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"between the kinks", "beyond them"},
			Draw:       drawAveraged,
			Claim:      averagedClaim{value: theory.Activation, slope: theory.Gate},
			Judge:      judgeAveraged,
			Proven:     map[string]string{"σ_s": "every rounding of both sides", "ψ": "every rounding of both sides"},
			Controls: []props.Wrong[averaged, averagedClaim]{
				{Name: "without the density", Criterion: "σ_s",
					Instead: averagedClaim{value: func(z, s float64) float64 { return theory.Activation(z, s) - s*density(z/s) }}},
				{Name: "without the upper cut", Criterion: "ψ",
					Instead: averagedClaim{slope: func(z, s float64) float64 { return math.Erfc(-z/s/math.Sqrt2) / 2 }}},
				{Name: "implementation without noise", Criterion: "implementation of σ_s",
					Alter: func(in *averaged) { in.computed, in.open = truncated.Smooth(0).Both(in.Z) }},
				{Name: "gate of the implementation without noise", Criterion: "implementation of ψ",
					Alter: func(in *averaged) { in.computed, in.open = truncated.Smooth(0).Both(in.Z) }},
			},
		},
		props.Drawn[turned, turnedClaim]{
			Name:       "steps on the input and on the hidden bits",
			Cases:      props.Scale{Quick: 40, Standard: 200, Deep: 3000},
			Replicates: 2,
			Regimes:    []string{"d = D", "d > D"},
			Draw:       func(t *props.T) turned { return drawTurned(t, gen.Orthonormal, 0) },
			Claim:      theory.Forgotten,
			Judge:      judgeTurned,
			Controls: []props.Wrong[turned, turnedClaim]{
				{Name: "λ_w = 1/(4η)", Assumption: "forgetting", Criterion: "w after a step", Cases: 10,
					Draw: func(t *props.T) turned { return drawTurned(t, gen.Orthonormal, 0.5) }},
				{Name: "penalty with ½", Criterion: "w after a step",
					Instead: func(w, gradient []float64, step, penalty float64) []float64 {
						return theory.Forgotten(w, gradient, step, penalty/2)
					}},
				{Name: "dictionary with dependent columns", Assumption: "orthonormal", Criterion: "outputs after two steps",
					Cases: 10, Draw: func(t *props.T) turned { return drawTurned(t, oblique, 0) }},
				{Name: "the dictionary's columns in another order", Criterion: "gradient",
					Alter: func(in *turned) {
						_, dim := in.dictionary.Dims()
						swapped := mat.DenseCopyOf(in.dictionary)
						for j := range dim {
							swapped.SetCol(j, mat.Col(nil, (j+1)%dim, in.dictionary))
						}
						in.dictionary = swapped
					}},
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

// slope holds the derivative of the loss along a direction in the space of all parameters.
type slope struct {
	Dim, Neurons  int
	Noise         float64
	Slope, Error  float64 // from values of the loss
	Computed      float64 // by the implementation
	Beyond        int     // inputs with y g > 1
	LargestOutput float64 // of a paired network

	kind      string
	net       truncated.Net
	sample    data.Sample
	direction []float64
}

// slopeClaim is the gradient that is claimed.
type slopeClaim struct {
	counts func(margin float64) bool            // which inputs count, by y g
	gate   func(z, s float64) float64           // ψ
	moved  func(direction, x []float64) float64 // by which a direction of the weights moves a pre-activation
}

// drawSlope draws a network of one of the kinds: paired, or without mirrors and with large or small output weights.
func drawSlope(t *props.T, kinds []string, loss lossFunction) slope {
	in := slope{kind: rapid.SampledFrom(kinds).Draw(t.T, "kind"), Noise: gen.LogUniform(t.T, "s", 0.1, 1)}
	r := t.Stream("slope")
	h := balancedLaws{relevant: 1}.draw(t, r)
	if h.Dim > 6 {
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
	in.net = net
	in.measure(t, r, loss)
	return in
}

// measure differentiates the loss by difference quotients. It skips a case in which an input is so near its margin that
// the quotient may cross it: the parameters move by up to four steps, and an output by at most √n + ‖a‖(1 + ‖x‖) times
// as much.
func (in *slope) measure(t *props.T, r *rand.Rand, loss lossFunction) {
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
	x := flatten(in.net.W, in.net.B, in.net.A)
	in.direction = gen.Gaussian(r, 1, len(x), 1).RawRowView(0)
	if mirrored := in.net.W.RawMatrix().Rows; in.kind == "paired" { // output weights stay paired
		for i := range mirrored {
			in.direction[len(x)-mirrored+i] = 0
		}
	}
	in.Slope, in.Error = derivative.Along(x, in.direction, func() float64 {
		return loss(in.unflatten(x), in.sample, gate)
	})
	g := in.net.Gradient(in.sample, gate)
	in.Computed = floats.Dot(flatten(g.W, g.B, g.A), in.direction)
}

// lossFunction is a loss over a finite law.
type lossFunction func(truncated.Net, data.Sample, truncated.Smooth) float64

// lossOf returns the hinge loss of the outputs.
func lossOf(net truncated.Net, s data.Sample, gate truncated.Smooth) float64 {
	loss := 0.0
	for i, g := range net.Outputs(s, gate) {
		loss += s.P[i] * max(0, 1-s.Y[i]*g)
	}
	return loss
}

// lossOutside averages the hinge loss, rather than the activation, over two values ±s of the noise.
func lossOutside(net truncated.Net, s data.Sample, gate truncated.Smooth) float64 {
	loss, biases := 0.0, net.B
	for _, shift := range []float64{-float64(gate), float64(gate)} {
		net.B = slices.Clone(biases)
		floats.AddConst(shift, net.B)
		loss += lossOf(net, s, gate) / 2
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

func judgeSlope(r *props.Record, in slope, claim slopeClaim) {
	switch {
	case in.kind == "paired":
		r.Regime("paired")
		r.Exactly("g of pairs", in.LargestOutput, 0)
	case in.Beyond == 0:
		r.Regime("every input inside its margin")
	default:
		r.Regime("some inputs beyond it")
	}
	formula := claim.along(in)
	size := 0.0 // of the terms of the sum
	for _, a := range in.net.A {
		size += math.Abs(a) + 1
	}
	tolerance := in.Error + float64(len(in.sample.P)+4*in.Dim+40)*r.Unit()*size*floats.Norm(in.direction, 1)
	tolerance += max(0, in.bound(r.Unit())-1500*r.Unit()*floats.Norm(in.direction, 2)/derivative.Step)
	r.WithinScale("formula", in.Slope, formula, math.Abs(formula), tolerance)
	r.WithinScale("implementation", in.Computed, in.Slope, math.Abs(in.Slope), tolerance)
}

// bound returns how much the quotient and both gradients may err beyond the difference A = |R(2s) − R(s)|, which is
// allowed anyway. Package derivative already allows 1500u(1+M)/s for rounding; the caller adds the excess.
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

// along returns the claimed derivative along the direction, summed over the inputs.
func (c slopeClaim) along(in slope) float64 {
	sum, n := 0.0, len(in.net.A)
	byB, byA := in.direction[n*in.Dim:], in.direction[n*in.Dim+n:]
	for k, p := range in.sample.P {
		x, y, g := in.sample.X.RawRowView(k), in.sample.Y[k], 0.0
		z := make([]float64, n)
		for i, a := range in.net.A {
			z[i] = floats.Dot(in.net.W.RawRowView(i), x) + in.net.B[i]
			g += a * theory.Activation(z[i], in.Noise)
		}
		if !c.counts(y * g) {
			continue
		}
		for i, a := range in.net.A {
			moved := byB[i] + c.moved(in.direction[i*in.Dim:(i+1)*in.Dim], x)
			sum -= p * y * (a*c.gate(z[i], in.Noise)*moved + theory.Activation(z[i], in.Noise)*byA[i])
		}
	}
	return sum
}

// averaged holds the activation under noise and its slope, computed as integrals.
type averaged struct {
	Z, Noise, Value, Slope float64

	computed, open float64 // by the implementation
}

// averagedClaim holds the closed forms of the activation under noise and of its slope, for a pre-activation z and noise
// s.
type averagedClaim struct{ value, slope func(z, s float64) float64 }

// density returns the density of the standard normal distribution.
func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

func drawAveraged(t *props.T) averaged {
	in := averaged{Z: rapid.Float64Range(-3, 4).Draw(t.T, "z"), Noise: gen.LogUniform(t.T, "s", 0.01, 3)}
	// With the noise ξ = st, z + ξ lies between the kinks for t from −z/s to (1−z)/s.
	low, high := min(max(-in.Z/in.Noise, -12), 12), min(max((1-in.Z)/in.Noise, -12), 12)
	const panels = 6
	for k := range panels {
		from, to := low+(high-low)*float64(k)/panels, low+(high-low)*float64(k+1)/panels
		in.Slope += quad.Fixed(density, from, to, 20, nil, 0)
		in.Value += quad.Fixed(func(x float64) float64 { return (in.Z + in.Noise*x) * density(x) }, from, to, 20, nil, 0)
	}
	in.Value += math.Erfc((1-in.Z)/in.Noise/math.Sqrt2) / 2
	in.computed, in.open = truncated.Smooth(in.Noise).Both(in.Z)
	return in
}

func judgeAveraged(r *props.Record, in averaged, claim averagedClaim) {
	r.RegimeOf(in.Z <= 0 || in.Z >= 1)
	// Gauss–Legendre with 20 nodes errs by 10⁻²³ on panels of width 4. Its nodes err by 24u, between −12 and 12, which
	// moves the integrals of |φ′| and of |((z + st)φ)′| by 24u(0.8 + s); the upper end errs by 40u, where the integrand is
	// 0.4 at most; the sums take 30 roundings, the density and the factor z + st ten of their mean. The closed forms
	// err by 12u(1+|z|+s): erfc and exp by 2u each, and their arguments, which they damp, by 3u. Together 100u + 12u|z|
	// + 40us.
	tolerance := 200 * r.Unit() * (1 + math.Abs(in.Z) + in.Noise)
	r.WithinScale("σ_s", in.Value, claim.value(in.Z, in.Noise), 1, tolerance)
	r.WithinScale("ψ", in.Slope, claim.slope(in.Z, in.Noise), 1, tolerance)
	r.WithinScale("implementation of σ_s", in.computed, in.Value, 1, tolerance)
	r.WithinScale("implementation of ψ", in.open, in.Slope, 1, tolerance)
}

// turned holds two networks, one on x = Mφ̄ and one on φ̄, that take the same steps.
type turned struct {
	Inputs, Dim     int
	Rate, Noise     float64
	Gradient        *mat.Dense // in w
	After           *mat.Dense // w after the first step
	Outputs, Hidden []float64  // after two steps

	dictionary      *mat.Dense // M
	before, onPhi   *mat.Dense // w, and the gradient in q
	outputs, inputs float64    // Σ|a|, and the number of inputs of the law
}

// turnedClaim returns the weights of a neuron after a step.
type turnedClaim func(w, gradient []float64, step, penalty float64) []float64

// oblique draws orthonormal columns, and replaces the second by the unit vector halfway between the first and itself.
func oblique(r *rand.Rand, rows, columns int) *mat.Dense {
	m := gen.Orthonormal(r, rows, columns)
	for i := range rows {
		m.Set(i, 1, (m.At(i, 1)+m.At(i, 0))/math.Sqrt2)
	}
	return m
}

// drawTurned draws a dictionary and two networks, and takes two steps that keep the given part of the weights.
func drawTurned(t *props.T, dictionary func(r *rand.Rand, rows, columns int) *mat.Dense, keep float64) turned {
	r := t.Stream("turned")
	h := balancedLaws{relevant: 1}.draw(t, r)
	if h.Dim > 6 || h.Dim < 2 {
		t.Skip("another size")
	}
	d := h.Dim + rapid.IntRange(0, 3).Draw(t.T, "d−D")
	m := dictionary(r, d, h.Dim)
	in := turned{Inputs: d, Dim: h.Dim, Rate: gen.LogUniform(t.T, "η", 0.01, 1), Noise: gen.LogUniform(t.T, "s", 0.1, 1),
		dictionary: m}
	hidden, inputs := h.Inputs(dense.Identity(h.Dim)), h.Inputs(m)
	w := gen.Gaussian(r, 2, d, 1/float64(len(h.Support)))
	q := algebra.Product(w, m)
	b, a := []float64{0.3 * r.NormFloat64(), 0.3 * r.NormFloat64()}, []float64{0.5 + r.Float64(), -0.5 - r.Float64()}
	onX, onPhi := truncated.Paired(w, b, a), truncated.Paired(q, b, a)
	step := truncated.Step{Rate: in.Rate, Noise: truncated.Smooth(in.Noise), KeepA: 1, KeepW: keep}
	in.outputs, in.inputs = floats.Norm(onX.A, 1), float64(len(hidden.P))
	in.before = mat.DenseCopyOf(onX.W)
	var gx, gphi truncated.Gradient
	onX, gx = onX.Descend(inputs, step)
	onPhi, gphi = onPhi.Descend(hidden, step)
	in.Gradient, in.onPhi, in.After = gx.W, gphi.W, mat.DenseCopyOf(onX.W)
	onX, _ = onX.Descend(inputs, step)
	onPhi, _ = onPhi.Descend(hidden, step)
	in.Outputs, in.Hidden = onX.Outputs(inputs, step.Noise), onPhi.Outputs(hidden, step.Noise)
	return in
}

func judgeTurned(r *props.Record, in turned, claim turnedClaim) {
	r.RegimeOf(in.Inputs != in.Dim)
	expected := algebra.Product(in.onPhi, in.dictionary.T())
	after := mat.DenseCopyOf(in.Gradient)
	for i := range after.RawMatrix().Rows {
		after.SetRow(i, claim(in.before.RawRowView(i), in.Gradient.RawRowView(i), in.Rate, 1/(2*in.Rate)))
	}
	tolerance := 100 * (in.inputs + 4*float64(in.Inputs) + 40) * r.Unit() *
		math.Pow((1+1/in.Noise)*(1+in.outputs), 2)
	r.WithinMatrix("gradient", in.Gradient, expected, tolerance)
	r.WithinMatrix("w after a step", in.After, after, tolerance)
	r.WithinVector("outputs after two steps", in.Outputs, in.Hidden, tolerance)
}

// drawNoise averages the activation and the gate over drawn noise at a user's parameters.
func drawNoise(t *props.Trial, v statement.Values) (map[string]float64, error) {
	const draws = 100000
	value, slope, hard := 0.0, 0.0, truncated.Smooth(0)
	for range draws {
		a, b := hard.Both(v.Float("z") + v.Float("noise")*t.Rand.NormFloat64())
		value, slope = value+a/draws, slope+b/draws
	}
	return map[string]float64{"value": value, "slope": slope}, nil
}

// drawGate draws the activation and the gate under a user's noise next to those without.
func drawGate(_ *props.Trial, v statement.Values) ([]props.Figure, error) {
	s := v.Float("noise")
	names := []string{"σ", "σ under noise", "gate under noise, predicted"}
	curves := list.Map(names, func(name string) props.Curve { return props.Curve{Name: name, Style: props.Line} })
	curves[2].Style = props.Dashed
	for k := range 121 {
		z := -1 + float64(k)/40
		for i, y := range []float64{min(1, max(z, 0)), truncated.Smooth(s).Value(z), theory.Gate(z, s)} {
			curves[i].Add(z, y)
		}
	}
	return []props.Figure{{ID: "gate", Title: "The activation and its gate under noise",
		Caption: "The truncated rectifier, its average over the noise, and the gate, which is the slope of that average.",
		X:       props.Axis{Label: "z"}, Y: props.Axis{Label: "value"}, Curves: curves}}, nil
}
