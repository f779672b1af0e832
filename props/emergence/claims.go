// Package emergence pairs the statements on features that emerge from the input's structure with networks and data
// models that they speak about.
package emergence

import "github.com/thm-suite/thm/props"

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	network,
	halfIdentity,
}
