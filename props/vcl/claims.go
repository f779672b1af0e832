// Package vcl pairs the statements of virtual covariance learning with networks that they speak about.
package vcl

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/algorithm1"
	"github.com/thm-suite/thm/props/vcl/feasibility"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	equation,
	residual,
	steps,
	convolution,
	lipschitz,
	procrustes,
	solvers,
	logistic,
	softmax,
	whitening,
	algorithm1.Claim,
	newtonSchulz,
	feasibility.Claim,
	firstOrder,
	ansatz,
	linearity,
	similarity,
	taylor,
	depth,
	collapse,
	interpolation,
	fact,
}
