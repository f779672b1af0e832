package props

import (
	"math"

	"github.com/thm-suite/thm/props/results"
)

// Criterion is one named condition of a check.
type Criterion struct {
	Name string       `json:"name"`
	Form results.Form `json:"form"`
	Unit results.Unit `json:"unit"` // what a perturbation of it is measured in

	// Of a condition that is tested statistically; 0 otherwise.
	Alpha     float64 `json:"alpha"`     // probability that a true claim is refuted
	Undecided float64 `json:"undecided"` // probability that a true claim is left undecided
	Margin    float64 `json:"margin"`    // equivalence margin: discrepancies up to this do not matter
	Detects   float64 `json:"detects"`   // discrepancies beyond this are refuted, except with probability Alpha
	// the share of the samples used that would make the interval as narrow as the margin
	Needs float64 `json:"needs"`
}

// finding holds the result of a criterion in one case.
type finding struct {
	Criterion
	Regime  string
	Ratio   Ratio
	Epsilon float64 // the smallest perturbation of the claim that this case rejects; +Inf when it rejects none
	Near    float64 // the ratio at a perturbation close to the limit; NaN when there is none
	Slack   float64 // of a bound: what rounding is allowed, as a share of the larger side
	Allowed float64 // the widest tolerance, slack or margin, over the size of what is compared; 0 where there is none
	Count   int     // numbers that were compared
	Pairs   []compared
	Sides   *results.Sides // nil where it holds

	Declined bool // nothing was compared, since the case cannot resolve it
}

// invalid is the ratio of a comparison that means nothing: a tolerance that is not a positive finite number, or a NaN.
var invalid = Ratio{Value: math.NaN(), Lower: math.NaN()}

// compare is a discrepancy over a tolerance. Whatever is not a number on either side is invalid.
func compare(discrepancy, tolerance float64) Ratio {
	value := math.Abs(discrepancy) / tolerance
	if !(tolerance > 0) || math.IsInf(tolerance, 0) || math.IsNaN(value) || math.IsInf(value, 0) {
		return invalid
	}
	return Ratio{Value: value, Lower: value}
}

// exact is the ratio of a comparison without tolerance: 0 when nothing differs, and otherwise the difference in units
// of half an ulp of the size of what is compared, at least 2.
func exact(discrepancy, size float64) Ratio {
	if math.IsNaN(discrepancy) || math.IsInf(discrepancy, 0) || math.IsNaN(size) || math.IsInf(size, 0) {
		return invalid
	}
	if discrepancy == 0 {
		return Ratio{}
	}
	halfUlp := math.Max(math.Abs(size)*0x1p-53, math.SmallestNonzeroFloat64)
	value := min(math.MaxFloat64, max(2, math.Abs(discrepancy)/halfUlp))
	return Ratio{Value: value, Lower: value}
}
