package props

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// RegimeResult is a criterion in one regime: how many cases, how close to the limit, and how small an error is noticed.
type RegimeResult struct {
	Name   string `json:"name"` // empty where the check makes no distinction
	Cases  int    `json:"cases"`
	Ratio  Number `json:"ratio"`  // the worst
	Lower  Number `json:"lower"`  // of the worst
	Run    Number `json:"run"`    // the smallest error of the claim that some case notices
	Median Number `json:"median"` // that the median case notices
	Decile Number `json:"decile"` // that nine cases of ten notice
	Near   Number `json:"near"`   // the median ratio of the near controls; NaN where there is none

	Declined   int `json:"declined,omitempty"`    // cases that could not resolve the criterion
	MayDecline int `json:"may_decline,omitempty"` // more of them leave it undecided

	Comparisons int    `json:"-"` // that were made in these cases
	Same        int    `json:"-"` // cases in which nothing differs at all
	Allowed     Number `json:"-"` // in the median case, by the comparison that allows most

	Sides *Sides `json:"sides,omitempty"` // of the worst case, if it does not hold
}

func newRow(c Claim) ClaimResult {
	s := c.Statement
	return ClaimResult{
		Flaws: c.Flaws(),
		ID:    s.Slug, Title: s.Title, Kind: string(s.Kind), Standing: string(s.Standing),
		Source: SourceRef{s.Source.Paper, s.Source.ArXiv, s.Source.Locus},
		Checks: []CheckResult{}, Criteria: []CriterionResult{}, Controls: []ControlResult{}, Errata: []ErratumResult{},
		Resolutions: []ResolutionResult{}, Measurements: []Measurement{}, Figures: []Figure{},
	}
}

// addTally records what a check found.
func (row *ClaimResult) addTally(k checker, t *tally) {
	first := len(row.Criteria)
	for _, r := range t.Rows {
		at := slices.IndexFunc(row.Criteria[first:], func(p CriterionResult) bool { return p.Name == r.Criterion.Name })
		if at < 0 {
			row.Criteria = append(row.Criteria, newCriterionResult(k, r.Criterion))
			at = len(row.Criteria) - 1 - first
		}
		row.Criteria[first+at].addRegime(r, k.declined[r.Criterion.Name])
	}
	for i := range row.Criteria[first:] {
		p := &row.Criteria[first+i]
		if share := k.declined[p.Name]; share > 0 { // of all cases, in all regimes
			p.Undecided += math.Pow(share, float64(p.cases()))
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

// cases counts those of all regimes.
func (p *CriterionResult) cases() int {
	n := 0
	for _, r := range p.Regimes {
		n += r.Cases
	}
	return n
}

// draw adds the figure of obtained against claimed values to a claim that drew nothing of its own.
func (row *ClaimResult) draw(all []series) {
	if slices.ContainsFunc(row.Figures, func(f Figure) bool { return f.Kind == "" && f.Of == "" }) {
		return
	}
	f, drawn := comparison(all, func(check, criterion, control string) bool {
		return slices.ContainsFunc(row.Controls, func(c ControlResult) bool {
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

// unfounded lists why a pass is no evidence: what shows of the claim before it runs, controls that were accepted, and
// criteria that no control violates, which could be replaced by a tautology, and nothing would turn red.
func (row *ClaimResult) unfounded() []string {
	out := slices.Clone(row.Flaws)
	for _, c := range row.Controls {
		switch {
		case c.Message != "":
			out = append(out, fmt.Sprintf("control %q broke: %s", c.Name, c.Message))
		case !c.Rejected:
			out = append(out, fmt.Sprintf("control %q is accepted: it was rejected on a fraction %v of replicates, smallest "+
				"ratio %.3g", c.Name, c.Fraction, float64(c.Ratio)))
		}
	}
	for _, p := range row.Criteria {
		if p.Controls == 0 {
			out = append(out, fmt.Sprintf("%s / %s rejects no control", p.Check, p.Name))
		}
	}
	return out
}

func newCriterionResult(k checker, c Criterion) CriterionResult {
	return CriterionResult{Check: k.name, Name: c.Name, Form: c.Form, Unit: c.Unit, Coarse: k.coarse[c.Name],
		Proven: k.proven[c.Name], Chosen: k.chosen[c.Name],
		Margin: Number(c.Margin), Detects: Number(c.Detects), Needs: Number(c.Needs)}
}

// addRegime adds a regime, which is a test of its own. Of its cases a share may be declined.
func (p *CriterionResult) addRegime(r tallyRow, share float64) {
	p.Alpha, p.Undecided = p.Alpha+r.Criterion.Alpha, p.Undecided+r.Criterion.Undecided
	mayDecline := 0
	if share > 0 {
		mayDecline = stat.MostEvents(r.Cases, share, stat.CriterionUndecided)
		p.Undecided += stat.MoreEvents(mayDecline, r.Cases, share)
	}
	p.Largest = largestOf(append(p.Largest, r.Largest...))
	p.Regimes = append(p.Regimes, RegimeResult{
		Name: r.Regime, Cases: r.Cases, Ratio: Number(r.Worst.Value), Lower: Number(r.Worst.Lower), Near: nearOf(r.Nears),
		Run: Number(quantile(r.Epsilons, 0)), Median: Number(quantile(r.Epsilons, 0.5)),
		Decile: Number(quantile(r.Epsilons, 0.9)), Declined: r.Declined, MayDecline: mayDecline,
		Sides: r.Sides, Comparisons: r.Made, Same: r.Same, Allowed: Number(quantile(r.Allowed, 0.5)),
	})
}

// nearOf is the ratio of the median near control; or the smallest, if a comparison accepts what it should reject.
func nearOf(ratios []float64) Number {
	ratios = slices.DeleteFunc(slices.Clone(ratios), math.IsNaN)
	if len(ratios) > 0 && slices.Min(ratios) <= 1 {
		return Number(slices.Min(ratios))
	}
	return Number(quantile(ratios, 0.5))
}

// addPrinted records a control that is an erratum or a reading of the statement.
func (row *ClaimResult) addPrinted(s *theory.Statement, c ControlResult, shown string) {
	if e := s.Erratum(c.Erratum); e != nil {
		row.Errata = append(row.Errata, ErratumResult{Printed: e.Printed, Counterexample: e.Counterexample, Evidence: shown})
	}
	if r := s.Reading(c.Reading); r != nil {
		row.Readings = append(row.Readings,
			ErratumResult{Printed: r.Reading, Counterexample: r.Counterexample, Evidence: shown})
	}
}

// unresolved lists the criteria that notice no error at all, and those that are coarser than the target without saying
// why. The targets are for efforts above quick, which is too small for them.
func (row *ClaimResult) unresolved(e Effort) []string {
	var out []string
	for _, p := range row.Criteria {
		if p.Form == YesNo || p.Form == Exactness {
			continue
		}
		for _, r := range p.Regimes {
			if math.IsInf(float64(r.Run), 1) && p.Coarse == "" {
				out = append(out, strings.TrimSpace(fmt.Sprintf("%s / %s notices no error of the claim at all %s", p.Check, p.Name,
					r.Name)))
			}
		}
		if target := p.target(); e != Quick && p.Coarse == "" && float64(p.Resolution) > target {
			out = append(out, fmt.Sprintf("%s / %s has a resolution of %.2g, coarser than %.2g, and gives no reason", p.Check,
				p.Name, float64(p.Resolution), target))
		}
		if p.Near <= 1 {
			out = append(out, fmt.Sprintf("%s / %s accepts a near control: ratio %.3g", p.Check, p.Name, float64(p.Near)))
		}
	}
	return out
}

// target is the coarsest resolution that a criterion may have without a reason: 10⁻⁶ for an equation, 0.05 for an
// order, an exponent or a limit. A bound is as tight as it is.
func (p CriterionResult) target() float64 {
	switch {
	case p.Form == Bound:
		return math.Inf(1)
	case p.Form == Estimate || p.Unit == Exponent:
		return 0.05
	}
	return 1e-6
}
