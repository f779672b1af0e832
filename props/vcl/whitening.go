package vcl

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// whitening pairs the two targets of the solvers with each other.
var whitening = props.Claim{
	Statement: &theory.Whitening,
	Verify: []props.LegacyCheck{
		whiteningTargets(whiteningTrial{}),
		whiteningFeasible(whiteningTrial{}),
		whiteningOrder(whiteningTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "residual with the opposite sign", Check: whiteningTargets(whiteningTrial{dose: -2})},
		{Name: "targets of two batches", Assumption: "same-batch", Check: whiteningOrder(whiteningTrial{otherBatch: true})},
		{Name: "whitening at twice the step", Assumption: "same-batch", Check: whiteningOrder(whiteningTrial{twice: true})},
		{Name: "gradient descent for whitening: the same Gram matrix, not the nearest", Assumption: "both-nearest", Check: whiteningOrder(whiteningTrial{descent: true})},
		{Name: "weights that have lost a direction", Assumption: "full-rank", Check: whiteningOrder(whiteningTrial{lost: true})},
		{Name: "the true shift is always met exactly", Check: whiteningFeasible(whiteningTrial{trueShift: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the difference of the targets, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return whiteningTargets(whiteningTrial{dose: dose}) }},
		{Of: "the order of the difference of the solutions", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return whiteningOrder(whiteningTrial{dose: dose}) }},
	},
}

// whiteningTrial is the version of the claim on trial. The zero value is the claim itself.
type whiteningTrial struct {
	dose       float64 // the residual times 1+dose; the order plus dose
	otherBatch bool
	twice      bool
	descent    bool
	lost       bool
	trueShift  bool
}

// whiteningTargets is G − G′ = −R on integers, with the targets that the solvers build.
func whiteningTargets(v whiteningTrial) props.LegacyCheck {
	return props.Property{
		Name:  "difference of the targets on integers",
		Cases: props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			m, n, batch := gen.Dim(t.T, "m", 5), gen.Dim(t.T, "n", 5), gen.Dim(t.T, "B", 4)
			r := t.Stream("entries")
			w, h, gamma := gen.Integers(r, m, n, 4), gen.Integers(r, n, batch, 4), gen.Integers(r, m, batch, 4)
			p := routes.Problem{W: w, H: h, Gamma: gamma, Rate: float64(rapid.IntRange(1, 3).Draw(t.T, "γ"))}
			residual := theory.LayerStep{W: w, Inputs: h, PreGrads: gamma, Step: p.Rate, Convention: theory.Sum}.Residual()
			residual.Scale(1+v.dose, residual)
			diff := routes.TrueShift.Gram(p)
			diff.Sub(diff, routes.SGDGram.Gram(p))
			t.Show("W", w)
			t.Show("H", h)
			t.Show("Γ", gamma)
			t.Show("G − G′", mat.DenseCopyOf(diff))
			t.Show("R", residual)
			diff.Add(diff, residual)
			return props.Exactly(mat.Norm(diff, 2))
		},
	}.Check()
}

// whiteningFeasible is that whitening meets its Gram constraint with the certificate of vcl/procrustes at every shape and step.
func whiteningFeasible(v whiteningTrial) props.LegacyCheck {
	return props.Property{
		Name:  "constraint and certificate at every shape and step",
		Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			m, n, batch := gen.Dim(t.T, "m", 8), gen.Dim(t.T, "n", 8), gen.Dim(t.T, "B", 12)
			r := t.Stream("entries")
			p := routes.Problem{W: gen.Gaussian(r, m, n, 1), Gamma: gen.Gaussian(r, m, batch, 1), H: gen.Gaussian(r, n, batch, 1), Rate: gen.Scale(t.T, "γ", 1e-3, 10)}
			aim := routes.SGDGram
			if v.trueShift {
				aim = routes.TrueShift
			}
			step, err := routes.Auto{Target: aim}.Solve(p)
			if err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			t.Show("W", p.W)
			t.Show("Γ", p.Gamma)
			t.Show("H", p.H)
			t.Show("γ", p.Rate)
			t.Show("solver", step.Method+": "+step.Why)
			return props.Worst(meetsGram(step.W, aim.Gram(p)), certified(step.W, p.W))
		},
	}.Check()
}

// whiteningOrder is the order in γ of the distance between the solutions to both targets.
func whiteningOrder(v whiteningTrial) props.LegacyCheck {
	share := ""
	if v == (whiteningTrial{dose: v.dose}) {
		share = "pairs"
	}
	return props.LegacySweep[int, halvings]{
		Name:  "order of the distance",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 20, Standard: 60, Deep: 1000}.At(e))
		},
		Measure: func(t *props.Trial, cell int) halvings { return v.halve(t, firstOrderShapes[cell%3]) },
		Judge:   func(_ []int, all []halvings) props.Judgement { return v.judge(all) },
	}.Check()
}

// halve solves both problems of one layer with singular values in [1, 2] along halved steps.
func (v whiteningTrial) halve(t *props.Trial, shape theory.LayerShape) halvings {
	const batch = 2
	r := t.Rand
	p := routes.Problem{W: conditionedLayer(t, shape), Gamma: gen.Gaussian(r, shape.Outputs, batch, 0.5), H: gen.Gaussian(r, shape.Inputs, batch, 0.5)}
	if v.lost {
		loseDirection(p.W)
	}
	other := p
	if v.otherBatch {
		other.H = gen.Gaussian(r, shape.Inputs, batch, 0.5)
	}
	var apart, moves []*mat.Dense
	for _, rate := range halvedSteps {
		p.Rate, other.Rate = rate, rate
		if v.twice {
			other.Rate *= 2
		}
		shifted, err := routes.Full{Target: routes.TrueShift}.Solve(p)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		whitened := firstOrderTrial{unrotated: v.descent}.next(other)
		var diff, step mat.Dense
		diff.Sub(shifted.W, whitened)
		step.Sub(whitened, p.W)
		apart, moves = append(apart, &diff), append(moves, &step)
	}
	return newHalvings(shape, p.W, apart, moves)
}

func (v whiteningTrial) judge(all []halvings) props.Judgement {
	j, h := ofSecondOrder(all, v.dose), all[0]
	j.Figures = []props.Figure{{
		ID:    "apart",
		Title: "The two targets of one layer",
		Caption: fmt.Sprintf("For one %d×%d layer on logarithmic axes: the whitened step falls with slope 1 in the step size, its distance from the step "+
			"towards the true shift with slope 2.", h.Shape.Outputs, h.Shape.Inputs),
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Frobenius norm", Log: true},
		Curves: []props.Curve{
			{Name: "‖W₊ − W‖, whitening", Style: props.Points, X: h.moved.steps, Y: h.moved.errors},
			{Name: "distance of both solutions", Style: props.Points, X: h.rest.steps, Y: h.rest.errors},
		},
	}}
	return j
}
