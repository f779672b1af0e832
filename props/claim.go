package props

import "github.com/thm-suite/thm/theory"

// Claim pairs a statement with everything that could refute it.
type Claim struct {
	Statement *theory.Statement

	Verify   []LegacyCheck   // must all hold
	Controls []LegacyControl // must all be rejected by the same checks
	Errata   []Refutation    // printed forms; must all be rejected
	Resolve  []Resolution    // how wrong the claim could be without being noticed

	checks []checker   // of a claim made by a [Spec]
	Try    *Simulation // how to simulate at a user's parameters; nil where there is nothing to simulate
}

// LegacyControl is a wrong version of the claim: a dropped assumption, a flipped sign, a missing factor, a wrong
// exponent, a neighbouring convention.
type LegacyControl struct {
	Name       string
	Assumption string // the assumption it drops; empty when it changes the formula
	Check      LegacyCheck
}

// Refutation runs a printed form of a claim against its counterexample.
type Refutation struct {
	Erratum string // its ID in the statement
	Check   LegacyCheck
}

// Resolution measures the smallest error of the claim that a check notices.
type Resolution struct {
	Of   string // what is multiplied by 1+dose, or shifted by dose
	Unit Unit

	// Check returns the check of the claim made wrong by dose. Check(0) is the claim itself.
	Check func(dose float64) LegacyCheck
}

// Unit is what a resolution is measured in.
type Unit string

// The units of a resolution.
const (
	Relative Unit = "relative error"    // the claim is multiplied by 1+dose
	Exponent Unit = "error in exponent" // dose is added to the exponent
	Absolute Unit = "absolute error"    // dose is added to a quantity of order one
	Exact    Unit = "exact"             // the check has no tolerance: any dose that changes a bit is noticed
)
