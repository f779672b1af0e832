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

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

var paper = theory.Source{
	Paper: "B. Moniri, D. Lee, H. Hassani, E. Dobriban: A Theory of Non-Linear Feature Learning with One Gradient Step " +
		"in Two-Layer Neural Networks (ICML 2024)",
	ArXiv:   "2310.07891",
	Version: "slides of 23 March 2024",
	Year:    2024,
}

// activations are the named activations of a prediction; add here.
var activations = []hermite.Activation{
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
	names := make([]string, len(activations))
	for i, a := range activations {
		names[i] = a.Name
	}
	return names
}

// activation returns the activation of that name. It panics when there is none.
func activation(name string) hermite.Activation {
	for _, a := range activations {
		if a.Name == name {
			return a
		}
	}
	panic("onestep: no activation is called " + name)
}
