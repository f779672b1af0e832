// Package vcl states the claims of virtual covariance learning: to first order, one step of gradient descent changes
// the Gram matrix of a layer's weights just as a virtual step on its inputs changes their covariance.
//
// In this package samples are columns, as in the source: H is n×B, one hidden state per column.
package vcl

import "github.com/thm-suite/thm/theory"

var paper = theory.Source{
	Paper:   "T. Cha, D. Lee: Feature Learning as a Virtual Covariance Learning (OPT 2025 workshop)",
	Version: "poster and paper, November 2025",
	Year:    2025,
}

var successor = theory.Source{
	Paper: "T. Cha, D. Beaglehole, A. Radhakrishnan, D. Lee: The Weight Gram Matrix Captures Sequential Feature " +
		"Linearization in Deep Networks",
	ArXiv:   "2605.06258",
	Version: "version of 2026",
	Year:    2026,
}

// openPoint is the place where the poster leaves open the question that the claims on self-attention answer.
var openPoint = paper.At("poster, last line: self-attention is left")

// The parameters that several claims share: matrices of a layer, and scales of the losses and of the covariance.
var (
	layerWeights       = theory.Param{Name: "W", Symbol: "W", Meaning: "weights of the layer", Shape: "m×n"}
	weightsBefore      = theory.Param{Name: "W", Symbol: "W", Meaning: "weights before the step", Shape: "m×n"}
	weightsAfter       = theory.Param{Name: "W_next", Symbol: "W⁺", Meaning: "weights after the step", Shape: "m×n"}
	layerInputs        = inputs("n×B")
	allInputs          = inputs("n×N")
	preActivationGrads = theory.Param{Name: "Gamma", Symbol: "Γ",
		Meaning: "gradients in the pre-activations, one sample per column", Shape: "m×B"}

	anyStep      = theory.Param{Name: "step", Symbol: "γ", Meaning: "step size"}
	weightsScale = theory.Param{Name: "a", Symbol: "a",
		Meaning: "scale of the loss that moves the weights, over that of Γ"}
	tokensScale = theory.Param{Name: "b", Symbol: "b",
		Meaning: "scale of the loss that moves the tokens, over that of Γ"}
	covarianceScale = theory.Param{Name: "c", Symbol: "c", Meaning: "scale of the covariance; a = b·c"}
)

func inputs(shape string) theory.Param {
	return theory.Param{Name: "H", Symbol: "H", Meaning: "inputs of the layer, one sample per column", Shape: shape}
}

func stepSize(domain *theory.Domain, value string) theory.Param {
	return theory.Param{Name: "step", Symbol: "γ", Meaning: "step size", Domain: domain, Default: value}
}

// headSizes returns the sizes of a head of self-attention and of its batch, under the symbol of its width.
func headSizes(symbol string) []theory.Param {
	size := theory.IntegerBetween(1, 1e6)
	return []theory.Param{
		{Name: "tokens", Symbol: "T", Meaning: "tokens in a sequence", Domain: size, Default: "4"},
		{Name: "sequences", Symbol: "B", Meaning: "sequences in the batch", Domain: size, Default: "1"},
		{Name: "width", Symbol: "d", Meaning: "entries of a token", Domain: size, Default: "16"},
		{Name: "head", Symbol: symbol, Meaning: "entries of a query, key or value", Domain: size, Default: "8"},
		{Name: "out", Symbol: "dₒ", Meaning: "entries of an output", Domain: size, Default: "16"},
	}
}

// oneQuery and oneKey are the weights of a head of one entry, under the letter of their claim.
func oneQuery(letter, value string) theory.Param {
	return theory.Param{Name: "query", Symbol: "q", Meaning: letter + " of a head of one entry on tokens of one entry",
		Domain: theory.Inside(-1e10, 1e10), Default: value}
}

func oneKey(letter, value string) theory.Param {
	return theory.Param{Name: "key", Symbol: "k", Meaning: letter + " of that head", Domain: theory.Inside(-1e10, 1e10),
		Default: value}
}
