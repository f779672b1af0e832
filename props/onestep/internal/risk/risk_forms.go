package risk

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
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
	moments   = "errors as a minimum over moments by quadrature"
)

// instance is a regression; its activation is a Hermite series.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series, Teacher       []float64
	Noise                 float64
	Regime                string
	GaussianRows          bool
	Kind                  int // of a regression with several terms

	strong  [4]theory.Errors // after 0, 1, 2, 3 strong terms
	free    [3]theory.Errors // with an intercept
	finite  theory.Errors    // after a finite first term
	alike   [2]theory.Errors // with the nonlinear part as noise
	near    [5]theory.Errors // at λe^(kh), k = −2 … 2
	several theory.Errors    // with several terms
	moments theory.Errors    // the same by quadrature
}

// h is the step of the difference in log λ.
const h = 1e-3

// solve fills in all errors.
func (in *instance) solve() {
	for terms := range in.strong {
		in.strong[terms] = teachers.Solved(in.risk(terms))
	}
	for terms := range in.free {
		r := in.risk(terms)
		r.Intercept = true
		in.free[terms] = teachers.Solved(r)
	}
	step := in.risk(1)
	step.Eta, step.Width = in.Eta, 1000
	in.finite = teachers.Solved(step)
	for terms := range in.alike {
		in.alike[terms] = teachers.Solved(in.linearTeacher(terms, in.Teacher[1]))
	}
	in.solveMoments()
	for k := range in.near {
		r := in.risk(2)
		r.Lambda *= math.Exp(float64(k-2) * h)
		in.near[k] = teachers.Solved(r)
	}
}

// gaussianRows is the worked case of the reading.
func gaussianRows() instance {
	in := instance{Phi: 0.02, Psi: 0.01, Lambda: 10, Eta: 1, GaussianRows: true,
		Series: []float64{0, 0.3, 0.5, 0.1}, Teacher: []float64{1, 0.05, 0, 0}, Regime: "E y ≠ 0"}
	in.solve()
	return in
}

func draw(t *props.T) instance {
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
		Kind:    rapid.IntRange(0, 3).Draw(t.T, "kind"),
	}
	switch in.Regime {
	case "E y ≠ 0":
		in.Teacher[0] = signed("c⋆₀")
	case "c⋆₁ = 0":
		in.Teacher[1] = 0
	case "odd activation":
		in.Series[2] = 0
	}
	in.solve()
	return in
}

// risk is the regression after so many strong terms.
func (in instance) risk(terms int) theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}, Terms: terms, Eta: math.Inf(1),
		GaussianRows: in.GaussianRows}
}

// linearTeacher is the regression with noise for all that labels have beyond a linear part with that coefficient.
func (in instance) linearTeacher(terms int, linear float64) theory.Risk {
	r := in.risk(terms)
	energy := r.Teacher.Energy()
	r.Teacher.Coefficients = []float64{0, linear}
	r.Teacher.Noise += energy - r.Teacher.Energy()
	return r
}

// formsClaim are the closed forms: gains of the first term as a weight of c⋆₁²ρ², of the second one without and with an
// intercept, what a finite step has for 1+e and c₁²η, and errors that are equal to others or bound them.
type formsClaim struct {
	first    func(weights [2]float64) float64
	second   func(weight, c0, c2, rho2 float64) float64
	centred  func(weight, c2, rho2 float64) float64
	leak     func(theory.Resolvent) float64
	strength func(c1, eta float64) float64
	alike    func(in instance, terms int) float64
	train    func(e theory.Errors, lambda float64) float64
	several  func(in instance) theory.Errors
	further  func(before float64) float64
}

var forms = formsClaim{
	first: func(weights [2]float64) float64 { return weights[0] }, second: secondGain, centred: centredGain,
	leak:     func(v theory.Resolvent) float64 { return 1 + v.Leak },
	strength: func(c1, eta float64) float64 { return c1 * c1 * eta },
	alike:    func(in instance, terms int) float64 { return in.alike[terms].Test },
	train:    func(e theory.Errors, _ float64) float64 { return e.Train },
	several:  func(in instance) theory.Errors { return in.several },
	further:  func(before float64) float64 { return before },
}

func secondGain(weight, c0, c2, rho2 float64) float64 { return weight * math.Pow(c0+2*c2*rho2, 2) / 3 }

func centredGain(weight, c2, rho2 float64) float64 { return weight * 2 * c2 * c2 * rho2 * rho2 }

// judge compares the solution of the equations of the spikes with closed forms.
func judge(r *props.Record, in instance, c formsClaim) {
	r.Regime(in.Regime)
	before, one, two, three := in.strong[0], in.strong[1], in.strong[2], in.strong[3]
	v, t := before.Resolvent, in.risk(0).Teacher
	weights := [2][2]float64{{in.Lambda * v.Linear, in.Lambda * v.All}, {v.Bias(), v.Noise()}}
	errors := func(e theory.Errors) [2]float64 { return [2]float64{e.Objective, e.Test} }
	c0, c1, c2 := t.Coefficient(0), t.Coefficient(1), t.Coefficient(2)
	b2 := c1*c1 + in.Phi*t.Energy()
	rho2 := c1 * c1 / b2
	for i, w := range weights {
		tolerance := 512 * r.Unit() * w[1] * t.Energy() * (1 + in.condition())
		scale := w[0]*c1*c1 + w[1]*t.Energy()
		linear, square, centred := c.first(w)*c1*c1*rho2, c.second(w[1], c0, c2, rho2), c.centred(w[1], c2, rho2)
		if in.Series[2] == 0 {
			square, centred = 0, 0
		}
		r.WithinScale(first, errors(before)[i]-errors(one)[i], linear, scale, tolerance)
		r.WithinScale(second, errors(one)[i]-errors(two)[i], square, scale, tolerance)
		r.WithinScale(intercept, errors(in.free[1])[i]-errors(in.free[2])[i], centred, scale, tolerance)
	}
	in.judgeGradual(r, c)
	in.judgeAlike(r, c)
	in.judgeSlope(r, c)
	in.judgeMoments(r, c)
	for _, pair := range [][2]float64{{before.Test, one.Test}, {one.Test, two.Test}, {two.Test, three.Test},
		{two.Objective, three.Objective}, {in.free[0].Test, in.free[1].Test}, {in.free[1].Test, in.free[2].Test}} {
		r.AtMost(further, pair[1], c.further(pair[0]), 512*r.Unit()*pair[0]*(1+in.condition()))
	}
}

// condition bounds what the linear equations of three spikes do to a rounding error: columns u and u³, of which the
// squared cosine is 9m₂/(6m₁+9m₂) at most.
func (in instance) condition() float64 {
	v := in.strong[0].Resolvent
	return (6*v.All + 9*v.Linear) / (6 * v.All) * v.All / v.Linear
}

// judgeGradual holds a finite first term: its gain is λm₂²c⋆₁⁴/(m₂b² + (1+e)/(c₁²η)²).
func (in instance) judgeGradual(r *props.Record, c formsClaim) {
	before, c1, energy := in.strong[0], in.Series[1], in.risk(0).Teacher.Energy()
	v := before.Resolvent
	strength, linear := c.strength(c1, in.Eta), in.Teacher[1]*in.Teacher[1]
	b2 := linear + in.Phi*energy
	want := in.Lambda * v.Linear * v.Linear * linear * linear / (v.Linear*b2 + c.leak(v)/(strength*strength))
	scale := in.Lambda * v.All * energy
	r.WithinScale(gradual, before.Objective-in.finite.Objective, want, scale, 512*r.Unit()*scale*(1+in.condition()))
}

// judgeAlike replaces what the teacher has beyond its linear part by noise.
func (in instance) judgeAlike(r *props.Record, c formsClaim) {
	for terms := range in.alike {
		want := c.alike(in, terms)
		r.Within(alike, in.strong[terms].Test, want, 512*r.Unit()*want*(1+in.condition()))
	}
}

// judgeSlope takes the training error from the objective by the envelope theorem, objective − λ·d objective/dλ, with a
// difference of fourth order: for functions of log λ that are analytic and of the size of the objective itself, its
// error is h⁴/30 of that, times their fifth derivative, below 100 here, and roundings over h.
func (in instance) judgeSlope(r *props.Record, c formsClaim) {
	at, value := in.strong[2], func(k int) float64 { return in.near[k+2].Objective }
	difference := (8*(value(1)-value(-1)) - (value(2) - value(-2))) / (12 * h)
	train := c.train(at, in.Lambda)
	tolerance := at.Objective * (math.Pow(h, 4)*100/30 + 512*r.Unit()*(1+in.condition())/h)
	r.WithinScale(slope, at.Objective-difference, train, train, tolerance)
}
