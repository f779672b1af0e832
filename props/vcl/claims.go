// Package vcl pairs the statements of virtual covariance learning with networks that they speak about.
package vcl

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/ansatz"
	"github.com/thm-suite/thm/props/vcl/lipschitz"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	equation,
	residual,
	steps,
	convolution,
	lipschitz.Claim,
	procrustes,
	solvers,
	logistic,
	softmax,
	whitening,
	algorithm1,
	newtonSchulz,
	feasibility,
	firstOrder,
	ansatz.Claim,
	alignment,
	linearity,
	collapse,
	interpolation,
	fact,
}
