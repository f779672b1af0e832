// Package tangent pairs the statements about adaptive tangent features with the adaptive linear model, on Gaussian
// features and on the tangent features of small networks.
package tangent

import "github.com/thm-suite/thm/props"

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	kernel,
}
