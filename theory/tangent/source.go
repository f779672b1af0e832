// Package tangent states the claims about adaptive tangent features: a network linearised at its initial parameters,
// whose features φ(x) = ∇_θ f(x) are moved by a linear map M that is learnt together with the parameters.
//
// Samples are rows: Φ is n×p, one tangent feature vector per row, and the model is x ↦ φ(x)ᵀMθ.
package tangent

import "github.com/thm-suite/thm/theory"

var paper = theory.Source{
	Paper: "D. LeJeune, S. Alemohammad: An Adaptive Tangent Feature Perspective of Neural Networks (CPAL 2024, " +
		"PMLR 234:379–394)",
	ArXiv:   "2308.15478",
	Version: "v3",
	Year:    2024,
}
