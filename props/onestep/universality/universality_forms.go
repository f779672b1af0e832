package universality

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for closed forms.
const (
	larger = "objective with F₀ over that with the Gaussian matrix, two terms at a finite step"
	same   = "the same for one term, c₂ = 0, or a strong step"
)

// The kinds of regressions.
var regressions = []string{"two terms", "one term", "c₂ = 0", "strong step"}

// instance is a regression; its activation is a Hermite series.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series, Teacher       []float64
	Noise                 float64
	Terms                 int
	Regime                string

	whole, equivalent theory.Errors
}

func draw(t *props.T, done string) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.05, 20), Psi: gen.LogUniform(t.T, "ψ", 0.05, 20),
		Lambda: gen.LogUniform(t.T, "λ", 1e-2, 10), Eta: gen.LogUniform(t.T, "η", 1, 30),
		Series: []float64{0, gen.LogUniform(t.T, "c₁", 0.1, 3), gen.LogUniform(t.T, "c₂", 0.1, 3)},
		Teacher: []float64{gen.LogUniform(t.T, "c⋆₀", 0.1, 3), gen.LogUniform(t.T, "c⋆₁", 0.1, 3),
			gen.LogUniform(t.T, "c⋆₂", 0.1, 3)},
		Noise: gen.LogUniform(t.T, "noise", 1e-2, 3), Terms: 2,
		Regime: rapid.SampledFrom(regressions).Draw(t.T, "regime"),
	}
	switch in.Regime {
	case "one term":
		in.Terms = 1
	case "c₂ = 0":
		in.Series[2] = 0
	case "strong step":
		in.Eta = math.Inf(1)
	}
	if done == "two terms" && in.Regime == "one term" {
		in.Terms = 2
	}
	r := theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}, Terms: in.Terms, Eta: in.Eta, Width: 500}
	in.whole = solved(r)
	r.Equivalent = true
	in.equivalent = solved(r)
	return in
}

// judge compares objectives: a few hundred roundings of sums of terms below λm₁E y², which may exceed their sum.
func judge(r *props.Record, in instance, claimed string) {
	r.Regime(in.Regime)
	energy := theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}.Energy()
	slack := 512 * r.Unit() * (in.whole.Objective + in.Lambda*in.whole.Resolvent.All*energy)
	if in.Regime != "two terms" || claimed == "equal" {
		name := same
		if claimed == "equal" {
			name = larger
		}
		r.Within(name, in.whole.Objective, in.equivalent.Objective, slack)
		return
	}
	r.AtLeast(larger, in.whole.Objective, in.equivalent.Objective, slack)
}
