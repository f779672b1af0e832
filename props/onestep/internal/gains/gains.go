// Package gains pairs the claim onestep/gains with the equations that determine the limits.
package gains

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/gains.
var Claim = props.Spec{
	Statement: &theory.Gains,
	Checks: []props.Check{props.Drawn[instance, gainsClaim]{
		Name:    "gains of the limits",
		Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
		Regimes: regimes,
		Draw:    draw,
		Claim: gainsClaim{
			gain:  func(stated bool) bool { return stated },
			bound: func(energy float64) float64 { return energy },
			trained: func(r theory.Risk) float64 {
				r.Trained, r.GaussianRows = true, false
				return r.SecondGain()
			},
			order: func(less, more float64) (float64, float64) { return less, more },
		},
		Judge:      judge,
		Replicates: 3,
		Controls: []props.Wrong[instance, gainsClaim]{
			{Name: always, Assumption: "linear-part", Criterion: first,
				Instead: gainsClaim{gain: func(bool) bool { return true }}},
			{Name: "a gain of the second term for every activation", Criterion: second, As: always},
			{Name: "the same with an intercept", Criterion: intercept, As: always},
			{Name: "no gain at all", Criterion: none,
				Instead: gainsClaim{gain: func(bool) bool { return false }}},
			{Name: "a tenth of the bound", Criterion: bounded,
				Instead: gainsClaim{bound: func(energy float64) float64 { return 0.1 * energy }}},
			{Name: "4/3 for the true gradient", Criterion: trained, Instead: gainsClaim{trained: func(r theory.Risk) float64 {
				r.Trained, r.GaussianRows = false, false
				return r.SecondGain()
			}}},
			{Name: exchanged, Criterion: less,
				Instead: gainsClaim{order: func(less, more float64) (float64, float64) { return more, less }}},
			{Name: "Gaussian rows of W₀", Assumption: "unit-rows", Criterion: trained,
				Alter: func(in *instance) {
					in.GaussianRows = true
					in.solve()
				}},
			{Name: "a gain that falls with the step", Criterion: grows, As: exchanged},
		},
	}},
}.Claim()

// Controls that others share.
const (
	always    = "a gain without a linear part"
	exchanged = "a true gradient that gains more"
)

// gainsClaim holds the claims about gains: which are positive, their bound, the gain of the second term of the true
// gradient in units of a weight, and which of two is the smaller one.
type gainsClaim struct {
	gain    func(stated bool) bool
	bound   func(energy float64) float64
	trained func(theory.Risk) float64
	order   func(less, more float64) (float64, float64)
}

// The criteria.
const (
	first     = "the first term gains if c⋆₁ ≠ 0"
	second    = "the second gains if c₂ ≠ 0 and c⋆₀ + 2c⋆₂ρ² ≠ 0"
	intercept = "with an intercept if c₂c⋆₁c⋆₂ ≠ 0"
	none      = "gains of terms that gain nothing"
	bounded   = "gains of two terms in the test error, at most Bc⋆₁² and (1+V)(c⋆₀² + 2c⋆₂²)"
	trained   = "gain of the second term of the true gradient"
	less      = "gain of the second term of the true gradient, at most that of the displayed weights"
	grows     = "gain of the first term at a finite step, at most that at twice the step"
)

const (
	generic    = "c⋆₁, c⋆₂, c₂ ≠ 0, E y = 0"
	mean       = "E y ≠ 0"
	cancelling = "c⋆₀ + 2c⋆₂ρ² = 0"
	direction  = "c⋆₁ = 0"
	constant   = "c⋆₁ = 0, E y ≠ 0"
	odd        = "c₂ = 0"
	linear     = "c⋆₂ = 0"
)

var regimes = []string{generic, mean, cancelling, direction, constant, odd, linear}

// instance is a regression, with the errors after 0, 1 and 2 strong terms, with an intercept, with the true gradient
// and at two finite steps.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series, Teacher       []float64
	Noise                 float64
	Regime                string
	GaussianRows          bool

	strong, free, gradient [3]theory.Errors
	finite                 [2]theory.Errors
}

func (in instance) risk(terms int) theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}, Terms: terms, Eta: math.Inf(1),
		GaussianRows: in.GaussianRows, Width: 1000}
}

func draw(t *props.T) instance {
	signed := func(label string) float64 {
		return rapid.SampledFrom([]float64{-1, 1}).Draw(t.T, "sign of "+label) * gen.LogUniform(t.T, label, 0.2, 2)
	}
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.1, 10), Psi: gen.LogUniform(t.T, "ψ", 0.1, 10),
		Lambda: gen.LogUniform(t.T, "λ", 1e-2, 10), Eta: gen.LogUniform(t.T, "η", 0.1, 10),
		Series:  []float64{0, signed("c₁"), signed("c₂")},
		Teacher: []float64{0, signed("c⋆₁"), signed("c⋆₂")},
		Noise:   gen.LogUniform(t.T, "noise", 1e-2, 3),
		Regime:  rapid.SampledFrom(regimes).Draw(t.T, "regime"),
	}
	switch in.Regime {
	case mean:
		in.Teacher[0] = math.Copysign(gen.LogUniform(t.T, "c⋆₀", 0.2, 2), in.Teacher[2]) // nothing cancels
	case cancelling:
		in.cancel()
	case direction:
		in.Teacher[1] = 0
	case constant:
		in.Teacher[0], in.Teacher[1] = signed("c⋆₀"), 0
	case odd:
		in.Series[2] = 0
	case linear:
		in.Teacher[2] = 0
	}
	in.solve()
	return in
}

// cancel sets c⋆₀ to −2c⋆₂ρ², which is a fixed point, as ρ depends on E y²; the noise makes up for it.
func (in *instance) cancel() {
	c1, c2 := in.Teacher[1], in.Teacher[2]
	rest := c1*c1 + 2*c2*c2 + in.Noise + 4*c2*c2 // E y² with room for c⋆₀², which is below 4c⋆₂²
	in.Teacher[0] = -2 * c2 * c1 * c1 / (c1*c1 + in.Phi*rest)
	in.Noise = rest - c1*c1 - 2*c2*c2 - in.Teacher[0]*in.Teacher[0]
}

// solve fills in all errors.
func (in *instance) solve() {
	for terms := range 3 {
		r := in.risk(terms)
		in.strong[terms] = teachers.Solved(r)
		r.Trained = true
		in.gradient[terms] = teachers.Solved(r)
		r.Trained, r.Intercept = false, true
		in.free[terms] = teachers.Solved(r)
	}
	for k := range in.finite {
		r := in.risk(1)
		r.Eta = in.Eta * float64(k+1)
		in.finite[k] = teachers.Solved(r)
	}
}

// kinds are the three errors, and what weighs the squares of labels in them.
func kinds(e theory.Errors, lambda float64) (errors, weights [3]float64) {
	v := e.Resolvent
	test := v.Noise()
	return [3]float64{e.Objective, e.Train, e.Test},
		[3]float64{lambda * v.All, math.Pow(lambda*v.All, 2) * test, test}
}

func judge(r *props.Record, in instance, c gainsClaim) {
	r.Regime(in.Regime)
	t := in.risk(0).Teacher
	v := in.strong[0].Resolvent
	// The condition of the equations, and the condition of the weights m₁ and m₂ relative to each other.
	slack := 512 * r.Unit() * t.Energy() * (1 + v.All/v.Linear)
	gains := func(from, to theory.Errors) (out, allowed [3]float64) {
		a, weights := kinds(from, in.Lambda)
		b, _ := kinds(to, in.Lambda)
		for i := range out {
			out[i], allowed[i] = a[i]-b[i], slack*weights[i]
		}
		return out, allowed
	}
	sign := func(name string, from, to theory.Errors, positive bool) {
		out, allowed := gains(from, to)
		_, weights := kinds(from, in.Lambda)
		for i := range out {
			if c.gain(positive) {
				r.Holds(name, out[i] > allowed[i])
				continue
			}
			r.WithinScale(none, out[i], 0, weights[i]*t.Energy(), allowed[i])
		}
	}
	sign(first, in.strong[0], in.strong[1], t.Coefficient(1) != 0)
	sign(second, in.strong[1], in.strong[2], in.secondGains())
	sign(intercept, in.free[1], in.free[2], in.Series[2] != 0 && t.Coefficient(1) != 0 && t.Coefficient(2) != 0)
	in.judgeSizes(r, gains, c)
}

// secondGains is the condition without an intercept.
func (in instance) secondGains() bool {
	if in.Series[2] == 0 || in.Regime == cancelling {
		return false
	}
	return in.Teacher[0] != 0 || in.Teacher[1] != 0 && in.Teacher[2] != 0
}

// judgeSizes compares the sizes of gains in the objective and in the test error.
func (in instance) judgeSizes(r *props.Record, gains func(from, to theory.Errors) (out, allowed [3]float64),
	c gainsClaim) {
	t, v := in.risk(0).Teacher, in.strong[0].Resolvent
	c0, c1, c2 := t.Coefficient(0), t.Coefficient(1), t.Coefficient(2)
	linear, allowed := gains(in.strong[0], in.strong[1])
	displayed, _ := gains(in.strong[1], in.strong[2])
	r.AtMost(bounded, linear[2], c.bound(v.Bias()*c1*c1), allowed[2])
	r.AtMost(bounded, displayed[2], c.bound(v.Noise()*(c0*c0+2*c2*c2)), allowed[2])
	gradient, _ := gains(in.gradient[1], in.gradient[2])
	once, _ := gains(in.strong[0], in.finite[0])
	twice, _ := gains(in.strong[0], in.finite[1])
	for _, i := range []int{0, 2} {
		if c1 != 0 {
			smaller, larger := c.order(once[i], twice[i])
			r.AtMost(grows, smaller, larger, allowed[i])
		}
		if c0 != 0 {
			continue
		}
		weight := []float64{in.Lambda * v.All, 0, v.Noise()}[i]
		r.WithinScale(trained, gradient[i], weight*c.trained(in.risk(2)), weight*t.Energy(), allowed[i])
		if in.Regime == generic { // elsewhere both gain nothing
			smaller, larger := c.order(gradient[i], displayed[i])
			r.AtMost(less, smaller, larger, allowed[i])
		}
	}
}
