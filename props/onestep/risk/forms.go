package risk

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for closed forms. Each speaks of the objective and of the test error.
const (
	first     = "gain of the first term"
	second    = "gain of the second term"
	intercept = "gain of the second term with an intercept"
	gradual   = "gain of the first term at a finite step"
	alike     = "a nonlinear part is noise to random features and the first term"
	slope     = "training error by the slope of the objective in λ"
	further   = "no error grows with a further term"
)

// instance is a regression; its activation is a Hermite series.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series, Teacher       []float64
	Noise                 float64
	Regime                string
}

func draws(t *props.T, _ string) instance {
	signed := func(label string) float64 {
		return rapid.SampledFrom([]float64{-1, 1}).Draw(t.T, "sign of "+label) * gen.LogUniform(t.T, label, 0.1, 3)
	}
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.05, 20), Psi: gen.LogUniform(t.T, "ψ", 0.05, 20),
		Lambda: gen.LogUniform(t.T, "λ", 1e-2, 10), Eta: gen.LogUniform(t.T, "η", 0.1, 10),
		Series:  []float64{0, signed("c₁"), signed("c₂"), signed("c₃")},
		Teacher: []float64{0, signed("c⋆₁"), signed("c⋆₂"), signed("c⋆₃")},
		Noise:   gen.LogUniform(t.T, "noise", 1e-2, 3),
		Regime:  rapid.SampledFrom([]string{"E y = 0", "E y ≠ 0", "c⋆₁ = 0", "odd activation"}).Draw(t.T, "regime"),
	}
	switch in.Regime {
	case "E y ≠ 0":
		in.Teacher[0] = signed("c⋆₀")
	case "c⋆₁ = 0":
		in.Teacher[1] = 0
	case "odd activation":
		in.Series[2] = 0
	}
	return in
}

// risk is the regression after so many strong terms.
func (in instance) risk(terms int) theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}, Terms: terms, Eta: math.Inf(1)}
}

// solved are the errors; a failure is a NaN, which no criterion accepts.
func solved(r theory.Risk) theory.Errors {
	e, err := r.Errors()
	if err != nil {
		e.Objective, e.Test, e.Train = math.NaN(), math.NaN(), math.NaN()
	}
	return e
}

// judge compares the solution of the equations of the spikes with closed forms.
func judge(r *props.Record, in instance, claimed string) {
	r.Regime(in.Regime)
	before, one, two := solved(in.risk(0)), solved(in.risk(1)), solved(in.risk(2))
	v, t := before.Resolvent, in.risk(0).Teacher
	weights := [2][2]float64{{in.Lambda * v.Linear, in.Lambda * v.All}, {v.Bias(), v.Noise()}}
	errors := func(e theory.Errors) [2]float64 { return [2]float64{e.Objective, e.Test} }
	c0, c1, c2 := t.Coefficient(0), t.Coefficient(1), t.Coefficient(2)
	b2 := c1*c1 + in.Phi*t.Energy()
	rho2 := c1 * c1 / b2
	for i, w := range weights {
		tolerance := 512 * r.Unit() * w[1] * t.Energy() * (1 + in.condition())
		scale := w[0]*c1*c1 + w[1]*t.Energy()
		linear, square := w[0]*c1*c1*rho2, w[1]*math.Pow(c0+2*c2*rho2, 2)/3
		centred := w[1] * 2 * c2 * c2 * rho2 * rho2
		switch claimed {
		case "noise":
			linear = w[1] * c1 * c1 * rho2
		case "centred squares":
			square = centred
		case "ρ²":
			square = w[1] * math.Pow(c0+2*c2*math.Sqrt(rho2), 2) / 3
		case "4/3":
			centred *= 2. / 3
		}
		if in.Series[2] == 0 {
			square, centred = 0, 0
		}
		r.WithinScale(first, errors(before)[i]-errors(one)[i], linear, scale, tolerance)
		r.WithinScale(second, errors(one)[i]-errors(two)[i], square, scale, tolerance)
		free := in.risk(1)
		free.Intercept = true
		both := in.risk(2)
		both.Intercept = true
		r.WithinScale(intercept, errors(solved(free))[i]-errors(solved(both))[i], centred, scale, tolerance)
	}
	in.judgeGradual(r, before, claimed)
	in.judgeAlike(r, claimed)
	in.judgeSlope(r, two, claimed)
	factor := 1.0
	if claimed == "a tenth" {
		factor = 0.9
	}
	three := solved(in.risk(3))
	for _, pair := range [][2]float64{{one.Test, two.Test}, {two.Test, three.Test}, {two.Objective, three.Objective}} {
		r.AtMost(further, pair[1], factor*pair[0], 512*r.Unit()*pair[0]*(1+in.condition()))
	}
}

// condition bounds what the linear equations of three spikes do to a rounding error: columns u and u³, of which the
// squared cosine is 9m₂/(6m₁+9m₂) at most.
func (in instance) condition() float64 {
	v := solved(in.risk(0)).Resolvent
	return (6*v.All + 9*v.Linear) / (6 * v.All) * v.All / v.Linear
}

// judgeGradual holds a finite first term: its gain is λm₂²c⋆₁⁴/(m₂b² + (1+e)/(c₁²η)²).
func (in instance) judgeGradual(r *props.Record, before theory.Errors, claimed string) {
	step := in.risk(1)
	step.Eta, step.Width = in.Eta, 1000
	v, c1 := before.Resolvent, in.Series[1]
	strength, leak, linear := c1*c1*in.Eta, 1+v.Leak, in.Teacher[1]*in.Teacher[1]
	switch claimed {
	case "no e":
		leak = 1
	case "c₁η":
		strength = c1 * in.Eta
	}
	b2 := linear + in.Phi*step.Teacher.Energy()
	want := in.Lambda * v.Linear * v.Linear * linear * linear / (v.Linear*b2 + leak/(strength*strength))
	scale := in.Lambda * v.All * step.Teacher.Energy()
	r.WithinScale(gradual, before.Objective-solved(step).Objective, want, scale, 512*r.Unit()*scale*(1+in.condition()))
}

// judgeAlike replaces what the teacher has beyond its linear part by noise.
func (in instance) judgeAlike(r *props.Record, claimed string) {
	for _, terms := range []int{0, 1} {
		real, noise := in.risk(terms), in.risk(terms)
		noise.Teacher.Coefficients = []float64{0, in.Teacher[1]}
		if claimed == "linear" {
			noise.Teacher.Coefficients = []float64{0, math.Sqrt(in.Teacher[1]*in.Teacher[1] + 2*in.Teacher[2]*in.Teacher[2])}
		}
		noise.Teacher.Noise += real.Teacher.Energy() - noise.Teacher.Energy()
		want := solved(noise).Test
		r.Within(alike, solved(real).Test, want, 512*r.Unit()*want*(1+in.condition()))
	}
}

// judgeSlope takes the training error from the objective by the envelope theorem, objective − λ·d objective/dλ, with a
// difference of fourth order: for functions of log λ that are analytic and of the size of the objective itself, its
// error is h⁴/30 of that, times their fifth derivative, below 100 here, and roundings over h.
func (in instance) judgeSlope(r *props.Record, at theory.Errors, claimed string) {
	const h = 1e-3
	value := func(k float64) float64 {
		risk := in.risk(2)
		risk.Lambda *= math.Exp(k * h)
		return solved(risk).Objective
	}
	slope := (8*(value(1)-value(-1)) - (value(2) - value(-2))) / (12 * h)
	train := at.Train
	if claimed == "once" {
		train /= in.Lambda * at.Resolvent.All
	}
	tolerance := at.Objective * (math.Pow(h, 4)*100/30 + 512*r.Unit()*(1+in.condition())/h)
	r.WithinScale("training error by the slope of the objective in λ", at.Objective-slope, train, train, tolerance)
}
