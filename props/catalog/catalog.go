// Package catalog joins the claims of all sources, finds them by slug, and holds the gates: what must be true of
// the list as a whole before any claim is worth running.
package catalog

import (
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence"
	"github.com/thm-suite/thm/props/latent"
	"github.com/thm-suite/thm/props/onestep"
	"github.com/thm-suite/thm/props/tangent"
	"github.com/thm-suite/thm/props/vcl"
	"github.com/thm-suite/thm/theory"
)

// All returns every claim of every source, in the order in which reports show them.
func All() []props.Claim {
	return slices.Concat(
		vcl.Claims,
		emergence.Claims,
		latent.Claims,
		onestep.Claims,
		tangent.Claims,
		// add here
	)
}

// Statements returns the statements of All, in the same order.
func Statements() []*theory.Statement {
	var statements []*theory.Statement
	for _, c := range All() {
		statements = append(statements, c.Statement)
	}
	return statements
}
