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
