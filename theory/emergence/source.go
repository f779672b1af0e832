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

// The parameters that several claims share.
var (
	uniformShare    = uniformBits("", theory.Between(0, 1))
	uniformOrEqual  = uniformBits("; on the others they are all equal", theory.Between(0, 1))
	uniformBelowOne = uniformBits("; less than 1, so that γ > 0", belowOne)
	belowOne        = &theory.Domain{Min: new(float64), Max: ptr(1), OpenMax: true}

	background = theory.Param{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
		Domain: upToHalf, Default: "0.5"}
	upToHalf = &theory.Domain{Min: new(float64), Max: ptr(0.5), OpenMin: true}

	samplesPerStep = theory.Param{Name: "n", Symbol: "n", Meaning: "samples in each step",
		Domain: theory.IntegerBetween(1, 1e9), Default: "10000"}
)

func uniformBits(note string, domain *theory.Domain) theory.Param {
	return theory.Param{Name: "uniform", Symbol: "λ", Meaning: "share of the inputs whose bits on A are uniform" + note,
		Domain: domain, Default: "0.5"}
}

func hiddenBits(min, max int, value string) theory.Param {
	return theory.Param{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates, at least k",
		Domain: theory.IntegerBetween(min, max), Default: value}
}

func relevantBits(min, max int, value string) theory.Param {
	return theory.Param{Name: "k", Symbol: "k", Meaning: "number of relevant bits, odd",
		Domain: theory.IntegerBetween(min, max), Default: value}
}

func neurons(min, max int, value string) theory.Param {
	return theory.Param{Name: "m", Symbol: "m", Meaning: "number of neurons, each with a mirror",
		Domain: theory.IntegerBetween(min, max), Default: value}
}
