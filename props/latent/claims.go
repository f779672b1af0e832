// Package latent pairs the claims about learning polynomials of latent directions with two-layer networks, their
// population gradients, and kernel methods.
package latent

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/latent/internal/hessian"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	series,
	hessian.Claim,
	correlation,
	elimination,
	caps,
	powers,
	excess,
	richardson,
	eigenPro,
	algorithm,
	head,
	rademacher,
	kernelBound,
	concentration,
	energy,
	angles,
	anisotropy,
	condition,
	curse,
	interpolation,
	embedding,
	learning,
	rates,
	transfer,
	outputWeights,
	freshSamples,
	metric,
	jump,
	ramp,
	heaviside,
}
