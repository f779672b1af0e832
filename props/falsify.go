package props

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/thm-suite/thm/props/results"
)

// Falsify makes every closed form of every claim wrong, by more and more, and says from where on the checks are red. A
// row has a control for each closed form: it is rejected if the checks are red at ten times the resolution of the
// criterion that rejects it; or, for one that enters a comparison with little weight, soon after its error shows. A
// tolerance that adapts to the discrepancy lets the error show, and stays green.
func Falsify(ctx context.Context, claims []Claim, o Options) []results.Claim {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	r := &run{Options: o, ctx: ctx, pool: newPool(o.Jobs)}
	rows := make([]results.Claim, len(claims))
	newPool(o.Jobs).each(context.WithoutCancel(ctx), len(claims), func(i int) func() {
		row := r.falsify(claims[i])
		return func() {
			rows[i] = row
			r.report(Event{Claim: row.ID, Finished: &rows[i]})
		}
	})
	return rows
}

// The errors of closed forms that are tried: 10⁻¹⁶ to 10³.
const (
	finest  = 16
	decades = finest + 3
	// An error shows where a ratio exceeds half as much again as without it; a tolerance that stays what it was then
	// rejects a hundred times the error, also where an interval is as wide as the margin.
	showing   = 1.5
	barely    = 0.05
	soonAfter = 100
	// times the resolution: what is wrong by this has to be red
	resolutions = 10
)

// mistakes lists those that are tried, from the smallest to the largest: of both signs as long as it matters, since a
// bound that is too wide is true.
func mistakes(uneven bool) (out []mistake) {
	for i := range decades + 1 {
		e := math.Pow(10, float64(i-finest))
		out = append(out, mistake{epsilon: e, uneven: uneven})
		if e <= 1 && !uneven {
			out = append(out, mistake{epsilon: -e})
		}
	}
	return out
}

// withMistakes is the check with closed forms made wrong in place of its controls.
func (c checker) withMistakes(formulas []string, uneven bool) checker {
	c.controls = nil
	for _, formula := range formulas {
		for _, m := range mistakes(uneven) {
			c.controls = append(c.controls, Control{Name: m.version(formula), claimed: m.version(formula)})
		}
	}
	return c
}

// falsify tries uneven mistakes where no others are noticed.
func (r *run) falsify(c Claim) results.Claim {
	row := newRow(c)
	for _, k := range c.checks {
		var rest []string
		for _, uneven := range []bool{false, true} {
			tried := k.formulas()
			if uneven {
				tried = rest
			}
			if len(tried) == 0 {
				break
			}
			s := newSession(r, c.Statement.Slug)
			with := k.withMistakes(tried, uneven)
			right := s.evaluate(with, variant{}, 0)
			for _, formula := range tried {
				result := s.mistaken(with, formula, uneven, right)
				if !uneven && !result.Rejected {
					rest = append(rest, formula)
					continue
				}
				row.Controls = append(row.Controls, result)
			}
		}
	}
	return row
}

// mistaken finds the least error of a closed form that is red.
func (s *session) mistaken(k checker, formula string, uneven bool, right evaluated) results.Control {
	result, shows := results.Control{Name: formula, Check: k.name}, math.Inf(1)
	if right.verdict != results.Holds {
		result.Message = "the check does not hold as it is: " + right.message
		return result
	}
	for _, m := range mistakes(uneven) {
		o := s.evaluate(k, variant{"", m.version(formula)}, 0)
		if o.verdict == results.Error { // it compares what is no number, say
			result.Rejected, result.Message = true, o.message
			return result
		}
		e := math.Abs(m.epsilon)
		if o.shows(right) {
			shows = min(shows, e)
		}
		if o.verdict != results.Refuted {
			continue
		}
		result.Ratio = results.Number(e)
		result.Criterion = o.worstCriterion()
		resolution := right.resolution(result.Criterion)
		result.Rejected = e <= soonAfter*shows*(1+1e-9) || e <= resolutions*resolution
		result.Message = fmt.Sprintf("red at %.0e, shows at %.0e, resolution %.1e", e, shows, resolution)
		return result
	}
	result.Message = fmt.Sprintf("green a thousand times as large, shows at %.0e", shows)
	return result
}

// shows reports whether an error moved some ratio.
func (o evaluated) shows(right evaluated) bool {
	for _, row := range o.Rows {
		for _, r := range right.Rows {
			if r.Criterion.Name == row.Criterion.Name && r.Regime == row.Regime &&
				row.Worst.Value > showing*r.Worst.Value+barely {
				return true
			}
		}
	}
	return false
}

// resolution is the coarsest median over the regimes of a criterion.
func (o evaluated) resolution(criterion string) float64 {
	coarsest := 0.0
	for _, row := range o.Rows {
		if row.Criterion.Name == criterion {
			coarsest = max(coarsest, quantile(row.Epsilons, 0.5))
		}
	}
	return coarsest
}
