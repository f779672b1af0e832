// Package claims has four claims of other papers: an identity, a limit and the place of a threshold in a random matrix,
// a path over time, and a threshold without chance.
package claims

import "github.com/thm-suite/thm/props"

// All lists the claims.
var All = []props.Claim{
	balance,
	spike,
	modes,
	stability,
	// add here
}
