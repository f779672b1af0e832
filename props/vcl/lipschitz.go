package vcl

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// lipschitz pairs Theorem 3 with a layer that takes its step by backpropagation.
var lipschitz = props.Claim{
	Statement: &theory.Lipschitz,
	Verify: []props.LegacyCheck{
		unitBound(lipschitzTrial{}),
		unitSign(lipschitzTrial{}),
		unitLocal(lipschitzTrial{}),
		unitOrder(lipschitzTrial{}),
		batchBound(lipschitzTrial{}),
		wrongSign(lipschitzTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "GELU with L = 1", Assumption: "lipschitz", Check: unitBound(lipschitzTrial{only: "gelu", constant: 1})},
		{Name: "bound without ‖h₋‖²", Check: unitBound(lipschitzTrial{unnormalised: true})},
		{Name: "a second sample with a correlated input", Assumption: "one-sample", Check: unitBound(lipschitzTrial{second: true})},
		{Name: "bias trained", Assumption: "no-bias", Check: unitBound(lipschitzTrial{bias: true})},
		{Name: "layer below updated too", Assumption: "only-layer", Check: unitBound(lipschitzTrial{lower: true})},
		{Name: "step along the sign of the gradient", Assumption: "plain-descent", Check: unitBound(lipschitzTrial{signs: true})},
		{Name: "sign of GELU, which is not monotone", Assumption: "monotone", Check: unitSign(lipschitzTrial{only: "gelu", bold: true})},
		{Name: "local law with σ′ in place of σ′²", Check: unitOrder(lipschitzTrial{slopeOnce: true})},
		{Name: "bound of a batch without its other samples", Check: batchBound(lipschitzTrial{noCross: true})},
		{Name: "batch without cross terms (no wrong signs)", Check: wrongSign(lipschitzTrial{noCross: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "strict", Check: worked("strict inequality", nn.Identity, 1, 0, 0.1, printedStrict)},
		{Erratum: "dead-unit", Check: worked("equal signs", nn.ReLU, 1, -1, 0.1, printedSigns)},
		{Erratum: "gelu-constant", Check: worked("GELU is 1-Lipschitz", nn.GELU, 1, math.Sqrt2, 0.001, printedOneLipschitz)},
		{Erratum: "unnormalised", Check: worked("bound for any input", nn.Identity, 2, 0, 0.1, printedOneLipschitz)},
		{Erratum: "mini-batch", Check: workedBatch()},
	},
	Resolve: []props.Resolution{
		{Of: "the bound, tightened", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return unitBound(lipschitzTrial{dose: dose}) }},
		{Of: "the bound of a batch, tightened", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return batchBound(lipschitzTrial{dose: dose}) }},
		{Of: "the local law", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return unitLocal(lipschitzTrial{dose: dose}) }},
		{Of: "the order of its remainder", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return unitOrder(lipschitzTrial{dose: dose}) }},
		{Of: "the wrong-sign rate of a batch", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return wrongSign(lipschitzTrial{dose: dose}) }},
	},
}

// lipschitzTrial is the version of the claim on trial. The zero value is the claim itself.
type lipschitzTrial struct {
	dose         float64 // the bound times 1−dose; the local law and the rate times 1+dose; the order plus dose
	only         string  // the one activation that is tried
	constant     float64 // used for L when positive
	unnormalised bool    // the factor ‖h₋‖² is left out
	second       bool
	bias         bool
	lower        bool
	signs        bool
	slopeOnce    bool
	noCross      bool
	bold         bool // large steps only, which carry GELU across its minimum
}

// activations are those that a check speaks about.
func (v lipschitzTrial) activations(admit func(theory.Shape) bool) []nn.Activation {
	var acts []nn.Activation
	for _, a := range nn.Activations {
		if a.Name == v.only || v.only == "" && admit(theory.Shapes[a.Name]) {
			acts = append(acts, a)
		}
	}
	return acts
}

// draw draws a layer on one sample. Pre-activations have standard deviation 3, gradients and steps range over five
// orders of magnitude.
func (v lipschitzTrial) draw(t *props.T, acts []nn.Activation) layer {
	act := acts[rapid.IntRange(0, len(acts)-1).Draw(t.T, "activation")]
	n, m := gen.Dim(t.T, "n", 5), gen.Dim(t.T, "m", 30)
	r := t.Stream("entries")
	h := gen.Gaussian(r, n, 1, gen.Scale(t.T, "input size", 0.3, 3)).RawMatrix().Data
	z := gen.Gaussian(r, m, 1, 3).RawMatrix().Data
	p := gen.Gaussian(r, m, 1, gen.Scale(t.T, "gradient size", 1e-3, 100)).RawMatrix().Data
	smallest := 1e-4
	if v.bold {
		smallest = 1
	}
	l := newLayer(r, act, h, z, p, gen.Scale(t.T, "γ", smallest, 10))
	l.bias, l.lower, l.signs = v.bias, v.lower, v.signs
	if v.second {
		l.second, l.secondP = gen.Gaussian(r, n, 1, 1).RawMatrix().Data, gen.Gaussian(r, m, 1, 10).RawMatrix().Data
	}
	t.Show("activation", act.Name)
	t.Show("h₋", h)
	t.Show("p", p)
	t.Show("γ", l.step)
	return l
}

// unit is the closed form for unit i of a layer that moved.
func (v lipschitzTrial) unit(l layer, m moves, i int) theory.UnitStep {
	u := theory.UnitStep{Shape: theory.Shapes[l.act.Name], InputNorm: m.inputNorm, Virtual: m.virtual[i]}
	if v.constant > 0 {
		u.Shape.Lipschitz = v.constant
	}
	if v.unnormalised {
		u.InputNorm = 1
	}
	return u
}

// The activations that a part of the claim speaks about.
func anyShape(theory.Shape) bool      { return true }
func monotone(s theory.Shape) bool    { return s.Monotone }
func smoothShape(s theory.Shape) bool { return !math.IsNaN(s.Curvature) }

// units judges every unit of one drawn layer.
func (v lipschitzTrial) units(name string, admit func(theory.Shape) bool, judge func(l layer, m moves, i int) props.Ratio) props.LegacyCheck {
	acts := v.activations(admit)
	return props.Property{
		Name:  name,
		Cases: props.Scale{Quick: 300, Standard: 2000, Deep: 150000},
		Prop: func(t *props.T) props.Ratio {
			l := v.draw(t, acts)
			m := l.take()
			t.Show("z", m.z)
			t.Show("Δa", m.actual)
			t.Show("Δv", m.virtual)
			ratio := props.Ratio{}
			for i := range m.z {
				ratio = props.Worst(ratio, judge(l, m, i))
			}
			return ratio
		},
	}.Check()
}

// unitBound is |Δa| ≤ L|s|‖h₋‖²|Δv| and ≤ L²‖h₋‖²|Δv|.
func unitBound(v lipschitzTrial) props.LegacyCheck {
	return v.units("bound", anyShape, func(l layer, m moves, i int) props.Ratio {
		u, moved := v.unit(l, m, i), math.Abs(m.actual[i])
		return props.Worst(
			props.AtMost(moved, (1-v.dose)*u.BoundAt(m.slope[i]), m.slack[i]),
			props.AtMost(moved, (1-v.dose)*u.Bound(), m.slack[i]),
		)
	})
}

// batchBound is |Δa₁| ≤ γL Σⱼ |hⱼ·h₁||gⱼ| for a step on two samples.
func batchBound(v lipschitzTrial) props.LegacyCheck {
	batch := lipschitzTrial{second: true}
	return batch.units("bound of a batch", anyShape, func(l layer, m moves, i int) props.Ratio {
		b := theory.BatchStep{Shape: theory.Shapes[l.act.Name], Step: l.step, Products: m.products, PreGrads: make([]float64, len(m.samples))}
		for j, p := range m.samples {
			b.PreGrads[j] = p.PreGrad[1][i]
		}
		if v.noCross {
			b.Products, b.PreGrads = b.Products[:1], b.PreGrads[:1]
		}
		return props.AtMost(math.Abs(m.actual[i]), (1-v.dose)*b.Bound(), m.slack[i])
	})
}

// unitSign is Δa·Δv ≥ 0 for the monotone activations: Δa does not move against Δv by more than rounding.
func unitSign(v lipschitzTrial) props.LegacyCheck {
	return v.units("sign", monotone, func(_ layer, m moves, i int) props.Ratio {
		return props.AtMost(-m.actual[i]*math.Copysign(1, m.virtual[i]), 0, m.slack[i])
	})
}

// unitLocal is |Δa − ‖h₋‖²σ′²Δv| ≤ ½ sup|σ″|(‖h₋‖²σ′Δv)², for the smooth activations.
func unitLocal(v lipschitzTrial) props.LegacyCheck {
	return v.units("local law", smoothShape, func(l layer, m moves, i int) props.Ratio {
		u, slope := v.unit(l, m, i), theory.Shapes[l.act.Name].Slope(m.z[i])
		law := (1 + v.dose) * u.Local(slope)
		return props.AtMost(math.Abs(m.actual[i]-law), u.Remainder(slope), m.slack[i]+8*0x1p-53*math.Abs(law))
	})
}

// smooth are the activations whose local law has a remainder of second order.
var smooth = []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus, nn.GELU, nn.ZMinusSin}

// unitOrder is the order of the local law's error in γ: 2. What the third order and rounding add to the error at
// each step bounds how far the slope may lie from 2.
func unitOrder(v lipschitzTrial) props.LegacyCheck {
	share := ""
	if v == (lipschitzTrial{dose: v.dose}) {
		share = "local errors"
	}
	return props.LegacySweep[int, rungs]{
		Name:  "order of the local law",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 50, Standard: 500, Deep: 5000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) rungs {
			const units, inputs = 16, 4
			r := t.Rand
			l := newLayer(r, smooth[cell%len(smooth)], gen.Gaussian(r, inputs, 1, 0.5).RawMatrix().Data,
				gen.Gaussian(r, units, 1, 1).RawMatrix().Data, gen.Gaussian(r, units, 1, 1).RawMatrix().Data, 0)
			var run rungs
			for e := -8; e >= -14; e-- {
				l.step = math.Ldexp(1, e)
				err, allowed := v.localError(l)
				run.steps, run.errors, run.beyond = append(run.steps, l.step), append(run.errors, err), append(run.beyond, allowed)
			}
			return run
		},
		Judge: func(_ []int, runs []rungs) props.Judgement { return judgeUnitOrder(runs, 2+v.dose) },
	}.Check()
}

// localError is the norm of Δa − law over the units, and the norm of what is not of second order in it.
func (v lipschitzTrial) localError(l layer) (err, allowed float64) {
	m := l.take()
	for i := range m.z {
		u, slope := v.unit(l, m, i), theory.Shapes[l.act.Name].Slope(m.z[i])
		law := u.Local(slope)
		if v.slopeOnce {
			law /= slope
		}
		err = math.Hypot(err, m.actual[i]-law)
		allowed = math.Hypot(allowed, u.ThirdOrder(slope)+m.slack[i])
	}
	return err, allowed
}

func judgeUnitOrder(runs []rungs, order float64) props.Judgement {
	parts, mean := ofOrder("order in γ", runs, order)
	curves := make([]props.Curve, len(smooth))
	for i, act := range smooth {
		curves[i] = props.Curve{Name: act.Name, Style: props.Points, X: runs[i].steps, Y: runs[i].errors}
	}
	return props.Judgement{
		Parts: parts,
		Facts: []props.Fact{props.Noted("mean order in γ of the local law's error", mean, 2)},
		Figures: []props.Figure{{
			ID:    "local",
			Title: "Error of the local law",
			Caption: "Norm over 16 units of Δa − ‖h₋‖²σ′²Δv against the step size, one layer for each smooth activation, on logarithmic " +
				"axes: all fall with slope 2.",
			X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "error of the local law", Log: true}, Curves: curves,
		}},
	}
}

// worked runs the corrected step on one unit with L = 1 and asks whether a printed form holds of it.
func worked(name string, act nn.Activation, h, z, step float64, printed func(actual, virtual float64) bool) props.LegacyCheck {
	return props.Example(name, func() (props.Ratio, string) {
		m := newLayer(fixed(), act, []float64{h}, []float64{z}, []float64{1}, step).take()
		return props.Truth(printed(m.actual[0], m.virtual[0])),
			fmt.Sprintf("%s, h₋ = %g, z = %g, p = 1, γ = %g: Δa = %.6g, Δv = %.6g", act.Name, h, z, step, m.actual[0], m.virtual[0])
	})
}

func printedStrict(actual, virtual float64) bool { return math.Abs(actual) < math.Abs(virtual) }

// printedOneLipschitz allows equality and a relative rounding error of 10⁻¹², so that only the constant is on trial.
func printedOneLipschitz(actual, virtual float64) bool {
	return math.Abs(actual) <= math.Abs(virtual)*(1+1e-12)
}

func printedSigns(actual, virtual float64) bool { return sign(actual) == sign(virtual) }

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
