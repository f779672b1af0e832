package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// steps pairs the telescoped identity with the training of three-layer networks, all layers at once.
var steps = props.Claim{
	Statement: &theory.Steps,
	Verify: []props.LegacyCheck{
		stepsIdentity(stepsTrial{}),
		stepsOrder(stepsTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "one term too many", Check: stepsIdentity(stepsTrial{terms: +1})},
		{Name: "one term too few", Check: stepsIdentity(stepsTrial{terms: -1})},
		{Name: "momentum 0.5", Assumption: "plain-descent", Check: stepsIdentity(stepsTrial{momentum: 0.5})},
		{Name: "every shift at the initial weights", Assumption: "own-point", Check: stepsIdentity(stepsTrial{frozen: true})},
		{Name: "residuals left out", Check: stepsIdentity(stepsTrial{dose: -1})},
		{Name: "a fixed number of steps in place of a fixed time", Assumption: "fixed-time", Check: stepsOrder(stepsTrial{fixedCount: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "one-term-too-many", Check: stepsIdentity(stepsTrial{terms: +1})},
		{Erratum: "second-order", Check: stepsOrder(stepsTrial{dose: 1})},
	},
	Resolve: []props.Resolution{
		{Of: "the accumulated residual", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return stepsIdentity(stepsTrial{dose: dose}) }},
		{Of: "the order at fixed time", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return stepsOrder(stepsTrial{dose: dose}) }},
	},
}

// stepsTrial is the version of the claim on trial. The zero value is the claim itself.
type stepsTrial struct {
	dose       float64 // the sum of the residuals times 1+dose; the order plus dose
	terms      int     // how many terms more than steps
	momentum   float64
	frozen     bool // shifts and residuals all at the initial weights and gradients
	fixedCount bool // the ladder keeps T and not Tγ
}

// history is what T steps did to the Gram matrix of one layer.
type history struct {
	gap       *mat.Dense // W_TᵀW_T − W₀ᵀW₀ − Σ D
	residuals *mat.Dense // Σ R
	shift     float64    // ‖Σ D‖
	rounding  float64
}

// train takes T plain steps with every layer of a three-layer GELU network and follows the middle one.
func (v stepsTrial) train(t *props.Trial, count int, step float64) history {
	const n, m, batch = 6, 5, 4
	r := t.Stream("network")
	net := smoothNet(r, 3, n, m, 2, false)
	samples, targets := gen.Gaussian(r, 3, batch, 1), gen.Gaussian(r, 2, batch, 1)
	start := mat.DenseCopyOf(net[1].W)
	out := history{gap: mat.NewDense(n, n, nil), residuals: mat.NewDense(n, n, nil)}
	sum, velocity := mat.NewDense(n, n, nil), make([]*mat.Dense, len(net))
	var first theory.LayerStep
	for tau := range max(count, count+v.terms) {
		views := net.Batches(samples, targets)
		now := theory.LayerStep{W: mat.DenseCopyOf(net[1].W), Inputs: views[1].Inputs, PreGrads: views[1].PreGrads, Step: step, Convention: theory.Sum}
		if tau == 0 {
			first = now
		}
		if v.frozen {
			now = first
		}
		if tau < count+v.terms {
			d := now.Shift()
			sum.Add(sum, d)
			out.residuals.Add(out.residuals, now.Residual())
			out.rounding += float64(2*(m+batch)+12)*0x1p-53*now.Magnitude() + float64(count)*0x1p-53*mat.Norm(d, 2)
		}
		if tau < count {
			for l := range net {
				velocity[l] = v.move(net[l].W, views[l].WeightGrad(), velocity[l], step)
			}
		}
	}
	var before mat.Dense
	out.gap.Mul(net[1].W.T(), net[1].W)
	before.Mul(start.T(), start)
	out.gap.Sub(out.gap, &before)
	out.gap.Sub(out.gap, sum)
	out.shift = mat.Norm(sum, 2)
	return out
}

// move takes one step of w along the gradient plus momentum times the last velocity, and returns the new velocity.
func (v stepsTrial) move(w, grad, last *mat.Dense, step float64) *mat.Dense {
	velocity := mat.DenseCopyOf(grad)
	if last != nil {
		last.Scale(v.momentum, last)
		velocity.Add(velocity, last)
	}
	var by mat.Dense
	by.Scale(step, velocity)
	w.Sub(w, &by)
	return velocity
}

// stepsIdentity is the telescoped identity after 2 … 40 steps.
func stepsIdentity(v stepsTrial) props.LegacyCheck {
	share := ""
	if v == (stepsTrial{dose: v.dose}) {
		share = "histories"
	}
	return props.LegacySweep[int, history]{
		Name:  "telescoped identity",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 40, Standard: 200, Deep: 2000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) history { return v.train(t, 2+cell%39, 0.02) },
		Judge: func(cells []int, all []history) props.Judgement {
			ratio := props.Ratio{}
			for _, h := range all {
				var left mat.Dense
				left.Scale(1+v.dose, h.residuals)
				left.Sub(h.gap, &left)
				ratio = props.Worst(ratio, props.Within(mat.Norm(&left, 2), h.rounding))
			}
			return props.Judgement{
				Parts: []props.Part{{Name: "telescoped identity", Ratio: ratio}},
				Counterexample: fmt.Sprintf("worst of %d networks: ‖W_TᵀW_T − W₀ᵀW₀ − ΣD − ΣR‖ is %.3g times what rounding is entitled to",
					len(cells), ratio.Value),
			}
		},
	}.Check()
}

// horizon is one network trained to the same time with ever smaller steps.
type horizon struct {
	rungs              // of Σ R
	relative []float64 // ‖ΣR‖/‖ΣD‖
}

// stepsOrder is the order in γ of the accumulated residual at time ⅛.
func stepsOrder(v stepsTrial) props.LegacyCheck {
	share := ""
	if !v.fixedCount {
		share = "horizons"
	}
	return props.LegacySweep[int, horizon]{
		Name:  "order at fixed time",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 6, Standard: 20, Deep: 400}.At(e))
		},
		Measure:    func(t *props.Trial, _ int) horizon { return v.descend(t) },
		Judge:      func(_ []int, all []horizon) props.Judgement { return v.judgeOrder(all) },
		Replicates: 3,
	}.Check()
}

// descend measures Σ R for γ = 2⁻⁸ … 2⁻¹¹ and bounds what is not of first order in it.
func (v stepsTrial) descend(t *props.Trial) horizon {
	const time = 0.125
	var out horizon
	var sums []*mat.Dense
	var sizes []float64
	for e := 8; e <= 12; e++ {
		step := math.Ldexp(1, -e)
		count := int(time / step)
		if v.fixedCount {
			count = 16
		}
		h := v.train(t, count, step)
		sums, sizes = append(sums, h.residuals), append(sizes, step)
		out.relative = append(out.relative, mat.Norm(h.residuals, 2)/h.shift)
	}
	out.rungs = newRungs(sizes, sums, 1, 0)
	return out
}

func (v stepsTrial) judgeOrder(all []horizon) props.Judgement {
	runs := make([]rungs, len(all))
	for i, h := range all {
		runs[i] = h.rungs
	}
	parts, mean := ofOrder("order in γ at time ⅛", runs, 1+v.dose)
	steps := all[0].steps
	last := len(steps) - 1
	curves := []props.Curve{}
	for i := range min(3, len(all)) {
		curves = append(curves, props.Curve{Name: fmt.Sprintf("network %d", i+1), Style: props.Points, X: steps, Y: all[i].relative[:last+1]})
	}
	line := props.Curve{Name: "slope 1", Style: props.Dashed, X: steps}
	for _, size := range steps {
		line.Y = append(line.Y, all[0].relative[last]*size/steps[last])
	}
	return props.Judgement{
		Parts: parts,
		Facts: []props.Fact{props.Noted("mean order in γ of the accumulated residual", mean, 1)},
		Figures: []props.Figure{{
			ID:    "horizon",
			Title: "Accumulated residual at a fixed time",
			Caption: "Norm of the summed residuals over that of the summed shifts after training to time ⅛ with steps of four sizes, for three " +
				"networks on logarithmic axes: it falls in proportion to the step size, one order less than the residual of a single step.",
			X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "‖ΣR‖/‖ΣD‖", Log: true},
			Curves: append(curves, line),
		}},
	}
}
