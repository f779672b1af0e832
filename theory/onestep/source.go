// Package onestep states the claims about one large gradient step on the first layer of a two-layer network, in the
// proportional limit n, d, N → ∞ with d/n → φ and d/N → ψ.
//
// Notation: σ = Σ cₖHₖ with probabilists' Hermite polynomials, cₖ = E σ(Z)Hₖ(Z)/k!, so that E σ² = Σ k! cₖ² (not the
// orthonormal convention). Labels are y = σ⋆(β⋆ᵀx) + noise with ‖β⋆‖ = 1 and σ⋆ = Σ c⋆ₖHₖ. Samples are rows of X (n×d),
// weights are N×d, features F = σ(XWᵀ) are n×N, a is N long with independent N(0, 1/N) entries, and a power ∘k is
// taken entry by entry.
package onestep

import (
	"math"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

var paper = theory.Source{
	Paper: "B. Moniri, D. Lee, H. Hassani, E. Dobriban: A Theory of Non-Linear Feature Learning with One Gradient " +
		"Step in Two-Layer Neural Networks (ICML 2024)",
	ArXiv:   "2310.07891",
	Version: "slides of 23 March 2024",
	Year:    2024,
}

// Activations holds the activations by name; add new ones here and to the implementations for simulations.
var Activations = []hermite.Activation{
	named("sincos", hermite.PhaseSine(math.Sqrt(2*math.E), math.Pi/4)), // √e(sin z + cos z) − 1, c₁ = 1
	named("phase-sine", hermite.PhaseSine(math.Sqrt(math.E), 1)),       // √e(sin(z+1) …), c₁ = cos 1
	named("tanh", hermite.Tanh()),
	named("relu", hermite.CentredReLU()),
	named("quadratic", hermite.Series(0, 0.8, 0.5)), // 0.8 z + 0.5 (z²−1)
}

func named(name string, a hermite.Activation) hermite.Activation {
	a.Name = name
	return a
}

func activationNames() []string {
	return list.Map(Activations, func(a hermite.Activation) string { return a.Name })
}

// Activation returns the activation with the given name. It panics when there is none.
func Activation(name string) hermite.Activation {
	for _, a := range Activations {
		if a.Name == name {
			return a
		}
	}
	panic("onestep: no activation is called " + name)
}

// The parameters that several claims share.
var (
	phi   = theory.Param{Name: "phi", Symbol: "φ", Meaning: "d/n", Domain: theory.Between(0.01, 100), Default: "0.5"}
	psi   = theory.Param{Name: "psi", Symbol: "ψ", Meaning: "d/N", Domain: theory.Between(0.01, 100), Default: "0.5"}
	ridge = theory.Param{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Between(1e-4, 1e4),
		Default: "0.1"}
	activation = theory.Param{Name: "activation", Symbol: "σ", Meaning: "activation",
		Domain: theory.OneOf(activationNames()...), Default: "sincos"}
	teacherLinear = theory.Param{Name: "linear", Symbol: "c⋆₁", Meaning: "linear coefficient of the teacher",
		Domain: theory.Between(0, 100), Default: "1"}
	restEnergy = theory.Param{Name: "rest", Symbol: "τ²", Meaning: "energy of the rest of the labels, noise included",
		Domain: theory.Between(0.01, 1e4), Default: "1"}
)

// stepParams holds the parameters of [Step] that a user sets.
var stepParams = []theory.Param{
	phi,
	{Name: "psi", Symbol: "ψ", Meaning: "d/N", Domain: theory.Between(0.01, 100), Default: "0.6"},
	activation, teacherLinear,
	{Name: "mean", Symbol: "E y", Meaning: "mean of the labels, c⋆₀", Domain: theory.Between(-100, 100), Default: "0"},
	{Name: "nonlinear", Symbol: "Σₖ₌₂ k!c⋆ₖ²", Meaning: "energy of the teacher's nonlinear part",
		Domain: theory.Between(0, 1e4), Default: "0"},
	{Name: "noise", Symbol: "σ_ε²", Meaning: "variance of the label noise",
		Domain: theory.Between(0, 1e4), Default: "0.25"},
}

// StepFrom returns the step at a user's parameters.
func StepFrom(v theory.Values) Step {
	linear, mean := v.Float("linear"), v.Float("mean")
	return Step{Phi: v.Float("phi"), Psi: v.Float("psi"), Activation: Activation(v.Choice("activation")),
		Linear: linear, Mean: mean, Energy: linear*linear + mean*mean + v.Float("nonlinear") + v.Float("noise")}
}

func violated(v theory.Values) error { return StepFrom(v).Valid() }
