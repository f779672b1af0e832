package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
)

// PowerEstimate says before a measurement begins which change it will find, and with which probability. It is made from
// a pilot, in which nothing changed. It is about the first look; further rounds for undecided rows only add to it.
type PowerEstimate struct {
	// Power is the probability with which each row is estimated to find what it can detect.
	Power float64 `json:"power"`
	// Pilot is the number of rounds that the estimate is made from, and Rounds the number of rounds of the first look.
	Pilot  int `json:"pilot"`
	Rounds int `json:"rounds"`
	// Minimum is the number of rounds from which anything can be found at the level of a row.
	Minimum int            `json:"least"`
	Rows    []EstimatedRow `json:"rows"`
}

// EstimatedRow is the estimate for one row.
type EstimatedRow struct {
	Group string `json:"group,omitempty"`
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	// Detects is the smallest relative change for the worse that is found; NaN if there is none below a factor of ten.
	Detects Number `json:"detects"`
	// Settles says that unchanged code is called the same, with the same probability.
	Settles bool `json:"settles"`
	// Floor is the noise floor of the pilot.
	Floor float64 `json:"floor"`
}

// Sentence says what is estimated.
func (p *PowerEstimate) Sentence() string {
	if len(p.Rows) == 0 && p.Rounds < p.Minimum {
		return fmt.Sprintf("no gated row varied, but %d rounds are too few to tell a change of a count from chance: it "+
			"takes %d", p.Rounds, p.Minimum)
	}
	if len(p.Rows) == 0 {
		return "no gated row varied, so that every change is found"
	}
	if p.Rounds < p.Minimum {
		return fmt.Sprintf("the %d rounds of the first look are too few to decide anything at the level of %s: it "+
			"takes %d", p.Rounds, terminal.Plural(len(p.Rows), "row"), p.Minimum)
	}
	seeing := list.Where(p.Rows, func(r EstimatedRow) bool { return !math.IsNaN(float64(r.Detects)) })
	blind := len(p.Rows) - len(seeing)
	settled := len(list.Where(p.Rows, func(r EstimatedRow) bool { return r.Settles }))
	slices.SortStableFunc(seeing, func(a, b EstimatedRow) int { return cmp.Compare(a.Detects, b.Detects) })
	text := fmt.Sprintf("%d rounds find, in noise like this and with probability %v each,", p.Rounds, p.Power)
	switch n := len(seeing); {
	case n == 0:
		text += " no change below a factor of ten"
	case n == 1:
		text += fmt.Sprintf(" a change for the worse of %s in %s", size(seeing[0].Detects), seeing[0].Name)
	default:
		worst := seeing[n-1]
		text += fmt.Sprintf(" a change for the worse of %s in half of %s and of %s in all of them, the least "+
			"sensitive being %s (%s)",
			size(seeing[(n-1)/2].Detects), terminal.Plural(n, "row"), size(worst.Detects), worst.Name, worst.Unit)
	}
	if blind > 0 && len(seeing) > 0 {
		text += fmt.Sprintf("; none below a factor of ten in %s", terminal.Plural(blind, "row"))
	}
	return text + fmt.Sprintf("; unchanged code is called the same with that probability in %d of %s", settled,
		terminal.Plural(len(p.Rows), "row"))
}

// size writes a relative change in two digits, or more where it is large.
func size(x Number) string {
	if x >= 0.1 {
		return fmt.Sprintf("%.0f%%", 100*float64(x))
	}
	return fmt.Sprintf("%.2g%%", 100*float64(x))
}

// estimated introduces the sentence in a report.
func (p *PowerEstimate) estimated() string {
	return fmt.Sprintf("estimated before, from %d rounds of unchanged code: %s", p.Pilot, p.Sentence())
}
