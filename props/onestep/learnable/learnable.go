// Package learnable pairs the claim onestep/learnable with closed forms and with networks after one large step.
package learnable

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/teachers"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/learnable.
var Claim = props.Spec{
	Statement: &theory.Learnable,
	Checks: []props.Check{
		props.Instances[instance]{
			Name:       "chain",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Regimes:    []string{"N ≤ n", "N > n", "E y ≠ 0"},
			Draw:       draw,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Control{
				{Name: "a step that doubles the gain", Criterion: below, Claimed: "doubled"},
				{Name: "a floor without what β misses", Criterion: above, Claimed: "no floor"},
				{Name: "random features that gain a tenth of τ²", Criterion: floor, Claimed: "tenth"},
				{Reading: "linear-regression", Criterion: best, Done: "worked case", Claimed: "tuned ridge"},
				{Name: "Gaussian rows of W₀ and a mean", Assumption: "no-constant", Criterion: best, Done: "Gaussian rows"},
				{Name: "a step that outgrows the rest", Assumption: "constant-step", Criterion: best,
					Done: "large step"},
			},
		},
		props.Sweep[cell, float64]{
			Name:       "a large step",
			Cells:      cells,
			Regimes:    regimes,
			Measure:    measure,
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.Control{
				{Name: "ReLU and tanh exchanged", Assumption: "matching", Done: "exchanged"},
				{Name: "an error half as large", Criterion: beaten, Claimed: "half"},
				{Name: "an error twice as large", Criterion: kept, Claimed: "twice"},
			},
			Coarse: map[string]string{beaten: "an inequality that is far from equality",
				kept: "an inequality that is far from equality"},
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

func draw(t *props.T, done string) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.02, 50), Psi: gen.LogUniform(t.T, "ψ", 0.02, 50),
		Lambda: gen.LogUniform(t.T, "λ", 1e-2, 100), Eta: gen.LogUniform(t.T, "η", 1e-2, 100),
		Series: []float64{0, gen.LogUniform(t.T, "c₁", 0.1, 5), rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t.T, "c₂"),
			rapid.SampledFrom([]float64{0, 0.1}).Draw(t.T, "c₃")},
		Linear: gen.LogUniform(t.T, "c⋆₁", 0.1, 10), Rest: gen.LogUniform(t.T, "τ²", 0.05, 20),
	}
	in.Mean = rapid.SampledFrom([]float64{0, 0, 0.5, 0.9}).Draw(t.T, "E y/τ") * math.Sqrt(in.Rest)
	r := in.risk()
	switch done {
	case "worked case":
		in.Phi, in.Psi, in.Lambda, in.Eta, in.Linear, in.Rest, in.Mean = 0.5, 0.2, 1.5, 8, 1, 1, 0
		r = in.risk()
		r.Activation = theory.Activation("tanh")
	case "Gaussian rows":
		in.Phi, in.Psi, in.Lambda, in.Eta, in.Linear, in.Rest, in.Mean = 0.5, 0.2, 0.1, 1, 1, 4.1, 2
		r = in.risk()
		r.Activation, r.GaussianRows = theory.Activation("relu"), true
	case "large step": // the second term learns half of what is no noise
		in.Phi, in.Psi = 0.02, 0.05
		in.Lambda, in.Series = 0.02, []float64{0, 1, 0.5}
		r = in.risk()
		r.Teacher = theory.Teacher{Coefficients: []float64{0, in.Linear, math.Sqrt(in.Rest / 2)}}
		r.Terms, r.Eta = 2, math.Inf(1)
	}
	in.after = teachers.Solved(r)
	r.Terms = 0
	in.start = teachers.Solved(r)
	return in
}

func (in instance) risk() theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: []float64{in.Mean, in.Linear}, Noise: in.Rest - in.Mean*in.Mean}, Terms: 1,
		Eta: in.Eta, Width: 1}
}

func (in instance) regime() string {
	switch {
	case in.Mean != 0:
		return "E y ≠ 0"
	case in.Phi <= in.Psi:
		return "N ≤ n"
	}
	return "N > n"
}

func judge(r *props.Record, in instance, claimed string) {
	r.Regime(in.regime())
	v, square := in.start.Resolvent, in.Linear*in.Linear
	after, start := in.after.Test, in.start.Test
	rho2 := square / (square + in.Phi*(square+in.Rest))
	lowest, linear := square*(1-rho2)*v.Bias()+in.Rest*v.Noise(), in.Rest
	switch claimed {
	case "doubled":
		start -= 2 * (start - after)
	case "no floor":
		lowest += square * rho2 * v.Bias()
	case "tenth":
		lowest = 0.9 * in.Rest
	case "tuned ridge":
		linear = theory.TunedRidge(in.Phi, square, in.Rest)
	}
	slack := func(x float64) float64 { return 512 * r.Unit() * (x + square + in.Rest) }
	r.AtMost(below, after, start, slack(in.start.Test))
	r.AtLeast(above, after, lowest, slack(in.start.Test))
	r.AtLeast(floor, lowest, in.Rest, slack(lowest))
	r.AtLeast(best, after, linear, slack(after))
}
