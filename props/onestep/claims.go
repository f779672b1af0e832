// Package onestep pairs the claims about one large gradient step with two-layer networks that take it.
package onestep

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/expansion"
	"github.com/thm-suite/thm/props/onestep/internal/fixedpoint"
	"github.com/thm-suite/thm/props/onestep/internal/gains"
	"github.com/thm-suite/thm/props/onestep/internal/learnable"
	"github.com/thm-suite/thm/props/onestep/internal/outliers"
	"github.com/thm-suite/thm/props/onestep/internal/reuse"
	"github.com/thm-suite/thm/props/onestep/internal/risk"
	"github.com/thm-suite/thm/props/onestep/internal/settings"
	"github.com/thm-suite/thm/props/onestep/internal/spike"
	"github.com/thm-suite/thm/props/onestep/internal/trained"
	"github.com/thm-suite/thm/props/onestep/internal/twosteps"
	"github.com/thm-suite/thm/props/onestep/internal/universality"
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
