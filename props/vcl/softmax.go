package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// softmax pairs the angle, what is kept, and the count with softmax regressions that the optimisers train.
var softmax = props.Claim{
	Statement: &theory.Softmax,
	Verify: []props.LegacyCheck{
		softmaxTurn(softmaxTrial{}),
		softmaxKept(softmaxTrial{}),
		softmaxInertia(softmaxTrial{}),
		softmaxAngles(softmaxTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "gradient descent, not turned", Check: softmaxTurn(softmaxTrial{dose: -1})},
		{Name: "turned the other way", Check: softmaxTurn(softmaxTrial{dose: -2})},
		{Name: "a step that turns the weights inside out", Assumption: "same-side", Check: softmaxTurn(softmaxTrial{insideOut: true})},
		{Name: "two logistic outputs in place of a softmax", Assumption: "softmax", Check: softmaxTurn(softmaxTrial{separate: true})},
		{Name: "gradient of the summed loss", Check: softmaxTurn(softmaxTrial{summed: true})},
		{Name: "weights with 1ᵀW ≠ 0", Assumption: "centred", Check: softmaxKept(softmaxTrial{offset: true})},
		{Name: "logistic outputs in place of a softmax, 1ᵀW = 0", Assumption: "softmax", Check: softmaxKept(softmaxTrial{separate: true})},
		{Name: "logistic outputs in place of a softmax, the count", Assumption: "softmax", Check: softmaxInertia(softmaxTrial{separate: true})},
		{Name: "min(B, n−C, C) negative eigenvalues", Check: softmaxInertia(softmaxTrial{everyClass: true})},
		{Name: "a batch of one sample many times", Assumption: "generic", Check: softmaxInertia(softmaxTrial{repeated: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the angle", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return softmaxTurn(softmaxTrial{dose: dose}) }},
	},
}

// softmaxTrial is the version of the claim on trial. The zero value is the claim itself.
type softmaxTrial struct {
	dose       float64 // the angle times 1+dose
	insideOut  bool
	separate   bool // every class has a logistic output of its own
	summed     bool // g is not divided by B
	offset     bool
	everyClass bool
	repeated   bool
}

// view draws a regression, with weights as given, and runs it on samples with random labels, which it returns (B×C).
func (v softmaxTrial) view(r *rand.Rand, w *mat.Dense, batch int) (*nn.View, *mat.Dense) {
	classes, inputs := w.Dims()
	model := &nn.Model{Stages: []nn.Stage{{W: w, Act: nn.Identity}}, Loss: nn.SoftmaxCrossEntropy}
	if v.separate {
		model.Loss = nn.Logistic
	}
	of, x := make([]int, batch), gen.Gaussian(r, batch, inputs, 1)
	for i := range of {
		of[i] = r.IntN(classes)
		if v.repeated {
			of[i] = of[0]
			x.SetRow(i, x.RawRowView(0))
		}
	}
	labels := nn.OneHot(of, classes)
	var trace nn.Trace
	model.Backprop(&trace, x, labels)
	return &trace.Views[0], labels
}

// residuals is whether the rows of PreGrad are (p − y)/B with the probabilities p of the logits of the view. The largest of a few functions of
// logits with slopes below 1, which err by n·u‖W‖‖x‖, and a few operations follow.
func residuals(view *nn.View, labels *mat.Dense, p func(z []float64) []float64, scale float64) props.Ratio {
	w, ratio := view.Stage.W, props.Ratio{}
	classes, inputs := w.Dims()
	batch, _ := labels.Dims()
	for i := range batch {
		x, z := view.Inputs.RawRowView(i), make([]float64, classes)
		for k := range z {
			z[k] = floats.Dot(w.RawRowView(k), x)
		}
		allowed := (2*float64(inputs)*mat.Norm(w, 2)*floats.Norm(x, 2) + 16) * 0x1p-53 * scale
		for k, pk := range p(z) {
			ratio = props.Worst(ratio, props.Within(view.PreGrad.At(i, k)-scale*(pk-labels.At(i, k)), allowed))
		}
	}
	return ratio
}

// softmaxTurn compares whitening with gradient descent turned by the angle.
func softmaxTurn(v softmaxTrial) props.LegacyCheck {
	return props.Property{
		Name:  "two classes: gradient descent turned",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			inputs, batch := 1+gen.Dim(t.T, "n−1", 7), gen.Dim(t.T, "B", 5)
			r := t.Stream("entries")
			view, labels := v.view(r, gen.Gaussian(r, 2, inputs, 1), batch)
			scale, probabilities := 1/float64(batch), theory.Probabilities
			if v.summed {
				scale = 1
			}
			if v.separate {
				probabilities = logistics
			}
			rate, ok := v.sided(view, gen.Scale(t.T, "γ", 1e-2, 3))
			if !ok { // such weights cannot be turned inside out
				return props.Ratio{}
			}
			descent := sgdStep(view.Stage.W, view, rate)
			angle := (1 + v.dose) * twoClasses(view, rate).Angle()
			sin, cos := math.Sincos(angle)
			var claimed mat.Dense
			claimed.Mul(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), descent)
			next, report, err := (&optim.VCL{Gamma: rate, Solver: whiteners[rapid.IntRange(0, len(whiteners)-1).Draw(t.T, "solver")]}).Next(view)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			t.Show("W", view.Stage.W)
			t.Show("inputs in rows", view.Inputs)
			t.Show("g in rows", view.PreGrad)
			t.Show("γ", rate)
			t.Show("solver", report.Method)
			t.Show("θ", angle)
			t.Show("W₊", next)
			t.Show("R(θ)W_s", &claimed)
			kappa := productCondition(view.Stage.W, next)
			return props.Worst(
				props.Within(math.Sqrt(distance(next, &claimed)), 16*float64(inputs+batch)*0x1p-53*kappa*mat.Norm(next, 2)),
				residuals(view, labels, probabilities, scale),
			)
		},
	}.Check()
}

// sided shrinks a step until det(WW_sᵀ) is at least half of its value at γ = 0, or, for the control, lets it grow until it is negative.
func (v softmaxTrial) sided(view *nn.View, rate float64) (float64, bool) {
	w := view.Stage.W
	at := func(rate float64) float64 {
		var m mat.Dense
		m.Mul(w, sgdStep(w, view, rate).T())
		return m.At(0, 0)*m.At(1, 1) - m.At(0, 1)*m.At(1, 0)
	}
	half := at(0) / 2
	for range 60 {
		d := at(rate)
		switch {
		case v.insideOut && d < -half, !v.insideOut && d > half:
			return rate, true
		case v.insideOut:
			rate *= 2
		default:
			rate /= 2
		}
	}
	return rate, false
}

// twoClasses is the closed form's view of a step, from logits that are computed anew.
func twoClasses(view *nn.View, rate float64) theory.TwoClasses {
	var z mat.Dense
	z.Mul(view.Inputs, view.Stage.W.T())
	t := theory.TwoClasses{Squared: math.Pow(mat.Norm(view.Stage.W, 2), 2), Step: rate}
	batch, _ := z.Dims()
	for i := range batch {
		q := view.PreGrad.At(i, 0)
		t.Common += q * (z.At(i, 0) + z.At(i, 1))
		t.Apart += q * (z.At(i, 0) - z.At(i, 1))
	}
	return t
}
