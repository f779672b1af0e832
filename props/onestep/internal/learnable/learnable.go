// Package learnable pairs the claim onestep/learnable with closed forms and with networks after one large step.
package learnable

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/learnable.
var Claim = props.Spec{
	Statement: &theory.Learnable,
	Checks: []props.Check{
		props.Drawn[instance, chain]{
			Name:       "chain",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Regimes:    []string{"N ≤ n", "N > n", "E y ≠ 0"},
			Draw:       draw,
			Claim:      chain{untrained: untrained, lowest: lowest, linear: func(in instance) float64 { return in.Rest }},
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Wrong[instance, chain]{
				{Name: "a step that doubles the gain", Criterion: below, Instead: chain{
					untrained: func(in instance) float64 { return untrained(in) - 2*(untrained(in)-in.after.Test) }}},
				{Name: "a floor without what β misses", Criterion: above, Instead: chain{lowest: func(in instance) float64 {
					square := in.Linear * in.Linear
					return lowest(in) + square*in.alignment()*in.start.Resolvent.Bias()
				}}},
				{Name: "random features that gain a tenth of τ²", Criterion: floor,
					Instead: chain{lowest: func(in instance) float64 { return 0.9 * in.Rest }}},
				{Reading: "linear-regression", Criterion: best, Draw: drawWorkedCase, Instead: chain{
					linear: func(in instance) float64 { return theory.TunedRidge(in.Phi, in.Linear*in.Linear, in.Rest) }}},
				{Name: "Gaussian rows of W₀ and a mean", Assumption: "no-constant", Criterion: best,
					Draw: drawGaussianRows},
				{Name: "a step that outgrows the rest", Assumption: "constant-step", Criterion: best,
					Draw: drawLargeStep},
			},
		},
		props.Grid[cell, tested, errors]{
			Name:       "a large step",
			Cells:      cells,
			Regimes:    regimes,
			Measure:    measure,
			Claim:      1, // τ²
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.WrongCell[cell, tested, errors]{
				{Name: "ReLU and tanh exchanged", Assumption: "matching", Measure: measureExchanged,
					On: func(c cell) bool { return c.Index < 40 }},
				{Name: "tested on the samples of the step", Assumption: "fresh", Criterion: unseen, Measure: measureSeen,
					On: func(c cell) bool { return c.Index < 40 }},
				{Name: "an error half as large", Criterion: beaten, Instead: 0.25},
				{Name: "an error twice as large", Criterion: kept, Instead: 1.6},
			},
			Coarse: map[string]string{unseen: "the cosine of two directions"},
		},
	},
}.Claim()

// The criteria of the chain.
const (
	below = "L_te(η) ≤ L_te(0)"
	above = "L_te(η) ≥ c⋆₁²(1−ρ²)B + τ²(1+V)"
	floor = "c⋆₁²(1−ρ²)B + τ²(1+V) ≥ τ²"
	best  = "L_te(η) ≥ τ²"
)

// instance is a regression after the first term.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series                []float64
	Linear, Rest          float64 // c⋆₁, τ²
	Mean                  float64 // E y, whose square is part of τ²

	start, after theory.Errors
}

// chain are the claimed bounds on the error after a step: from above that without one, from below the floor, and the
// error of the best linear predictor.
type chain struct{ untrained, lowest, linear func(instance) float64 }

// untrained is L_te(0).
func untrained(in instance) float64 { return in.start.Test }

// lowest is c⋆₁²(1−ρ²)B + τ²(1+V).
func lowest(in instance) float64 {
	v := in.start.Resolvent
	return in.Linear*in.Linear*(1-in.alignment())*v.Bias() + in.Rest*v.Noise()
}

// alignment is ρ².
func (in instance) alignment() float64 {
	square := in.Linear * in.Linear
	return square / (square + in.Phi*(square+in.Rest))
}

func draw(t *props.T) instance {
	in := drawParameters(t)
	return in.solved(in.risk())
}

func drawWorkedCase(t *props.T) instance {
	in := drawParameters(t)
	in.Phi, in.Psi, in.Lambda, in.Eta, in.Linear, in.Rest, in.Mean = 0.5, 0.2, 1.5, 8, 1, 1, 0
	r := in.risk()
	r.Activation = theory.Activation("tanh")
	return in.solved(r)
}

func drawGaussianRows(t *props.T) instance {
	in := drawParameters(t)
	in.Phi, in.Psi, in.Lambda, in.Eta, in.Linear, in.Rest, in.Mean = 0.5, 0.2, 0.1, 1, 1, 4.1, 2
	r := in.risk()
	r.Activation, r.GaussianRows = theory.Activation("relu"), true
	return in.solved(r)
}

// drawLargeStep draws a step whose second term learns half of what is no noise.
func drawLargeStep(t *props.T) instance {
	in := drawParameters(t)
	in.Phi, in.Psi, in.Lambda, in.Series = 0.02, 0.05, 0.02, []float64{0, 1, 0.5}
	r := in.risk()
	r.Teacher = theory.Teacher{Coefficients: []float64{0, in.Linear, math.Sqrt(in.Rest / 2)}}
	r.Terms, r.Eta = 2, math.Inf(1)
	return in.solved(r)
}

// solved has the errors of a regression before its terms and after them.
func (in instance) solved(r theory.Risk) instance {
	in.after = teachers.Solved(r)
	r.Terms = 0
	in.start = teachers.Solved(r)
	return in
}

func drawParameters(t *props.T) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.02, 50), Psi: gen.LogUniform(t.T, "ψ", 0.02, 50),
		Lambda: gen.LogUniform(t.T, "λ", 1e-2, 100), Eta: gen.LogUniform(t.T, "η", 1e-2, 100),
		Series: []float64{0, gen.LogUniform(t.T, "c₁", 0.1, 5), rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t.T, "c₂"),
			rapid.SampledFrom([]float64{0, 0.1}).Draw(t.T, "c₃")},
		Linear: gen.LogUniform(t.T, "c⋆₁", 0.1, 10), Rest: gen.LogUniform(t.T, "τ²", 0.05, 20),
	}
	in.Mean = rapid.SampledFrom([]float64{0, 0, 0.5, 0.9}).Draw(t.T, "E y/τ") * math.Sqrt(in.Rest)
	return in
}

func (in instance) risk() theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: []float64{in.Mean, in.Linear}, Noise: in.Rest - in.Mean*in.Mean}, Terms: 1,
		Eta: in.Eta, Width: 1}
}

func judge(r *props.Record, in instance, claim chain) {
	r.RegimeOf(in.Phi > in.Psi, in.Mean != 0)
	square := in.Linear * in.Linear
	after := in.after.Test
	lowest, linear := claim.lowest(in), claim.linear(in)
	slack := func(x float64) float64 { return 512 * r.Unit() * (x + square + in.Rest) }
	r.AtMost(below, after, claim.untrained(in), slack(in.start.Test))
	r.AtLeast(above, after, lowest, slack(in.start.Test))
	r.AtLeast(floor, lowest, in.Rest, slack(lowest))
	r.AtLeast(best, after, linear, slack(after))
}
