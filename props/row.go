package props

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/theory"
)

// RegimeResult is a criterion in one regime: how many cases, how close to the limit, and how small an error is noticed.
type RegimeResult struct {
	Name   string `json:"name"` // empty where the check makes no distinction
	Cases  int    `json:"cases"`
	Ratio  Number `json:"ratio"`  // the worst
	Run    Number `json:"run"`    // the smallest error of the claim that some case notices
	Median Number `json:"median"` // that the median case notices
	Decile Number `json:"decile"` // that nine cases of ten notice
	Near   Number `json:"near"`   // the median ratio of the near controls; NaN where there is none
}

func newRow(s *theory.Statement) ClaimResult {
	return ClaimResult{
		ID: s.Slug, Title: s.Title, Kind: string(s.Kind), Standing: string(s.Standing),
		Source:   SourceRef{s.Source.Paper, s.Source.ArXiv, s.Source.Locus},
		Verdict:  Holds,
		Criteria: []CriterionResult{}, Controls: []ControlResult{}, Errata: []ErratumResult{},
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
		row.Criteria[first+at].addRegime(r)
	}
	for i := range row.Criteria[first:] {
		row.Criteria[first+i].conclude()
	}
	row.Measurements = append(append(row.Measurements, t.Measured...), t.Largest...)
	if k.shrink != nil {
		row.Figures = append(row.Figures, ratioHistogram(k.name, t.Ratios))
	}
	row.Figures = append(row.Figures, t.Figures...)
	for _, regime := range k.regimes {
		if !slices.ContainsFunc(t.Rows, func(r tallyRow) bool { return r.Regime == regime }) {
			row.NotDrawn = append(row.NotDrawn, k.name+": "+regime)
		}
	}
}

// addControlled counts a control for the criteria that have rejected it on every one of n replicates.
func (row *ClaimResult) addControlled(rejections map[criterionKey]int, n int) {
	for i, p := range row.Criteria {
		if rejections[criterionKey{p.Check, p.Name}] == n {
			row.Criteria[i].Controls++
		}
	}
}

// uncontrolled lists the criteria that no control violates: they could be replaced by a tautology, and nothing would
// turn red.
func (row *ClaimResult) uncontrolled() []string {
	var out []string
	for _, p := range row.Criteria {
		if p.Controls == 0 {
			out = append(out, fmt.Sprintf("%s / %s rejects no control", p.Check, p.Name))
		}
	}
	return out
}

func newCriterionResult(k checker, c Criterion) CriterionResult {
	return CriterionResult{Check: k.name, Name: c.Name, Form: c.Form, Unit: c.Unit, Coarse: k.coarse[c.Name],
		Margin: Number(c.Margin), Detects: Number(c.Detects), Needs: Number(c.Needs)}
}

func (p *CriterionResult) addRegime(r tallyRow) {
	// the regimes are tests of their own
	p.Alpha, p.Undecided = p.Alpha+r.Criterion.Alpha, p.Undecided+r.Criterion.Undecided
	w := worse(Ratio{float64(p.Ratio), float64(p.Lower)}, r.Worst)
	p.Ratio, p.Lower = Number(w.Value), Number(w.Lower)
	p.Regimes = append(p.Regimes, RegimeResult{
		Name: r.Regime, Cases: r.Cases, Ratio: Number(r.Worst.Value), Near: nearOf(r.Nears),
		Run: Number(quantile(r.Epsilons, 0)), Median: Number(quantile(r.Epsilons, 0.5)),
		Decile: Number(quantile(r.Epsilons, 0.9)),
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

// conclude sets the figures of a criterion over all its regimes: the worst count.
func (p *CriterionResult) conclude() {
	p.Verdict = Ratio{float64(p.Ratio), float64(p.Lower)}.Verdict()
	p.Near = Number(math.NaN())
	for _, r := range p.Regimes {
		p.Resolution = max(p.Resolution, r.Median)
		if !(p.Near <= r.Near) && !math.IsNaN(float64(r.Near)) {
			p.Near = r.Near
		}
	}
}

// summariseResolution sets the figure that the row shows: the median case of the worst regime of the coarsest
// criterion. Bounds count only where there is nothing else; a condition on a sign has no resolution.
func (row *ClaimResult) summariseResolution() {
	bounds, others := Number(0), Number(0)
	only := true
	for _, p := range row.Criteria {
		switch p.Form {
		case YesNo:
		case Bound:
			bounds = max(bounds, p.Resolution)
		case Exactness:
			only = false
		default:
			others, only = max(others, p.Resolution), false
		}
		if p.Form != YesNo {
			row.Resolutions = append(row.Resolutions, ResolutionResult{Of: p.Check + ": " + p.Name, Unit: p.Unit,
				Value: p.Resolution})
		}
	}
	row.Resolution = others
	if only {
		row.Resolution = bounds
	}
}

// addPrinted records a control that is an erratum or a reading of the statement.
func (row *ClaimResult) addPrinted(s *theory.Statement, c ControlResult, shown string) {
	result := ErratumResult{Refuted: c.Rejected, Ratio: c.Ratio, Evidence: shown, Message: c.Message}
	if e := s.Erratum(c.Erratum); e != nil {
		result.ID, result.Printed, result.Counterexample = e.ID, e.Printed, e.Counterexample
		row.Errata = append(row.Errata, result)
	}
	if r := s.Reading(c.Reading); r != nil {
		result.ID, result.Printed, result.Counterexample = r.ID, r.Reading, r.Counterexample
		row.Readings = append(row.Readings, result)
	}
}

// warnings says what is green by luck: a criterion whose worst ratio is more than half of what would refute it.
func (row *ClaimResult) warnings() []string {
	var out []string
	for _, p := range row.Criteria {
		if p.Verdict == Holds && p.Form != YesNo && p.Ratio > 0.5 {
			out = append(out, fmt.Sprintf("%s: %s passed at a ratio of %.2f: more than half of what would refute it", p.Check,
				p.Name, float64(p.Ratio)))
		}
	}
	return out
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
