// Package latent states the claims about learning polynomials of a few latent directions with one gradient step on
// a two-layer network.
//
// Here x ~ N(0, I) in ℝᵈ, φ and Φ are the standard normal density and distribution function, ŵ = w/‖w‖, and
// C_k = E ∇ᵏf⋆(x) are the mean derivatives of the target f⋆, symmetric tensors; C_k(w^⊗k) is a number,
// C_{k+1}(w^⊗k) a vector, and H = C₂.
package latent

import "github.com/thm-suite/thm/theory"

var paper = theory.Source{
	Paper:   "A. Damian, J. D. Lee, M. Soltanolkotabi: Neural Networks can Learn Representations with Gradient Descent",
	ArXiv:   "2206.15144",
	Version: "COLT 2022, PMLR 178:5413-5452",
	Year:    2022,
}
