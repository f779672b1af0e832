package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// logistic pairs the closed form with logistic regressions that the optimisers train.
var logistic = props.Claim{
	Statement: &theory.Logistic,
	Verify: []props.LegacyCheck{
		logisticWhitening(logisticTrial{}),
		logisticClosedForm(logisticTrial{}),
		logisticOrder(logisticTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "two outputs", Assumption: "one-output", Check: logisticWhitening(logisticTrial{twoOutputs: true})},
		{Name: "a step that turns the weights around", Assumption: "same-side", Check: logisticWhitening(logisticTrial{turned: true})},
		{Name: "gradient of the summed loss", Check: logisticWhitening(logisticTrial{summed: true})},
		{Name: "a batch of two samples", Assumption: "one-sample", Check: logisticClosedForm(logisticTrial{batch: true})},
		{Name: "γ²g² left out of P", Check: logisticClosedForm(logisticTrial{linear: true})},
		{Name: "distance of first order", Check: logisticOrder(logisticTrial{dose: -1})},
	},
	Resolve: []props.Resolution{
		{Of: "the new weights for the true shift", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return logisticClosedForm(logisticTrial{dose: dose}) }},
		{Of: "the step of gradient descent", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return logisticWhitening(logisticTrial{dose: dose}) }},
		{Of: "the order of the distance", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return logisticOrder(logisticTrial{dose: dose}) }},
	},
}

// logisticTrial is the version of the claim on trial. The zero value is the claim itself.
type logisticTrial struct {
	dose       float64 // the step, or the new weights, times 1+dose; the order plus dose
	twoOutputs bool
	turned     bool
	batch      bool
	linear     bool
	summed     bool // g is not divided by B
}

// logisticView draws a regression and runs it on samples with random labels 0 and 1, which it returns (B×outputs); weights and inputs
// have entries of that size.
func logisticView(r *rand.Rand, inputs, outputs, batch int, size float64) (*nn.View, *mat.Dense) {
	model := &nn.Model{Stages: []nn.Stage{{W: gen.Gaussian(r, outputs, inputs, size), Act: nn.Identity}}, Loss: nn.Logistic}
	labels := gen.Integers(r, batch, outputs, 1)
	labels.Apply(func(_, _ int, y float64) float64 { return math.Abs(y) }, labels)
	var trace nn.Trace
	model.Backprop(&trace, gen.Gaussian(r, batch, inputs, size), labels)
	return &trace.Views[0], labels
}

// logistics are the probabilities 1/(1+e⁻ᶻ).
func logistics(z []float64) []float64 {
	p := make([]float64, len(z))
	for k, x := range z {
		p[k] = 1 / (1 + math.Exp(-x))
	}
	return p
}

// logisticWhitening is that the whitened step is that of gradient descent.
func logisticWhitening(v logisticTrial) props.LegacyCheck {
	return props.Property{
		Name:  "whitening is gradient descent",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			outputs, batch := 1, gen.Dim(t.T, "B", 4)
			inputs := 1 + gen.Dim(t.T, "n−1", 7)
			if v.twoOutputs {
				outputs = 2
			}
			view, labels := logisticView(t.Stream("entries"), inputs, outputs, batch, 1)
			w := view.Stage.W
			rate := gen.Scale(t.T, "γ", 1e-3, 1)
			descent := sgdStep(w, view, rate)
			if outputs == 1 {
				same := floats.Dot(w.RawRowView(0), descent.RawRowView(0)) > 0
				for k := 0; same == v.turned && k < 60; k++ {
					if rate /= 2; v.turned {
						rate *= 4
					}
					descent = sgdStep(w, view, rate)
					same = floats.Dot(w.RawRowView(0), descent.RawRowView(0)) > 0
				}
			}
			next, report, err := (&optim.VCL{Gamma: rate, Solver: whiteners[rapid.IntRange(0, len(whiteners)-1).Draw(t.T, "solver")]}).Next(view)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			var diff, step mat.Dense
			step.Sub(descent, w)
			step.Scale(v.dose, &step)
			diff.Sub(next, descent)
			diff.Sub(&diff, &step)
			t.Show("w", w)
			t.Show("x", view.Inputs)
			t.Show("g", view.PreGrad)
			t.Show("solver", report.Method)
			t.Show("w₊", next)
			t.Show("w − γgx", descent)
			scale := 1 / float64(batch)
			if v.summed {
				scale = 1
			}
			return props.Worst(props.Within(mat.Norm(&diff, 2), float64(16*(inputs+batch))*0x1p-53*(mat.Norm(w, 2)+mat.Norm(descent, 2))),
				residuals(view, labels, logistics, scale))
		},
	}.Check()
}

// whiteners are solvers for the Gram matrix of gradient descent.
var whiteners = []routes.Solver{routes.Full{}, routes.Polar{}, routes.Krylov{}, routes.Auto{}}

func sgdStep(w *mat.Dense, view *nn.View, rate float64) *mat.Dense {
	next, _, err := optim.SGD{Gamma: rate}.Next(view)
	if err != nil {
		panic("vcl: " + err.Error())
	}
	return next
}

// inPlane measures a view of one sample in the basis of w and x_⊥; the basis vectors are returned too.
func inPlane(view *nn.View, rate float64) (step theory.LogisticStep, along, across []float64) {
	w, x := view.Stage.W.RawRowView(0), view.Inputs.RawRowView(0)
	size := floats.Norm(w, 2)
	along, across = append([]float64{}, w...), append([]float64{}, x...)
	floats.Scale(1/size, along)
	for range 2 { // the second time removes what rounding left of the first
		floats.AddScaled(across, -floats.Dot(across, along), along)
	}
	rest := floats.Norm(across, 2)
	floats.Scale(1/rest, across)
	return theory.LogisticStep{Weights: size, Along: floats.Dot(x, along), Across: rest, G: view.PreGrad.At(0, 0), Step: rate}, along, across
}

// logisticClosedForm compares the solvers for the true shift with √λ₁q₁, and the least eigenvalue of the target with λ₋.
func logisticClosedForm(v logisticTrial) props.LegacyCheck {
	return props.Property{
		Name:  "closed form of the true shift",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			inputs, batch := 1+gen.Dim(t.T, "n−1", 7), 1
			if v.batch {
				batch = 2
			}
			view, labels := logisticView(t.Stream("entries"), inputs, 1, batch, 1)
			rate := gen.Scale(t.T, "γ", 1e-2, 1)
			step, along, across := inPlane(view, rate)
			lo, hi := step.Eigenvalues()
			a, b := step.True()
			if v.linear {
				a -= rate * rate * step.G * step.G * step.Weights / 2 // √P without γ²g², to first order in it
			}
			claimed, descent, taken := make([]float64, inputs), make([]float64, inputs), make([]float64, inputs)
			floats.AddScaled(claimed, a*(1+v.dose), along)
			floats.AddScaled(claimed, b*(1+v.dose), across)
			x, y := step.Descent()
			floats.AddScaled(descent, x, along)
			floats.AddScaled(descent, y, across)
			copy(taken, sgdStep(view.Stage.W, view, rate).RawRowView(0))
			solver := []routes.Solver{routes.Full{Target: routes.TrueShift}, routes.Reduced{Target: routes.TrueShift}}[rapid.IntRange(0, 1).Draw(t.T, "solver")]
			next, _, err := (&optim.VCL{Gamma: rate, Solver: solver}).Next(view)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			target := routes.TrueShift.Gram(routes.Problem{W: view.Stage.W, Gamma: view.PreGrad.T(), H: view.Inputs.T(), Rate: rate})
			values, _, err := linalg.SymEigen(asSymmetric(target), false)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			size := mat.Norm(target, 2)
			rounding := 16 * float64(inputs) * 0x1p-53 * (size + step.Weights*step.Weights*(1+step.Across+math.Abs(step.Along)))
			t.Show("w", view.Stage.W)
			t.Show("x", view.Inputs)
			t.Show("g", view.PreGrad)
			t.Show("γ", rate)
			t.Show("w₊", next)
			t.Show("claimed", claimed)
			turn := rounding / (hi - lo) * math.Sqrt(hi)
			return props.Worst(
				props.Within(floats.Distance(next.RawRowView(0), claimed, 2), 2*turn+rounding/math.Sqrt(hi)),
				props.Within(values[0]-lo, rounding),
				props.Within(floats.Distance(descent, taken, 2), rounding),
				residuals(view, labels, logistics, 1/float64(batch)),
			)
		},
	}.Check()
}

// logisticOrder is the order in γ of the distance between the true shift's step and gradient descent, by the routes.
func logisticOrder(v logisticTrial) props.LegacyCheck {
	return props.LegacySweep[int, halvings]{
		Name:  "order of the distance from gradient descent",
		Share: "descents",
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 20, Standard: 60, Deep: 1000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) halvings { return halveLogistic(t.Rand) },
		Judge: func(_ []int, all []halvings) props.Judgement {
			j := ofSecondOrder(all, v.dose)
			j.Figures = []props.Figure{{
				ID:    "descent",
				Title: "Logistic regression: the true shift against gradient descent",
				Caption: "For one regression with six inputs on logarithmic axes: the step falls with slope 1 in the step size, its distance from gradient " +
					"descent with slope 2.",
				X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Euclidean norm", Log: true},
				Curves: []props.Curve{
					{Name: "‖w₊ − w‖", Style: props.Points, X: all[0].moved.steps, Y: all[0].moved.errors},
					{Name: "‖w₊ − (w − γgx)‖", Style: props.Points, X: all[0].rest.steps, Y: all[0].rest.errors},
				},
			}}
			return j
		},
	}.Check()
}

// halveLogistic takes halved steps of one regression on one sample.
func halveLogistic(r *rand.Rand) halvings {
	view, _ := logisticView(r, 6, 1, 1, 0.4) // about unit vectors: a sure regression has no gradient
	var apart, moves []*mat.Dense
	for _, rate := range halvedSteps {
		next, _, err := (&optim.VCL{Gamma: rate, Solver: routes.Reduced{Target: routes.TrueShift}}).Next(view)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		var diff, step mat.Dense
		diff.Sub(next, sgdStep(view.Stage.W, view, rate))
		step.Sub(next, view.Stage.W)
		apart, moves = append(apart, &diff), append(moves, &step)
	}
	return newHalvings(theory.LayerShape{Outputs: 1, Inputs: 6}, view.Stage.W, apart, moves)
}
