// Package emergence states the claims on features that emerge from the structure of the input.
//
// The input is x = M φ with φ = (φ̃ − E φ̃)/σ̃: hidden bits φ̃ ∈ {0,1}^D, a dictionary M (d×D) with orthonormal
// columns, and σ̃² = Σⱼ Var φ̃ⱼ. A is a set of k coordinates, S = Σ_{j∈A} φ̃ⱼ, and y = +1 if S ∈ P, −1 otherwise.
package emergence

import "github.com/thm-suite/thm/theory"

var paper = theory.Source{
	Paper: "Z. Shi, J. Wei, Y. Liang: A Theoretical Analysis on Feature Learning in Neural Networks: " +
		"Emergence from Inputs and Advantage over Fixed Features (ICLR 2022)",
	ArXiv:   "2206.01717",
	Version: "slides of the talk, and the main text of the submission",
	Year:    2022,
}
