package vcl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// solvers pairs all routes with the paper's, on ordinary and on awkward layers.
var solvers = props.Claim{
	Statement: &theory.Solvers,
	Verify: []props.LegacyCheck{
		solversAgree(solversTrial{}),
		solversAwkward(solversTrial{}),
		solversShift(solversTrial{}),
		solversKrylov(solversTrial{}),
		solversKept(solversTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "one block of a Krylov space as an exact route", Assumption: "whole-space", Check: solversAgree(solversTrial{oneBlock: true})},
		{Name: "the true shift for the Gram matrix of gradient descent", Assumption: "own-target", Check: solversAgree(solversTrial{otherTarget: true})},
		{Name: "gradient descent itself, which does not rotate", Check: solversAwkward(solversTrial{descent: true})},
		{Name: "ten Newton–Schulz steps for the polar factor", Check: solversAwkward(solversTrial{newton: true})},
		{Name: "gradient descent's Gram matrix for the true shift", Assumption: "own-target", Check: solversShift(solversTrial{otherTarget: true})},
		{Name: "exponent 0.1, as Algorithm 1 recommends", Check: solversShift(solversTrial{smallExponent: true})},
		{Name: "the closed form's factor, which is not rotated", Check: solversShift(solversTrial{unrotated: true})},
		{Name: "nothing said of what was dropped", Check: solversShift(solversTrial{silent: true})},
		{Name: "half of the Krylov space for all of it", Assumption: "whole-space", Check: solversKrylov(solversTrial{halfSpace: true})},
		{Name: "steps that are a millionth too long", Check: solversKrylov(solversTrial{dose: 1e-6})},
		{Name: "the memory of another layer", Assumption: "own-memory", Check: solversKept(solversTrial{otherMemory: true})},
		{Name: "memory that is never advanced", Assumption: "own-memory", Check: solversKept(solversTrial{stale: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the step of an exact route", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return solversAgree(solversTrial{dose: dose}) }},
		{Of: "the weights for the true shift, on awkward layers", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return solversShift(solversTrial{dose: dose}) }},
		{Of: "the Gram matrix that is carried along", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return solversKept(solversTrial{dose: dose}) }},
	},
}

// solversTrial is the version of the claim on trial. The zero value is the claim itself.
type solversTrial struct {
	dose          float64 // the new weights times 1+dose; the Gram matrix that is carried along times 1+dose
	oneBlock      bool
	halfSpace     bool
	otherTarget   bool
	descent       bool
	newton        bool
	smallExponent bool
	unrotated     bool
	silent        bool
	otherMemory   bool
	stale         bool
}

// exactRoutes are the routes that must agree with routes.Full, by target.
var exactRoutes = map[routes.Target][]routes.Solver{
	routes.SGDGram:   {routes.Polar{}, routes.Reduced{}, routes.Krylov{}, routes.Auto{}, corotated{}},
	routes.TrueShift: {routes.Reduced{Target: routes.TrueShift}, routes.Factor{}, routes.Auto{Target: routes.TrueShift}},
}

// layerOf is a layer whose singular values lie in [1, 2] with a batch of ordinary size.
func layerOf(r *rand.Rand, m, n, batch int, rate float64) routes.Problem {
	d := make([]float64, min(m, n))
	for i := range d {
		d[i] = 1 + r.Float64()
	}
	w := withSingularValues(r, max(m, n), d)
	if m > n {
		w = mat.DenseCopyOf(w.T())
	}
	return routes.Problem{W: w, Gamma: gen.Gaussian(r, m, batch, 0.3), H: gen.Gaussian(r, n, batch, 0.3), Rate: rate}
}

// solversAgree compares a route with the paper's on well-conditioned layers.
func solversAgree(v solversTrial) props.LegacyCheck {
	return props.Property{
		Name:  "agreement with the paper's route",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			m, n, batch := gen.Dim(t.T, "m", 10), gen.Dim(t.T, "n", 10), gen.Dim(t.T, "B", 6)
			if v.oneBlock {
				m, batch = m+6, 1
			}
			target := []routes.Target{routes.SGDGram, routes.TrueShift}[rapid.IntRange(0, 1).Draw(t.T, "target")]
			if v.oneBlock || v.otherTarget {
				target = routes.SGDGram
			}
			list := exactRoutes[target]
			route := list[rapid.IntRange(0, len(list)-1).Draw(t.T, "route")]
			switch {
			case v.oneBlock:
				route = routes.Krylov{Blocks: 1}
			case v.otherTarget:
				route = routes.Reduced{Target: routes.TrueShift}
			}
			_, closed := route.(routes.Factor)
			if closed {
				m, n = max(m, n), min(m, n)
			}
			p := layerOf(t.Stream("entries"), m, n, batch, gen.Scale(t.T, "γ", 1e-3, 0.1))
			if closed { // it refuses what is not feasible: WᵀW has eigenvalues of at least 1, and the shift is kept below ½
				p.Rate = min(p.Rate, 0.25/(mat.Norm(p.W, 2)*mat.Norm(p.Gamma, 2)*mat.Norm(p.H, 2)))
			}
			reference, err := routes.Full{Target: target}.Solve(p)
			step, err2 := route.Solve(p)
			t.Show("W", p.W)
			t.Show("Γ", p.Gamma)
			t.Show("H", p.H)
			t.Show("γ", p.Rate)
			t.Show("target", target)
			t.Show("route", step.Method+": "+step.Why)
			if err = errors.Join(err, err2); err != nil {
				t.Show("error", err)
				return props.Truth(false)
			}
			got := mat.DenseCopyOf(step.W)
			got.Scale(1+v.dose, got)
			kappa := productCondition(p.W, reference.W)
			if target == routes.TrueShift {
				kappa *= kappa // through eigenvectors of the Gram matrix
			}
			return props.Within(math.Sqrt(distance(got, reference.W)), 8*float64(max(m, n)+batch)*0x1p-53*kappa*mat.Norm(reference.W, 2))
		},
	}.Check()
}

// keptRun is how far WWᵀ that is carried along is from WWᵀ after some steps.
type keptRun struct{ Drift, Size, Rounding float64 }

// solversKept carries WWᵀ along for 60 steps.
func solversKept(v solversTrial) props.LegacyCheck {
	return props.LegacySweep[int, keptRun]{
		Name:    "WWᵀ carried along",
		Cells:   func(e props.Effort) []int { return props.Indices(props.Scale{Quick: 4, Standard: 12, Deep: 200}.At(e)) },
		Measure: func(t *props.Trial, _ int) keptRun { return v.keep(t.Rand) },
		Judge: func(_ []int, all []keptRun) props.Judgement {
			ratio := props.Ratio{}
			for _, run := range all {
				ratio = props.Worst(ratio, props.Within(run.Drift, run.Rounding))
			}
			return props.Judgement{Parts: []props.Part{{Name: "drift after 60 steps", Ratio: ratio}},
				Counterexample: fmt.Sprintf("‖Bm − WWᵀ‖ = %.3g beside ‖WWᵀ‖ = %.3g", all[0].Drift, all[0].Size)}
		},
	}.Check()
}

// keep takes 60 steps of one 6×20 layer on changing batches. Every step multiplies and rotates once: 16·(m+n)·u‖W‖² each.
func (v solversTrial) keep(r *rand.Rand) keptRun {
	const m, n, batch, count = 6, 20, 3, 60
	p := layerOf(r, m, n, batch, 0.02)
	kept := &routes.Kept{Gram: outer(p.W)}
	if v.otherMemory {
		kept.Gram = outer(layerOf(r, m, n, batch, 0.02).W)
	}
	rounding := 0.0
	for range count {
		memory := kept
		if v.stale {
			memory = nil
		}
		step, err := routes.Polar{Kept: memory}.Solve(p)
		if err != nil {
			panic("vcl: " + err.Error())
		}
		rounding += 16 * (m + n) * 0x1p-53 * math.Pow(mat.Norm(step.W, 2), 2)
		p.W = step.W
		p.Gamma, p.H = gen.Gaussian(r, m, batch, 0.3), gen.Gaussian(r, n, batch, 0.3)
	}
	kept.Gram.Scale(1+v.dose, kept.Gram)
	truth := outer(p.W)
	return keptRun{Drift: math.Sqrt(distance(kept.Gram, truth)), Size: mat.Norm(truth, 2), Rounding: rounding}
}

// outer is WWᵀ.
func outer(w *mat.Dense) *mat.Dense {
	var g mat.Dense
	g.Mul(w, w.T())
	return &g
}
