package props

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

func newRow(c Claim) results.Claim {
	s := c.Statement
	return results.Claim{
		Flaws: c.Flaws(),
		ID:    s.Slug, Title: s.Title, Kind: string(s.Kind), Standing: string(s.Standing),
		Source: results.Source{Paper: s.Source.Paper, ArXiv: s.Source.ArXiv, Locus: s.Source.Locus},
		Checks: []results.Check{}, Criteria: []results.Criterion{}, Controls: []results.Control{},
		Errata:      []results.Erratum{},
		Resolutions: []results.Resolution{}, Measurements: []results.Measurement{}, Figures: []Figure{},
	}
}

// addTally records what a check found.
func addTally(row *results.Claim, k checker, t *tally) {
	first := len(row.Criteria)
	for _, r := range t.Rows {
		at := slices.IndexFunc(row.Criteria[first:], func(p results.Criterion) bool { return p.Name == r.Criterion.Name })
		if at < 0 {
			row.Criteria = append(row.Criteria, newCriterionResult(k, r.Criterion))
			at = len(row.Criteria) - 1 - first
		}
		addRegime(&row.Criteria[first+at], r, k.declined[r.Criterion.Name])
	}
	for i := range row.Criteria[first:] {
		p := &row.Criteria[first+i]
		if share := k.declined[p.Name]; share > 0 { // of all cases, in all regimes
			p.Undecided += math.Pow(share, float64(p.Cases()))
		}
	}
	row.Measurements = append(append(row.Measurements, t.Measured...), t.Largest...)
	if f, drawn := ratioHistogram(k.name, t.Ratios); drawn && k.shrink != nil {
		row.Figures = append(row.Figures, f)
	}
	row.Figures = append(row.Figures, t.Figures...)
	for _, regime := range k.regimes {
		if !slices.ContainsFunc(t.Rows, func(r tallyRow) bool { return r.Regime == regime && r.Declined < r.Cases }) {
			row.NotDrawn = append(row.NotDrawn, k.name+": "+regime)
		}
	}
}

// drawComparison adds the figure of obtained against claimed values to a claim that drew nothing of its own.
func drawComparison(row *results.Claim, all []series) {
	if slices.ContainsFunc(row.Figures, func(f Figure) bool { return f.Kind == "" && f.Of == "" }) {
		return
	}
	f, drawn := comparison(all, func(check, criterion, control string) bool {
		return slices.ContainsFunc(row.Controls, func(c results.Control) bool {
			return c.Check == check && c.Name == control && slices.Contains(c.RejectedBy, criterion)
		})
	})
	if !drawn {
		f, drawn = measurements(row.Measurements)
	}
	if drawn {
		row.Figures = slices.Insert(row.Figures, 0, f)
	}
}

func newCriterionResult(k checker, c Criterion) results.Criterion {
	return results.Criterion{Check: k.name, Name: c.Name, Form: c.Form, Unit: c.Unit, Coarse: k.coarse[c.Name],
		Proven: k.proven[c.Name], Chosen: k.chosen[c.Name],
		Margin: results.Number(c.Margin), Detects: results.Number(c.Detects), Needs: results.Number(c.Needs)}
}

// addRegime adds a regime, which is a test of its own. Of its cases a share may be declined.
func addRegime(p *results.Criterion, r tallyRow, share float64) {
	p.Alpha, p.Undecided = p.Alpha+r.Criterion.Alpha, p.Undecided+r.Criterion.Undecided
	mayDecline := 0
	if share > 0 {
		mayDecline = stat.MostEvents(r.Cases, share, stat.CriterionUndecided)
		p.Undecided += stat.MoreEvents(mayDecline, r.Cases, share)
	}
	p.Largest = largestOf(append(p.Largest, r.Largest...))
	p.Regimes = append(p.Regimes, results.Regime{
		Name: r.Regime, Cases: r.Cases, Ratio: results.Number(r.Worst.Value), Lower: results.Number(r.Worst.Lower),
		Near: nearOf(r.Nears),
		Run:  results.Number(quantile(r.Epsilons, 0)), Median: results.Number(quantile(r.Epsilons, 0.5)),
		Decile: results.Number(quantile(r.Epsilons, 0.9)), Declined: r.Declined, MayDecline: mayDecline,
		Sides: r.Sides, Comparisons: r.Made, Same: r.Same, Allowed: results.Number(quantile(r.Allowed, 0.5)),
	})
}

// nearOf is the ratio of the median near control; or the smallest, if a comparison accepts what it should reject.
func nearOf(ratios []float64) results.Number {
	ratios = slices.DeleteFunc(slices.Clone(ratios), math.IsNaN)
	if len(ratios) > 0 && slices.Min(ratios) <= 1 {
		return results.Number(slices.Min(ratios))
	}
	return results.Number(quantile(ratios, 0.5))
}

// addPrinted records a control that is an erratum or a reading of the statement.
func addPrinted(row *results.Claim, s *theory.Statement, c results.Control, shown string) {
	if e := s.Erratum(c.Erratum); e != nil {
		row.Errata = append(row.Errata, results.Erratum{Printed: e.Printed, Counterexample: e.Counterexample,
			Evidence: shown})
	}
	if r := s.Reading(c.Reading); r != nil {
		row.Readings = append(row.Readings,
			results.Erratum{Printed: r.Reading, Counterexample: r.Counterexample, Evidence: shown})
	}
}

// unresolved lists the criteria that notice no error at all, and those that are coarser than the target without saying
// why. The targets are for efforts above quick, which is too small for them.
func unresolved(row *results.Claim, e Effort) []string {
	var out []string
	for _, p := range row.Criteria {
		if p.Form == results.YesNo || p.Form == results.Exactness {
			continue
		}
		for _, r := range p.Regimes {
			if math.IsInf(float64(r.Run), 1) && p.Coarse == "" {
				out = append(out, strings.TrimSpace(fmt.Sprintf("%s / %s notices no error of the claim at all %s", p.Check, p.Name,
					r.Name)))
			}
		}
		if target := targetOf(p); e != Quick && p.Coarse == "" && float64(p.Resolution) > target {
			out = append(out, fmt.Sprintf("%s / %s has a resolution of %.2g, coarser than %.2g, and gives no reason", p.Check,
				p.Name, float64(p.Resolution), target))
		}
		if p.Near <= 1 {
			out = append(out, fmt.Sprintf("%s / %s accepts a near control: ratio %.3g", p.Check, p.Name, float64(p.Near)))
		}
	}
	return out
}

// targetOf is the coarsest resolution that a criterion may have without a reason: 10⁻⁶ for an equation, 0.05 for an
// order, an exponent or a limit. A finding would have seen half of the effect that it saw, and a count
// no other number. A bound is as tight as it is.
func targetOf(p results.Criterion) float64 {
	switch {
	case p.Unit == results.Share:
		return 0.5
	case p.Unit == results.Whole:
		return math.Nextafter(1, 0)
	case p.Form == results.Bound:
		return math.Inf(1)
	case p.Form == results.Estimate || p.Unit == results.Exponent:
		return 0.05
	}
	return 1e-6
}
