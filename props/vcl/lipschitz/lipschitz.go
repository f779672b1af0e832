// Package lipschitz is the claim vcl/lipschitz.
package lipschitz

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs Theorem 3 with a layer that takes its step by backpropagation.
var Claim = props.Spec{
	Statement: &theory.Lipschitz,
	Checks: []props.Check{
		props.Instances[unitStep]{
			Name:    "move of every unit",
			Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 150000},
			Regimes: []string{"kinked activation", "smooth and monotone", "not monotone"},
			Draw: func(t *props.T, done string) unitStep {
				s, _ := drawLayer(t, done, 1).take(done)
				return s
			},
			Judge: judgeUnits,
			Controls: []props.Control{
				{Name: "a second sample with a correlated input", Assumption: "one-sample",
					Criterion: "bound", Done: "second sample"},
				{Name: "bias trained", Assumption: "no-bias", Criterion: "bound", Done: "bias"},
				{Name: "layer below updated too", Assumption: "only-layer", Criterion: "bound", Done: "layer below"},
				{Name: "step along the sign of the gradient", Assumption: "plain-descent", Criterion: "bound",
					Done: "sign step"},
				{Name: "GELU with L = 1", Assumption: "lipschitz", Criterion: "bound", Done: "gelu", Claimed: "L = 1"},
				{Name: "bound without ‖h₋‖²", Criterion: "bound", Claimed: "unnormalised"},
				{Name: "pre-activation moves by −γsp", Criterion: "move of the pre-activation",
					Claimed: "unnormalised move"},
				{Name: "sign of GELU, which is not monotone", Assumption: "monotone",
					Criterion: "sign", Done: "bold gelu", Claimed: "sign of GELU"},
				{Name: "remainder with a quarter of the curvature", Criterion: "remainder of the local law",
					Claimed: "quarter"},
			},
		},
		props.Instances[workedUnit]{
			Name:     "theorem on a worked unit",
			Cases:    props.Times(1),
			Draw:     worked,
			Judge:    judgePrinted,
			Controls: printedForms,
		},
		props.Sweep[int, localRun]{
			Name:  "order of the local law",
			Cells: props.Scale{Quick: 50, Standard: 500, Deep: 5000}.Indices,
			Measure: func(t *props.Trial, index int, done string) localRun {
				return measureLocal(t, smooth[index%len(smooth)], done)
			},
			// about one cell in 900 is, whose second order is too small to see
			Declined: map[string]float64{localOrder: 0.005},
			Judge:    judgeLocal,
			Conclude: func(r *props.Record, _ []int, all []localRun, _ string) { r.Figure(localFigure(all[:len(smooth)])) },
			Controls: []props.Control{
				{Name: "local law with σ′ in place of σ′²", Criterion: "first-order move", Claimed: "slope once"},
				{Name: "remainder of order one", Criterion: localOrder, Claimed: "first order"},
				{Name: "remainder of a law that is a thousandth too steep", Criterion: localOrder + order.PartOfAnother,
					Done: "steeper"},
			},
		},
		batchBound,
		wrongSigns,
	},
	Try: &props.Simulation{Run: simulateUnit},
}.Claim()

// The activations with a local law.
var smooth = []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus, nn.GELU, nn.ZMinusSin}

// drawLayer draws a layer on a batch. Pre-activations have standard deviation 3, gradients and steps range over five
// orders of magnitude. GELU crosses its minimum with large steps only.
func drawLayer(t *props.T, done string, batch int) layer {
	act, smallest := rapid.SampledFrom(nn.Activations).Draw(t.T, "activation"), 1e-4
	switch done {
	case "gelu":
		act = nn.GELU
	case "bold gelu":
		act, smallest = nn.GELU, 1
	case "second sample":
		batch = 2
	}
	n, m, r := gen.Dim(t.T, "n", 5), gen.Dim(t.T, "m", 30), t.Stream("entries")
	gaussian := func(count int, std float64) []float64 { return gen.Gaussian(r, count, 1, std).RawMatrix().Data }
	size, gradient := gen.LogUniform(t.T, "input size", 0.1, 10), gen.LogUniform(t.T, "gradient size", 1e-3, 100)
	l := newLayer(r, act, gaussian(n, size), gaussian(m, 3), gaussian(m, gradient),
		gen.LogUniform(t.T, "γ", smallest, 10))
	for range batch - 1 {
		l.inputs, l.p = append(l.inputs, gaussian(n, size)), append(l.p, gaussian(m, gradient))
	}
	return l
}

// regime says what the claim says of an activation.
func regime(shape theory.Shape) string {
	switch {
	case math.IsNaN(shape.Curvature):
		return "kinked activation"
	case shape.Monotone:
		return "smooth and monotone"
	}
	return "not monotone"
}

func judgeUnits(r *props.Record, s unitStep, claimed string) {
	shape := theory.Shapes[s.Activation]
	r.Regime(regime(shape))
	for i, p := range s.OutputGrad {
		u := s.unit(i)
		pre, slack := s.rounding(i, r.Unit())
		move := u.Move(s.Slope[i])
		actual := s.OutNext[i] - s.Out[i]
		switch claimed {
		case "unnormalised":
			u.InputNorm = 1
		case "unnormalised move":
			move = -s.Rate * s.Slope[i] * p
		case "L = 1":
			u.Shape.Lipschitz = 1
		case "quarter":
			u.Shape.Curvature /= 4
		}
		r.WithinScale("move of the pre-activation", s.PreNext[i]-s.Pre[i], move, math.Abs(move), pre)
		r.AtMost("bound", math.Abs(actual), u.BoundAt(s.Slope[i]), slack)
		if shape.Monotone || claimed == "sign of GELU" {
			r.Holds("sign", actual*math.Copysign(1, u.Virtual) >= -slack)
		}
		if !math.IsNaN(shape.Curvature) {
			law, remainder := u.Local(s.Slope[i]), u.Remainder(s.Slope[i])
			r.AtMost("remainder of the local law", math.Abs(actual-law), remainder,
				slack+16*r.Unit()*(math.Abs(law)+remainder))
		}
	}
}

// workedUnit is one unit with p = 1 whose step refutes a printed form.
type workedUnit struct {
	Activation      string
	Pre             float64
	Actual, Virtual float64
	Bound, Rounding float64 // L²|Δv| with the L of the activation
}

func worked(t *props.T, done string) workedUnit {
	_ = rapid.Bool().Draw(t.T, "not used") // rapid wants a draw
	l := func(act nn.Activation, z, rate float64) layer {
		return newLayer(streams.New(0, "worked case"), act, []float64{1}, []float64{z}, []float64{1}, rate)
	}
	unit := l(nn.Identity, 0, 0.1)
	switch done {
	case "gelu":
		unit = l(nn.GELU, math.Sqrt2, 0.001)
	case "flat":
		unit = l(nn.ZMinusSin, 0, 0.1)
	case "batch":
		unit.inputs, unit.p = append(unit.inputs, []float64{1}), append(unit.p, []float64{-3})
	}
	s, _ := unit.take("")
	_, rounding := s.rounding(0, roundoff.Unit)
	u := s.unit(0)
	return workedUnit{s.Activation, s.Pre[0], s.OutNext[0] - s.Out[0], u.Virtual, u.Bound(), rounding}
}

// printedForms are those of Theorem 3, on units that refute them.
var printedForms = []props.Control{
	{Erratum: "strict", Criterion: "bound", Claimed: "strict"},
	{Erratum: "gelu-constant", Criterion: "bound", Done: "gelu", Claimed: "L = 1"},
	{Reading: "dead-unit", Criterion: "sign", Done: "flat", Claimed: "equal signs"},
	{Reading: "mini-batch", Criterion: "bound", Done: "batch"},
}

// judgePrinted is the theorem for ‖h₋‖ = 1 with the right L, or as it is printed.
func judgePrinted(r *props.Record, s workedUnit, claimed string) {
	bounded, sign := math.Abs(s.Actual) <= s.Bound+s.Rounding, s.Actual*math.Copysign(1, s.Virtual) >= -s.Rounding
	switch claimed {
	case "strict":
		bounded = math.Abs(s.Actual) < s.Bound
	case "L = 1":
		bounded = math.Abs(s.Actual) <= math.Abs(s.Virtual)+s.Rounding
	case "equal signs":
		sign = s.Actual*s.Virtual > 0
	}
	r.Holds("bound", bounded)
	r.Holds("sign", sign)
}

// localRun is a layer of 16 units with ever smaller steps.
type localRun struct {
	order.Remainder            // of the local law
	Slopes, Law     []float64  // σ′ and ‖h₋‖²σ′²Δv/γ
	First           *mat.Dense // Δa/γ, extrapolated to γ = 0
	FirstErr        float64    //
}

// measureLocal takes steps 2⁻⁸/‖h₋‖² … 2⁻¹⁴/‖h₋‖²: pre-activations move by γ‖h₋‖² times what does not depend on the
// input. What the third order and rounding add bounds how far each remainder is from second order.
func measureLocal(t *props.Trial, act nn.Activation, done string) localRun {
	const units, inputs = 16, 4
	gaussian := func(count int, std float64) []float64 { return gen.Gaussian(t.Rand, count, 1, std).RawMatrix().Data }
	l := newLayer(t.Rand, act, gaussian(inputs, 0.5), gaussian(units, 1), gaussian(units, 1), 0)
	run := localRun{Slopes: make([]float64, units), Law: make([]float64, units)}
	var moves, remainders []*mat.Dense
	var steps, errors, beyond []float64
	for e := -8; e >= -14; e-- {
		l.rate = math.Ldexp(1, e) / floats.Dot(l.inputs[0], l.inputs[0])
		s, _ := l.take("")
		moved, remainder := mat.NewDense(units, 1, nil), mat.NewDense(units, 1, nil)
		further, rounding := 0.0, 0.0
		for i := range units {
			u, actual := s.unit(i), s.OutNext[i]-s.Out[i]
			_, slack := s.rounding(i, roundoff.Unit)
			law := u.Local(s.Slope[i])
			run.Slopes[i], run.Law[i] = s.Slope[i], law/l.rate
			moved.Set(i, 0, actual/l.rate)
			if done == "steeper" {
				law *= 1.001
			}
			remainder.Set(i, 0, actual-law)
			further = math.Hypot(further, u.ThirdOrder(s.Slope[i])+slack)
			rounding = math.Hypot(rounding, slack/l.rate)
		}
		moves, remainders = append(moves, moved), append(remainders, remainder)
		steps, errors, beyond = append(steps, l.rate), append(errors, rounding), append(beyond, further)
	}
	run.Remainder = order.Halved(steps, remainders, 2, 0)
	run.Beyond = beyond[:len(run.Steps)]
	for k, own := range run.Beyond { // E(γ) and 4E(γ/2) are each so far from their leading order, which cancels
		run.Allowed = append(run.Allowed, own+4*beyond[k+1])
	}
	run.First, run.FirstErr = order.Limit(moves, errors)
	return run
}

func judgeLocal(r *props.Record, _ int, run localRun, claimed string) {
	law, exponent := append([]float64{}, run.Law...), 2.0
	switch claimed {
	case "slope once":
		floats.Div(law, run.Slopes)
	case "first order":
		exponent = 1
	}
	order.JudgeBounded(r, localOrder, run.Remainder, exponent)
	r.WithinVector("first-order move", run.First.RawMatrix().Data, law, run.FirstErr)
}

const localOrder = "order in γ"

func localFigure(runs []localRun) props.Figure {
	f := props.Figure{
		ID:    "local",
		Title: "Error of the local law",
		Caption: "Norm over 16 units of Δa − ‖h₋‖²σ′²Δv against the step size, one layer for each smooth activation, " +
			"on logarithmic axes: all fall with slope 2.",
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "error of the local law", Log: true},
	}
	for i, run := range runs {
		f.Curves = append(f.Curves, props.Curve{Name: smooth[i].Name, Style: props.Points, X: run.Steps, Y: run.Norms})
	}
	return f
}

// simulateUnit takes the step of one unit, and a step of many on two samples.
func simulateUnit(t *props.Trial, v statements.Values) (map[string]float64, error) {
	var act nn.Activation
	for _, a := range nn.Activations {
		if a.Name == v.Choice("activation") {
			act = a
		}
	}
	rate, out := v.Float("step"), map[string]float64{}
	if h := v.Float("input_norm"); h > 0 {
		s, _ := newLayer(t.Rand, act, []float64{h}, []float64{v.Float("z")}, []float64{v.Float("p")}, rate).take("")
		out["virtual"], out["local"] = -rate*s.OutputGrad[0], s.OutNext[0]-s.Out[0]
	}
	out["wrong_sign"] = float64(countWrongSigns(t, v.Float("cosine"), "")) / unitsPerBlock
	return out, nil
}
