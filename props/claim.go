package props

import (
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// Claim pairs a statement with everything that could refute it. Make one with [Spec.Claim].
type Claim struct {
	Statement *theory.Statement
	Try       *Simulation // how to simulate at a user's parameters; nil where there is nothing to simulate
	Along     *Along      // the figure of the theorem over one parameter; nil where a check draws its own

	checks []checker
}

// AllControls lists the controls of a claim, those that are errata and readings included, in the order of its checks.
func (c Claim) AllControls() []Control {
	var out []Control
	for _, k := range c.checks {
		out = append(out, k.controls...)
	}
	return out
}

// WithoutControls is the claim with its evidence alone.
func (c Claim) WithoutControls() Claim {
	c.checks = slices.Clone(c.checks)
	for i := range c.checks {
		c.checks[i].controls = nil
	}
	return c
}

// CheckNames lists the checks of a claim.
func (c Claim) CheckNames() []string {
	return list.Map(c.checks, func(k checker) string { return k.name })
}
