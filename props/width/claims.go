// Package width pairs the limits of wide networks with networks of finite width.
package width

import "github.com/thm-suite/thm/props"

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	arcCosine,
	nngp,
	ntk,
	changeOfKernel,
	linearised,
	edgeOfChaos,
	meanField,
	lazy,
	muP,
	featureKernel,
}
