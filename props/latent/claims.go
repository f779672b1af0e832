// Package latent pairs the statements about learning polynomials of latent directions with the gradients that a
// two-layer network has on the whole population.
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
	metric,
	jump,
}
