// Package vcl pairs the claims of virtual covariance learning with layers and networks.
package vcl

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/internal/algorithm1"
	"github.com/thm-suite/thm/props/vcl/internal/ansatz"
	"github.com/thm-suite/thm/props/vcl/internal/feasibility"
	"github.com/thm-suite/thm/props/vcl/internal/lipschitz"
	"github.com/thm-suite/thm/props/vcl/internal/procrustes"
	"github.com/thm-suite/thm/props/vcl/internal/softmax"
	"github.com/thm-suite/thm/props/vcl/internal/solvers"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	equation,
	residual,
	steps,
	convolution,
	lipschitz.Claim,
	procrustes.Claim,
	solvers.Claim,
	logistic,
	softmax.Claim,
	whitening,
	algorithm1.Claim,
	newtonSchulz,
	feasibility.Claim,
	firstOrder,
	ansatz.Claim,
	alignment,
	geometric,
	decay,
	linearity,
	similarity,
	taylor,
	depth,
	collapse,
	interpolation,
	fact,
	recursive,
	relevance,
	diagonal,
	selfAttention,
	attentionTokens,
	attentionHeads,
	attentionKeys,
	bilinear,
	attentionBalance,
	queryKeyPair,
	attentionFeasible,
	attentionLipschitz,
	attentionAnsatz,
}
