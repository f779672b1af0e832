// Package catalog joins the claims of all sources.
package catalog

import (
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence"
	"github.com/thm-suite/thm/props/latent"
	"github.com/thm-suite/thm/props/linear"
	"github.com/thm-suite/thm/props/onestep"
	"github.com/thm-suite/thm/props/spectra"
	"github.com/thm-suite/thm/props/tangent"
	"github.com/thm-suite/thm/props/vcl"
	"github.com/thm-suite/thm/props/width"
)

// All returns every claim of every source, in the order in which reports show them.
func All() []props.Claim {
	return slices.Concat(
		vcl.Claims,
		emergence.Claims,
		latent.Claims,
		onestep.Claims,
		tangent.Claims,
		spectra.Claims,
		linear.Claims,
		width.Claims,
		// add here
	)
}
