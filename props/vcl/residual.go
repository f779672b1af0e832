package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// residual pairs Theorem 2 with networks of two and three layers: the weights, hidden states and gradients come from
// backpropagation through them, the residual from the closed form.
var residual = props.Claim{
	Statement: &theory.Residual,
	Verify: []props.Check{
		residualExactly(residualTrial{}),
		residualRounded(residualTrial{}),
		residualOrder(residualTrial{}),
		residualGradient(residualTrial{}),
		residualRank(residualTrial{}),
	},
	Controls: []props.Control{
		{Name: "gradient transposed", Assumption: "plain-descent", Check: residualRounded(residualTrial{transposed: true})},
		{Name: "gradient of the weights clipped to half, of the hidden states not", Assumption: "plain-descent", Check: residualOrder(residualTrial{clipped: true})},
		{Name: "residual without cross-sample terms", Check: residualRounded(residualTrial{noCrossTerms: true})},
		{Name: "residual with the opposite sign", Check: residualRounded(residualTrial{dose: -2})},
		{Name: "eigenvalues of the opposite sign", Check: residualRank(residualTrial{dose: -2})},
		{Name: "covariance centred", Assumption: "uncentred", Check: residualOrder(residualTrial{centred: true})},
		{Name: "covariance of the batch-mean hidden state", Assumption: "uncentred", Check: residualOrder(residualTrial{meanState: true})},
		{Name: "skip connection", Assumption: "only-use", Check: residualOrder(residualTrial{skip: true})},
		{Name: "mean loss, virtual step of the mean loss, mean covariance", Assumption: "convention", Check: residualOrder(residualTrial{practice: meanMeanMean})},
		{Name: "mean loss, virtual step per sample, summed covariance", Assumption: "convention", Check: residualOrder(residualTrial{practice: meanSumSum})},
		{Name: "summed loss, summed virtual step, mean covariance", Assumption: "convention", Check: residualOrder(residualTrial{practice: sumSumMean})},
		{Name: "backward pass without the activation's slope", Assumption: "exact-gradient", Check: residualGradient(residualTrial{noSlope: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the residual, on integers", Unit: props.Exact, Check: func(dose float64) props.Check { return residualExactly(residualTrial{dose: dose}) }},
		{Of: "the residual, in floating point", Unit: props.Relative, Check: func(dose float64) props.Check { return residualRounded(residualTrial{dose: dose}) }},
		{Of: "the order in the step size", Unit: props.Exponent, Check: func(dose float64) props.Check { return residualOrder(residualTrial{dose: dose}) }},
	},
}

// residualTrial is the version of the claim on trial. The zero value is the claim itself.
type residualTrial struct {
	dose         float64  // the residual times 1+dose; the order plus dose
	noCrossTerms bool     // Σ‖gᵢ‖²hᵢhᵢᵀ in place of HΓᵀΓHᵀ
	transposed   bool     // the step uses hgᵀ
	clipped      bool     // the step is half as long
	centred      bool     // the covariance subtracts the batch mean
	meanState    bool     // one virtual state, that of the batch mean
	skip         bool     // the layer's input is also added to its output
	noSlope      bool     // g = ∂loss/∂σ(z) is taken for ∂loss/∂z
	practice     practice // the batch convention that the network is trained with
}

// residualExactly is the identity in integer arithmetic, where it has no tolerance.
func residualExactly(v residualTrial) props.Check {
	return props.Property{
		Name:  "identity on integers",
		Cases: props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
		Prop: func(t *props.T) props.Ratio {
			o := integerInstance(t).take(0, v)
			o.show(t, v)
			return props.Exactly(o.discrepancy(v))
		},
	}.Check()
}

// residualRounded is the identity in floating point, within the rounding bound of the statement.
func residualRounded(v residualTrial) props.Check {
	return props.Property{
		Name:  "identity within rounding",
		Cases: props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
		Prop: func(t *props.T) props.Ratio {
			o := realInstance(t, v).take(1, v)
			o.show(t, v)
			return props.Within(o.discrepancy(v), o.rounding())
		},
	}.Check()
}

// descent is the size of the gap along a ladder of step sizes, for one network.
type descent struct {
	rungs                // of the gap, with its rounding
	claimed    []float64 // ‖R‖ from the closed form
	mismatched []float64 // the gap when everything is a mean, which does not cancel
}

// residualOrder is the order of the gap in the step size: exactly 2, so each halving of γ divides it by 4.
func residualOrder(v residualTrial) props.Check {
	share := ""
	if v == (residualTrial{dose: v.dose}) {
		share = "descent"
	}
	return props.Sweep[int, descent]{
		Name:  "order in the step size",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 60, Standard: 200, Deep: 2000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) descent { return ladder(t, v) },
		Judge:   func(_ []int, runs []descent) props.Judgement { return judgeOrder(runs, 2+v.dose) },
	}.Check()
}

// ladder takes the step of one layer, with γ = 2⁻⁴ … 2⁻⁸. The layer is square so that every control applies to it.
func ladder(t *props.Trial, v residualTrial) descent {
	const width, batch = 6, 4
	in := instance{
		net:     smoothNet(t.Rand, 3, width, width, 2, v.skip),
		samples: gen.Gaussian(t.Rand, 3, batch, 1), targets: gen.Gaussian(t.Rand, 2, batch, 1),
	}
	var d descent
	for e := -4; e >= -8; e-- {
		in.step, in.scales = math.Ldexp(1, e), v.practice.scales(batch)
		o := in.take(1, v)
		in.scales = meanMeanMean.scales(batch)
		d.steps = append(d.steps, in.step)
		d.errors = append(d.errors, mat.Norm(o.gap, 2))
		d.beyond = append(d.beyond, o.rounding())
		d.claimed = append(d.claimed, mat.Norm(o.step.Residual(), 2))
		d.mismatched = append(d.mismatched, mat.Norm(in.take(1, residualTrial{}).gap, 2))
	}
	return d
}

// judgeOrder compares the slope of log gap against log γ with the claimed order.
func judgeOrder(runs []descent, order float64) props.Judgement {
	all := make([]rungs, len(runs))
	for i, d := range runs {
		all[i] = d.rungs
	}
	parts, mean := ofOrder("order in γ", all, order)
	d := runs[0]
	return props.Judgement{
		Parts: parts,
		Facts: []props.Fact{props.Noted("mean order in γ of the gap", mean, 2)},
		Figures: []props.Figure{{
			ID:    "order",
			Title: "The gap between Gram shift and covariance shift",
			Caption: fmt.Sprintf("Frobenius norm of the gap for one network and step sizes from %g to %g, on logarithmic axes: the measured gaps lie "+
				"on the closed form of slope 2; when loss, virtual step and covariance are all batch means the gap falls with slope 1 only.",
				d.steps[len(d.steps)-1], d.steps[0]),
			X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "‖gap‖_F", Log: true},
			Curves: []props.Curve{
				{Name: "measured", Style: props.Points, X: d.steps, Y: d.errors},
				{Name: "closed form ‖R‖_F", Style: props.Dashed, X: d.steps, Y: d.claimed},
				{Name: "all means (convention does not match)", Style: props.Points, X: d.steps, Y: d.mismatched},
			},
		}},
	}
}

// residualGradient holds the pre-activation gradient against the central difference D(s) of the loss along a random
// direction of the layer's weights, with s = 10⁻⁴. D(2s) − D(s) is three times the truncation error of D(s).
// Rounding: a loss is the end of about 100 operations, whose errors the layers amplify less than tenfold, so a
// difference quotient of losses of size M errs by at most 1000·u·M/s.
func residualGradient(v residualTrial) props.Check {
	return props.Property{
		Name:  "gradient against differences",
		Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			n, m := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "m", 6)
			r := t.Stream("entries")
			net := smoothNet(r, 3, n, m, 2, false)
			x, y := gen.Gaussian(r, 3, 1, 1), gen.Gaussian(r, 2, 1, 1)
			direction := gen.Gaussian(r, m, n, 1/math.Sqrt(float64(m*n)))
			t.Show("W", net[1].W)
			t.Show("direction", direction)

			p := net.Backprop(x.RawMatrix().Data, y.RawMatrix().Data)
			g := p.PreGrad[1]
			if v.noSlope {
				g = p.OutputGrad[1]
			}
			derivative := mat.Inner(mat.NewVecDense(m, g), direction, mat.NewVecDense(n, p.Input[1]))
			const s = 1e-4
			d1, d2 := lossDifference(net, x, y, direction, s), lossDifference(net, x, y, direction, 2*s)
			size := p.Loss + math.Pow(mat.Norm(y, 2), 2)
			t.Show("backpropagated and difference quotient", []float64{derivative, d1})
			return props.Within(derivative-d1, math.Abs(d2-d1)+1000*0x1p-53*size/s)
		},
	}.Check()
}

// lossDifference is the central difference of the loss at W ± s·direction, for the weights of layer 1.
func lossDifference(net nn.Net, x, y, direction *mat.Dense, s float64) float64 {
	at := func(s float64) float64 {
		moved := append(nn.Net{}, net...)
		moved[1].W = mat.DenseCopyOf(net[1].W)
		moved[1].W.Apply(func(i, j int, w float64) float64 { return w + s*direction.At(i, j) }, moved[1].W)
		return moved.Loss(x.RawMatrix().Data, y.RawMatrix().Data)
	}
	return (at(s) - at(-s)) / (2 * s)
}
