package universality

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for closed forms.
const (
	larger = "objective with F₀ over that with the Gaussian matrix, two terms at a finite step"
	same   = "the same for one term, c₂ = 0, or a strong step"
	alike  = "the same for labels across u^∘2"
)

// The kinds of regressions.
var regressions = []string{"two terms", "one term", "c₂ = 0", "strong step", across}

// across is the regime of labels without a part along u^∘2, c⋆₀ + 2c⋆₂ρ² = 0, but for one whose square is a few
// roundings: the sides would otherwise be the same to the last bit nearly always, and not always.
const across = "labels across u^∘2"

// instance is a regression; its activation is a Hermite series.
type instance struct {
	Phi, Psi, Lambda, Eta float64
	Series, Teacher       []float64
	Noise                 float64
	Terms                 int
	Regime                string

	whole, equivalent theory.Errors
}

// comparison is the criterion that the objective of two terms at a finite step and that of the Gaussian matrix meet.
type comparison func(r *props.Record, name string, whole, equivalent, slack float64)

// twoTerms takes a second term where there should be one.
func twoTerms(in *instance) {
	if in.Regime == "one term" {
		in.Terms = 2
		*in = in.solved()
	}
}

// along turns the mean of labels across u^∘2 round, so that they have a part along it.
func along(in *instance) {
	if in.Regime == across {
		in.Teacher = append([]float64{-in.Teacher[0]}, in.Teacher[1:]...)
		*in = in.solved()
	}
}

func draw(t *props.T) instance {
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
	case across:
		in.Teacher[0] = -2*in.Teacher[2]*in.square() + 3e-8*math.Sqrt(in.energy())
	}
	return in.solved()
}

// solved has the errors with F₀ and with the Gaussian matrix.
func (in instance) solved() instance {
	r := theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Activation: hermite.Series(in.Series...),
		Teacher: theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}, Terms: in.Terms, Eta: in.Eta, Width: 500}
	in.whole = teachers.Solved(r)
	r.Equivalent = true
	in.equivalent = teachers.Solved(r)
	return in
}

// energy is E y².
func (in instance) energy() float64 {
	return theory.Teacher{Coefficients: in.Teacher, Noise: in.Noise}.Energy()
}

// square is ρ² of the teacher that has −2c⋆₂ρ² for c⋆₀: the root of an increasing function, by bisection.
func (in instance) square() float64 {
	one, two := in.Teacher[1]*in.Teacher[1], in.Teacher[2]*in.Teacher[2]
	lo, hi := 0.0, 1.0
	for range 60 {
		mid := (lo + hi) / 2
		if mid*(one+in.Phi*(4*two*mid*mid+one+2*two+in.Noise)) < one {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// judge compares objectives: a few hundred roundings of sums of terms below λm₁E y², which may exceed their sum.
func judge(r *props.Record, in instance, compare comparison) {
	r.Regime(in.Regime)
	whole, equivalent := in.whole.Objective, in.equivalent.Objective
	slack := 512 * r.Unit() * (whole + in.Lambda*in.whole.Resolvent.All*in.energy())
	switch in.Regime {
	case "two terms":
		compare(r, larger, whole, equivalent, slack)
	case across:
		r.Within(alike, whole, equivalent, slack)
	default:
		r.Exactly(same, whole, equivalent)
	}
}
