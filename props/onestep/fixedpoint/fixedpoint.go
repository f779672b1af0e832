// Package fixedpoint pairs the claim onestep/fixedpoint with the source's own equations, solved in 200 bits.
package fixedpoint

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/fixedpoint.
var Claim = props.Spec{
	Statement: &theory.FixedPoint,
	Checks: []props.Check{
		props.Instances[instance]{
			Name:       "traces",
			Cases:      props.Scale{Quick: 150, Standard: 1000, Deep: 30000},
			Regimes:    regimes,
			Draw:       drawSolved,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Control{
				{Name: "ψ/φ for φ/ψ before the second equation", Done: "typo", Criterion: "m₂ of the source"},
				{Name: "an activation with a mean, whose energy counts as " +
					"noise", Assumption: "centred",
					Criterion: "m₁ of the source", Claimed: "mean"},
				{Name: "energy of the linear part counted twice", Criterion: "m₁ of the source", Claimed: "E σ²"},
				{Name: "φ and ψ exchanged", Criterion: "m₁ of the source", Claimed: "exchanged"},
				{Name: "N for n in the trace", Criterion: "m₁ of the source", Claimed: "of neurons"},
				{Name: "B and 1+V exchanged", Criterion: "m₂′ of the source", Claimed: "B is V"},
				{Name: "derivative of m₁ with e held fixed", Criterion: "m₁′ of the source", Claimed: "e fixed"},
			},
		},
		props.Instances[instance]{
			Name:       "signs",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Regimes:    regimes,
			Draw:       draw,
			Judge:      judgeSigns,
			Replicates: 3,
			Controls: []props.Control{
				{Name: "the traces in the opposite order", Criterion: "m₂ ≤ m₁", Claimed: "opposite"},
				{Name: "m₁ ≤ 1/λ by half", Criterion: "λm₁ ≤ 1", Claimed: "half"},
				{Name: "V ≥ 1", Criterion: "1+V ≥ 1", Claimed: "V ≥ 1"},
				{Name: "half of a relative slope", Criterion: "|e′|/(1+e) ≤ e/(1+e)·|m₁′|/m₁", Claimed: "halves"},
				{Name: "half of a relative slope, between traces", Criterion: "|m₂′|/m₂ ≤ |m₁′|/m₁", Claimed: "halves"},
				{Name: "half of a relative slope, below", Criterion: "|e′|/(1+e) ≤ |m₂′|/m₂", Claimed: "halves"},
			},
		},
		props.Instances[instance]{
			Name:       "neurons without number",
			Cases:      props.Scale{Quick: 100, Standard: 500, Deep: 10000},
			Draw:       drawWide,
			Judge:      judgeWide,
			Replicates: 3,
			Controls: []props.Control{
				{Name: "penalty without c²_{>1}", Claimed: "no noise"},
				{Name: "penalty without the factor φ", Claimed: "no φ"},
				{Name: "four neurons to a sample", Done: "few neurons"},
			},
		},
	},
}.Claim()

// regimes are all shapes and both degenerate activations.
var regimes = []string{"N < n", "N = n", "N > n", "linear features", "noise alone"}

// instance are the parameters of one spectrum.
type instance struct {
	Phi, Psi, Linear, Rest, Lambda float64

	Regime string

	source traces // by the source's equations, M₁ and M₂
}

// draw draws parameters; one of four has N = n, a linear activation or one without a linear part.
func draw(t *props.T, _ string) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.02, 50), Psi: gen.LogUniform(t.T, "ψ", 0.02, 50),
		Linear: gen.LogUniform(t.T, "c₁", 0.05, 5), Rest: gen.LogUniform(t.T, "c²_{>1}", 0.01, 20),
		Lambda: gen.LogUniform(t.T, "λ", 1e-3, 100),
	}
	in.Regime = "N < n"
	if in.Phi > in.Psi {
		in.Regime = "N > n"
	}
	switch in.Regime = rapid.SampledFrom([]string{in.Regime, in.Regime, in.Regime, "N = n", "linear " +
		"features", "noise " +
		"alone"}).Draw(t.T, "regime"); in.Regime {
	case "N = n":
		in.Psi = in.Phi
	case "linear features":
		in.Rest = 0
	case "noise alone":
		in.Linear = 0
	}
	return in
}

// drawSolved draws parameters and solves the source's equations, the second of which is void at c₁ = 0.
func drawSolved(t *props.T, done string) instance {
	in := draw(t, "")
	ratio := in.Phi / in.Psi
	factor := ratio
	if done == "typo" {
		factor = 1 / ratio
	}
	if in.Regime == "noise alone" {
		m, d := theory.GaussianRidge(ratio, in.Rest, in.Lambda)
		in.source = traces{All: ratio * m, Linear: ratio * m, DAll: ratio * d, DLinear: ratio * d}
		return in
	}
	in.source = parameters{in.Phi, in.Psi, in.Linear * in.Linear, in.Rest}.solve(in.Lambda, factor)
	return in
}

func (in instance) bulk() theory.Bulk {
	return theory.Bulk{Phi: in.Phi, Psi: in.Psi, Linear: in.Linear, Nonlinear: in.Rest}
}

// claimedBulk is the spectrum as a version of the claim has it.
func (in instance) claimedBulk(claimed string) theory.Bulk {
	b := in.bulk()
	switch claimed {
	case "mean":
		b.Nonlinear += 0.1 * (b.Nonlinear + b.Linear*b.Linear)
	case "E σ²":
		b.Nonlinear += b.Linear * b.Linear
	case "exchanged":
		b.Phi, b.Psi = b.Psi, b.Phi
	}
	return b
}

func judge(r *props.Record, in instance, claimed string) {
	r.Regime(in.Regime)
	ratio := in.Phi / in.Psi
	want := in.source
	b := in.claimedBulk(claimed)
	got, err := b.Resolvent(in.Lambda)
	if err != nil {
		r.Holds("our equations have a positive solution", false)
		return
	}
	if claimed == "of neurons" {
		ratio = 1
	}
	if claimed == "B is V" {
		got.DAll, got.DLinear = got.DLinear, got.DAll
	}
	if claimed == "e fixed" {
		got.DAll = -got.All / in.Lambda
	}
	values, derivatives := b.Rounding(in.Lambda, r.Unit())
	r.Within("m₁ of the source", want.All, ratio*got.All, values*ratio*got.All)
	r.Within("m₂ of the source", want.Linear, ratio*got.Linear, values*ratio*got.Linear)
	slope := math.Abs(got.DAll) / got.All // the larger one of the two relative slopes
	r.Within("m₁′ of the source", want.DAll, ratio*got.DAll, derivatives*ratio*got.All*slope)
	r.Within("m₂′ of the source", want.DLinear, ratio*got.DLinear, derivatives*ratio*got.Linear*slope)
}

// judgeSigns holds the inequalities.
func judgeSigns(r *props.Record, in instance, claimed string) {
	r.Regime(in.Regime)
	got, err := in.bulk().Resolvent(in.Lambda)
	if err != nil {
		r.Holds("our equations have a positive solution", false)
		return
	}
	_, slack := in.bulk().Rounding(in.Lambda, r.Unit())
	excess, share, factor := 1.0, 1.0, 1.0
	switch claimed {
	case "V ≥ 1":
		excess = 2
	case "half":
		share = 0.5
	case "halves":
		factor = 0.5
	}
	order := got.Linear / got.All
	if claimed == "opposite" {
		order = 1 / order
	}
	all, linear, leak := -got.DAll/got.All, -got.DLinear/got.Linear, -got.DLeak/(1+got.Leak)
	r.AtMost("m₂ ≤ m₁", order, 1, slack)
	r.AtMost("λm₁ ≤ 1", in.Lambda*got.All, share, slack)
	r.AtLeast("1+V ≥ 1", got.Noise(), excess, slack*got.Noise())
	r.AtMost("|e′|/(1+e) ≤ e/(1+e)·|m₁′|/m₁", leak, factor*got.Leak/(1+got.Leak)*all, slack*all)
	r.AtMost("|e′|/(1+e) ≤ |m₂′|/m₂", leak, factor*linear, slack*linear)
	r.AtMost("|m₂′|/m₂ ≤ |m₁′|/m₁", linear, factor*all, slack*all)
}
