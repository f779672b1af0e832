package stat

import (
	"fmt"
	"math"
)

// SuiteAlpha bounds the probability that a whole run of the suite is not green although all claims are true, refuted
// and undecided taken together: the chance of a red run that is nobody's fault.
const SuiteAlpha = 1e-6

// The shares of SuiteAlpha. A criterion is one interval that is compared with one claimed value or bound; there is
// room for Criteria of them. What is left, EventAlpha, is for events that are random and have no interval, say that a
// drawn matrix is nearly singular: each states its own probability.
const (
	Criteria           = 400
	CriterionAlpha     = 1e-9 // that a true claim is refuted
	CriterionUndecided = 1e-9 // that it is left undecided; equivalence margins follow from it
	EventAlpha         = SuiteAlpha - Criteria*(CriterionAlpha+CriterionUndecided)
)

// PartAlpha is the share of SuiteAlpha that one statistical condition of a claim may spend, without that for being
// undecided. To be removed: claims spend [CriterionAlpha] and [CriterionUndecided].
const PartAlpha = 1e-8

// Risk holds the probabilities that a criterion refutes a true claim and that it leaves it undecided.
type Risk struct{ Refuted, Undecided float64 }

// Criterion is the risk of a criterion with an interval at [CriterionAlpha] whose margin was planned for
// [CriterionUndecided].
var Criterion = Risk{CriterionAlpha, CriterionUndecided}

// Event returns the risk of a random condition that fails with probability at most p, and then counts as a refutation.
func Event(p float64) Risk { return Risk{Refuted: p} }

// Budget adds up the risks of all criteria of a run by the union bound: they need not be independent. The zero value is
// empty.
type Budget struct {
	total Risk
	wrong []string
}

// Charge enters a criterion. One that is deterministic costs nothing and has the zero risk.
func (b *Budget) Charge(criterion string, r Risk) {
	for _, p := range []float64{r.Refuted, r.Undecided} {
		if !(p >= 0 && p <= 1) {
			b.wrong = append(b.wrong, fmt.Sprintf("%s: %v is no probability", criterion, p))
		}
	}
	if r.Refuted > 0 && r.Refuted < 1 && r.Undecided >= 1 {
		b.wrong = append(b.wrong, criterion+": nothing says how often it is undecided")
	}
	b.total.Refuted += r.Refuted
	b.total.Undecided += r.Undecided
}

// Total returns the risk of all criteria together.
func (b *Budget) Total() Risk { return b.total }

// Overspent says what is wrong: risks that are no probabilities, and a sum above [SuiteAlpha]. Sums of the shares may
// exceed their exact value by rounding, some 10⁻¹³ of it.
func (b *Budget) Overspent() []string {
	out := append([]string{}, b.wrong...)
	if sum := b.total.Refuted + b.total.Undecided; !(sum <= SuiteAlpha*(1+1e-12)) || math.IsNaN(sum) {
		out = append(out, fmt.Sprintf("a run fails by chance with probability up to %.3g "+
			"(refuted %.3g, undecided %.3g); the budget is %.3g",
			sum, b.total.Refuted, b.total.Undecided, SuiteAlpha))
	}
	return out
}
