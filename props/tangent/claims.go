// Package tangent pairs the claims about adaptive tangent features with the adaptive linear model and with trained
// networks.
package tangent

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/tangent/internal/kernel"
	"github.com/thm-suite/thm/props/tangent/internal/structured"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	kernel.Claim,
	penalty,
	subquadratic,
	gradient,
	path,
	structured.Claim,
	joint,
	lazy,
	schatten,
	trace,
	flow,
	outputs,
	lowRank,
	ladder,
	signs,
}
