package results

// Form is the kind of comparison that a criterion makes.
type Form string

// The forms of criteria.
const (
	Equation  Form = "equation"  // got equals want, within a tolerance
	Exactness Form = "exactness" // got equals want to the last bit
	Bound     Form = "bound"     // one number does not exceed another
	Estimate  Form = "estimate"  // an interval lies within the equivalence margin of a value, or of one side of a bound
	YesNo     Form = "yes or no" // a sign or a truth value, which has no resolution
)

// Unit is the unit in which a perturbation of a claim, and so a resolution, is measured.
type Unit string

// The units of a resolution.
const (
	Relative Unit = "relative error"    // the claim is multiplied by 1+ε
	Exponent Unit = "error in exponent" // ε is added to the exponent
	Absolute Unit = "absolute error"    // ε is added to a quantity of order one
	// the place of a threshold is multiplied by 1+ε
	Parameter Unit = "relative error in the parameter"
	// of a finding, the smallest effect that would have been seen, over the effect that was seen
	Share Unit = "share of the effect"
	Whole Unit = "whole number" // the claim is a count; any other one is noticed where the resolution is below 1
	Exact Unit = "exact"        // the check has no tolerance: any error that changes a bit is noticed
)

// Short is the unit behind a number in a table.
func (u Unit) Short() string {
	switch u {
	case Relative:
		return "rel."
	case Exponent:
		return "exp."
	case Absolute:
		return "abs."
	case Parameter:
		return "par."
	case Share:
		return "of effect"
	case Whole:
		return "more or less"
	}
	return string(u)
}
