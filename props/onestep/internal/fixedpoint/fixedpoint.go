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
		props.Drawn[instance, tracesClaim]{
			Name:       "traces",
			Cases:      props.Scale{Quick: 150, Standard: 1000, Deep: 30000},
			Regimes:    regimes,
			Draw:       func(t *props.T) instance { return drawSolved(t, instance.aspect) },
			Claim:      tracesClaim{bulk: instance.bulk, traces: perSample},
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Wrong[instance, tracesClaim]{
				{Name: "ψ/φ for φ/ψ before the second equation", Criterion: "m₂ of the source",
					Draw: func(t *props.T) instance {
						return drawSolved(t, func(in instance) float64 { return 1 / in.aspect() })
					}},
				{Name: "an activation with a mean, whose energy counts as noise", Assumption: "centred",
					Criterion: "m₁ of the source",
					Instead:   changed(func(b *theory.Bulk) { b.Nonlinear += 0.1 * (b.Nonlinear + b.Linear*b.Linear) })},
				{Name: "energy of the linear part counted twice", Criterion: "m₁ of the source",
					Instead: changed(func(b *theory.Bulk) { b.Nonlinear += b.Linear * b.Linear })},
				{Name: "φ and ψ exchanged", Criterion: "m₁ of the source",
					Instead: changed(func(b *theory.Bulk) { b.Phi, b.Psi = b.Psi, b.Phi })},
				{Name: "N for n in the trace", Criterion: "m₁ of the source", Instead: tracesClaim{
					traces: func(_ instance, v theory.Resolvent) traces { return tracesOf(v, 1) }}},
				{Name: "B and 1+V exchanged", Criterion: "m₂′ of the source", Instead: tracesClaim{
					traces: func(in instance, v theory.Resolvent) traces {
						v.DAll, v.DLinear = v.DLinear, v.DAll
						return perSample(in, v)
					}}},
				{Name: "derivative of m₁ with e held fixed", Criterion: "m₁′ of the source", Instead: tracesClaim{
					traces: func(in instance, v theory.Resolvent) traces {
						v.DAll = -v.All / in.Lambda
						return perSample(in, v)
					}}},
			},
		},
		props.Drawn[instance, signsClaim]{
			Name:       "signs",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Regimes:    regimes,
			Draw:       draw,
			Claim:      signsClaim{order: order, mean: 1, noise: 1, slope: 1},
			Judge:      judgeSigns,
			Replicates: 3,
			Controls: []props.Wrong[instance, signsClaim]{
				{Name: "the traces in the opposite order", Criterion: "m₂ ≤ m₁",
					Instead: signsClaim{order: func(v theory.Resolvent) float64 { return 1 / order(v) }}},
				{Name: "m₁ ≤ 1/λ by half", Criterion: "λm₁ ≤ 1", Instead: signsClaim{mean: 0.5}},
				{Name: "V ≥ 1", Criterion: "1+V ≥ 1", Instead: signsClaim{noise: 2}},
				{Name: halves, Criterion: "|e′|/(1+e) ≤ e/(1+e)·|m₁′|/m₁", Instead: signsClaim{slope: 0.5}},
				{Name: "half of a relative slope, between traces", Criterion: "|m₂′|/m₂ ≤ |m₁′|/m₁", As: halves},
				{Name: "half of a relative slope, below", Criterion: "|e′|/(1+e) ≤ |m₂′|/m₂", As: halves},
			},
		},
		props.Drawn[instance, ridgeClaim]{
			Name:       "neurons without number",
			Cases:      props.Scale{Quick: 100, Standard: 500, Deep: 10000},
			Regimes:    narrows,
			Draw:       func(t *props.T) instance { return drawWide(t, 1) },
			Claim:      ridgePenalty,
			Judge:      judgeWide,
			Replicates: 3,
			Controls: []props.Wrong[instance, ridgeClaim]{
				{Name: "penalty without c²_{>1}",
					Instead: func(in instance) float64 { in.Rest = 0; return ridgePenalty(in) }},
				{Name: "penalty without the factor φ", Instead: func(in instance) float64 { return ridgePenalty(in) / in.Phi }},
				{Name: "a remainder of 10⁻⁵ that stays",
					Instead: func(in instance) float64 { return ridgePenalty(in) * (1 + 1e-5) }},
				{Name: "a million times as many samples to a neuron",
					Draw: func(t *props.T) instance { return drawWide(t, 1e6) }},
			},
		},
	},
}.Claim()

const halves = "half of a relative slope"

// tracesClaim holds the claims about the traces: the spectrum that they belong to, and their values in it.
type tracesClaim struct {
	bulk   func(instance) theory.Bulk
	traces func(instance, theory.Resolvent) traces
}

// changed claims the traces of another spectrum.
func changed(change func(*theory.Bulk)) tracesClaim {
	return tracesClaim{bulk: func(in instance) theory.Bulk {
		b := in.bulk()
		change(&b)
		return b
	}}
}

// perSample are the traces over n of a resolvent whose own are over N.
func perSample(in instance, v theory.Resolvent) traces { return tracesOf(v, in.aspect()) }

func tracesOf(v theory.Resolvent, ratio float64) traces {
	return traces{All: ratio * v.All, Linear: ratio * v.Linear, DAll: ratio * v.DAll, DLinear: ratio * v.DLinear}
}

// signsClaim are the bounds on m₂/m₁, λm₁, 1+V, and of one relative slope over another.
type signsClaim struct {
	order              func(theory.Resolvent) float64
	mean, noise, slope float64
}

// order is m₂/m₁.
func order(v theory.Resolvent) float64 { return v.Linear / v.All }

// regimes are all shapes and both degenerate activations.
var regimes = []string{"N < n", "N = n", "N > n", "linear features", "noise alone"}

// instance are the parameters of one spectrum.
type instance struct {
	Phi, Psi, Linear, Rest, Lambda float64

	Regime string

	source traces // by the source's equations, M₁ and M₂
}

// draw draws parameters; one of four has N = n, a linear activation or one without a linear part.
func draw(t *props.T) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.02, 50), Psi: gen.LogUniform(t.T, "ψ", 0.02, 50),
		Linear: gen.LogUniform(t.T, "c₁", 0.05, 5), Rest: gen.LogUniform(t.T, "c²_{>1}", 0.01, 20),
		Lambda: gen.LogUniform(t.T, "λ", 1e-3, 100),
	}
	in.Regime = "N < n"
	if in.Phi > in.Psi {
		in.Regime = "N > n"
	}
	switch in.Regime = rapid.SampledFrom([]string{in.Regime, in.Regime, in.Regime, "N = n", "linear features",
		"noise alone"}).Draw(t.T, "regime"); in.Regime {
	case "N = n":
		in.Psi = in.Phi
	case "linear features":
		in.Rest = 0
	case "noise alone":
		in.Linear = 0
	}
	return in
}

// drawSolved draws parameters and solves the source's equations, with a factor before the second, which is void at
// c₁ = 0.
func drawSolved(t *props.T, factor func(in instance) float64) instance {
	in := draw(t)
	if in.Regime == "noise alone" {
		ratio := in.aspect()
		m, d := theory.GaussianRidge(ratio, in.Rest, in.Lambda)
		in.source = traces{All: ratio * m, Linear: ratio * m, DAll: ratio * d, DLinear: ratio * d}
		return in
	}
	in.source = parameters{in.Phi, in.Psi, in.Linear * in.Linear, in.Rest}.solve(in.Lambda, factor(in))
	return in
}

func (in instance) bulk() theory.Bulk {
	return theory.Bulk{Phi: in.Phi, Psi: in.Psi, Linear: in.Linear, Nonlinear: in.Rest}
}

// aspect is φ/ψ.
func (in instance) aspect() float64 { return in.Phi / in.Psi }

func judge(r *props.Record, in instance, c tracesClaim) {
	r.Regime(in.Regime)
	b, want := c.bulk(in), in.source
	v, err := b.Resolvent(in.Lambda)
	if err != nil {
		r.Holds("our equations have a positive solution", false)
		return
	}
	got := c.traces(in, v)
	values, derivatives := b.Rounding(in.Lambda, r.Unit())
	r.Within("m₁ of the source", want.All, got.All, values*got.All)
	r.Within("m₂ of the source", want.Linear, got.Linear, values*got.Linear)
	slope := math.Abs(got.DAll) / got.All // the larger one of the two relative slopes
	r.Within("m₁′ of the source", want.DAll, got.DAll, derivatives*got.All*slope)
	r.Within("m₂′ of the source", want.DLinear, got.DLinear, derivatives*got.Linear*slope)
}

// judgeSigns holds the inequalities.
func judgeSigns(r *props.Record, in instance, c signsClaim) {
	r.Regime(in.Regime)
	got, err := in.bulk().Resolvent(in.Lambda)
	if err != nil {
		r.Holds("our equations have a positive solution", false)
		return
	}
	_, slack := in.bulk().Rounding(in.Lambda, r.Unit())
	all, linear, leak := -got.DAll/got.All, -got.DLinear/got.Linear, -got.DLeak/(1+got.Leak)
	r.AtMost("m₂ ≤ m₁", c.order(got), 1, slack)
	r.AtMost("λm₁ ≤ 1", in.Lambda*got.All, c.mean, slack)
	r.AtLeast("1+V ≥ 1", got.Noise(), c.noise, slack*got.Noise())
	r.AtMost("|e′|/(1+e) ≤ e/(1+e)·|m₁′|/m₁", leak, c.slope*got.Leak/(1+got.Leak)*all, slack*all)
	r.AtMost("|e′|/(1+e) ≤ |m₂′|/m₂", leak, c.slope*linear, slack*linear)
	r.AtMost("|m₂′|/m₂ ≤ |m₁′|/m₁", linear, c.slope*all, slack*all)
}
