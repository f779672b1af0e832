// Package tangent states the claims about adaptive tangent features: a network linearised at its initial parameters,
// with features φ(x) = ∇_θ f(x) that are transformed by a linear map M, which is learnt together with the parameters.
//
// Samples are rows: Φ is n×p, one tangent feature vector per row, and the model is x ↦ φ(x)ᵀMθ.
//
// The abstracts, the captions of Figures 1 to 3, the words of Theorem 1 and the authors' code were read; the displayed
// equations, the bodies of Theorem 2, Propositions 3 and 4 and Lemma 5, and the numbers of equations were not. The
// formulas of the method are therefore identified by their content:
//
//   - f(θ₁) − f(θ₀) = ⟨f̄, θ₁ − θ₀⟩ for features averaged along the segment: tangent/path;
//   - min ‖θ‖² + Ω(M) with φ(xᵢ)ᵀMθ = yᵢ, its solution and kernel: tangent/kernel, and tangent/outputs for several
//     outputs;
//   - the same with θ eliminated, min Ω(M) + yᵀ(ΦMMᵀΦᵀ)⁻¹y: no row of its own, since tangent/kernel states its minimum
//     and runs its searches in this form;
//   - the equivalent minimum of Ω̃(β) with φ(xᵢ)ᵀβ = yᵢ: tangent/kernel for one block, tangent/joint for more;
//   - the tilde map, ⊕ and its rules: tangent/penalty and tangent/subquadratic;
//   - layers B = AΘC and their kernel: tangent/gradient, tangent/structured and tangent/joint;
//   - three factors for a convolution, which the code has: no row, since no decomposition makes all three sides of a
//     tensor diagonal, so that there are no singular values to penalise;
//   - the factors of a bias, which the code moves on the side of the outputs only: no row, since that is a layer with
//     one more input on which C is held at 1, and Theorem 2 takes C as a whole;
//   - fewer samples than fixed features need, in the abstracts of versions 1 and 2: no row, since version 3 withdrew
//     it.
package tangent

import "github.com/thm-suite/thm/theory"

var paper = theory.Source{
	Paper: "D. LeJeune, S. Alemohammad: An Adaptive Tangent Feature Perspective of Neural Networks (CPAL 2024, " +
		"PMLR 234:379–394)",
	ArXiv:   "2308.15478",
	Version: "v3",
	Year:    2024,
}
