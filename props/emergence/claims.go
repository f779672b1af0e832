// Package emergence pairs the claims on features that emerge from the input's structure with networks on hidden bits.
package emergence

import (
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/halfidentity"
	"github.com/thm-suite/thm/props/emergence/internal/network"
)

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	inputs,
	gradient,
	firststep,
	leading,
	orders,
	secondstep,
	sampling,
	breaks,
	classifier,
	kinks,
	clusters,
	learning,
	fits,
	fixedfeatures,
	polynomials,
	thresholds,
	queries,
	parityvote,
	twoqueries,
	identify,
	network.Claim,
	halfidentity.Claim,
}
