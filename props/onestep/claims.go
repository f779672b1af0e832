// Package onestep pairs the claims about one large gradient step with two-layer networks that take it.
package onestep

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/expansion"
	"github.com/thm-suite/thm/props/onestep/fixedpoint"
	"github.com/thm-suite/thm/props/onestep/gains"
	"github.com/thm-suite/thm/props/onestep/learnable"
	"github.com/thm-suite/thm/props/onestep/outliers"
	"github.com/thm-suite/thm/props/onestep/reuse"
	"github.com/thm-suite/thm/props/onestep/risk"
	"github.com/thm-suite/thm/props/onestep/settings"
	"github.com/thm-suite/thm/props/onestep/spike"
	"github.com/thm-suite/thm/props/onestep/trained"
	"github.com/thm-suite/thm/props/onestep/twosteps"
	"github.com/thm-suite/thm/props/onestep/universality"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	spike.Claim,
	expansion.Claim,
	fixedpoint.Claim,
	risk.Claim,
	learnable.Claim,
	twosteps.Claim,
	settings.Claim,
	universality.Claim,
	reuse.Claim,
	outliers.Claim,
	gains.Claim,
	trained.Claim,
}
