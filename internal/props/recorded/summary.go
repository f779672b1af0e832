package recorded

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/props/results"
)

// Of lists the cells of a claim on a layer, in the order of steps.
func (r *Result) Of(claim, layer string) []Cell {
	var out []Cell
	for _, c := range r.Cells {
		if c.Claim == claim && c.Layer == layer {
			out = append(out, c)
		}
	}
	return out
}

// Over sums up cells: it returns the worst verdict of those that are applicable, how many of those are not green, and
// the coarsest resolution.
func Over(cells []Cell) (v results.Verdict, off int, notices float64) {
	v = NotApplicable
	for _, c := range cells {
		if c.Verdict == NotApplicable {
			continue
		}
		if v == NotApplicable {
			v = results.Holds
		}
		v = results.Worst(v, c.Verdict)
		if c.Verdict != results.Holds {
			off++
		}
		notices = max(notices, c.Notices())
	}
	return v, off, notices
}

// FirstOff is the first of cells that is applicable and not green; there must be one.
func FirstOff(cells []Cell) Cell {
	return cells[slices.IndexFunc(cells, func(c Cell) bool {
		return c.Verdict != results.Holds && c.Verdict != NotApplicable
	})]
}

// Hypotheses returns the hypotheses of the claims that are not applicable to a layer in any step, in alphabetical
// order.
func (r *Result) Hypotheses() []string {
	var out []string
	for _, claim := range r.Claims {
		for _, layer := range r.Layers {
			cells := r.Of(claim, layer)
			if v, _, _ := Over(cells); v == NotApplicable && len(cells) > 0 {
				out = append(out, claim+" wants "+cells[0].Hypothesis)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Notices is the coarsest resolution of the criteria of a cell; NaN without any.
func (c Cell) Notices() float64 {
	if len(c.Criteria) == 0 {
		return math.NaN()
	}
	coarsest := 0.0
	for _, k := range c.Criteria {
		coarsest = max(coarsest, float64(k.Notices))
	}
	return coarsest
}

// Worst is the largest ratio of a cell.
func (c Cell) Worst() float64 {
	worst := 0.0
	for _, k := range c.Criteria {
		worst = max(worst, float64(k.Ratio))
	}
	return worst
}
