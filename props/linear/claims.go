// Package linear pairs the exact theory of linear networks with trained networks.
package linear

import "github.com/thm-suite/thm/props"

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	balance,
	endtoend,
	modes,
	riccati,
	landscape,
	edge,
	ridge,
	maxMargin,
	diagonal,
	matrixFactor,
}
