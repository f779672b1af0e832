package props

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/results"
)

// tally holds the findings of a check: for every criterion in every regime the number of cases, the worst ratio, and
// how small an error of the claim each case would have noticed. It is a plain value that survives encoding, and tallies
// of parts of the cases add up to the tally of all of them.
type tally struct {
	Rows     []tallyRow
	Cases    int
	Ratios   []float64 // the worst ratio of each case that is looked at closely
	Rejected int       // cases that refute what is claimed
	Failing  *failing  // the worst case, if it does not hold
	Broken   string    // the first comparison that meant nothing
	Measured []results.Measurement
	Largest  []results.Measurement
	Figures  []Figure
	Drawn    evidence.Ranges // of instances
}

// tallyRow is one criterion in one regime.
type tallyRow struct {
	Criterion Criterion
	Regime    string
	Cases     int // that state it, those included that decline it
	Declined  int // of these, cases with a comparison that was declined
	Rejected  int // of these, cases that refute it
	Worst     Ratio
	Reserve   float64   // see [Ratio.Reserve]
	Largest   []float64 // the ratios of the worst cases, the worst first
	Made      int       // comparisons of two numbers; a case may have several
	Same      int       // cases in which nothing differs at all
	Allowed   []float64 // per case looked at closely, by the comparison that allows most
	Epsilons  []float64 // likewise, the smallest perturbation that it rejects
	Nears     []float64 // likewise, the ratio of the near control
	Pairs     []compared
	Sides     *results.Sides // of the worst case, if it does not hold
}

// failing is a case that does not hold, in the claim's own terms.
type failing struct {
	Case  int
	Ratio Ratio
	Shown string
}

// add counts one case.
func (t *tally) add(index int, r *Record, render func() string) {
	worstOfCase := Ratio{}
	for _, f := range merged(r.findings) {
		t.row(f).count(f, r.detailed)
		worstOfCase = worstOfCase.And(f.Ratio)
		if !f.Ratio.Valid() && t.Broken == "" {
			t.Broken = fmt.Sprintf("criterion %q compares what is not a number, or has no positive finite tolerance:\n%s",
				f.Name, render())
		}
	}
	t.Cases++
	if r.detailed {
		t.Ratios = append(t.Ratios, worstOfCase.Value)
	}
	t.Rejected += count(worstOfCase.Verdict() == results.Refuted)
	if worstOfCase.Verdict() != results.Holds && (t.Failing == nil || worstOfCase.Worsens(t.Failing.Ratio)) {
		t.Failing = &failing{index, worstOfCase, render()}
	}
	t.Measured = append(t.Measured, r.measured...)
	t.largest(r.largest)
	t.Figures = append(t.Figures, r.figures...)
}

// count adds what a case said. A case that only declines says nothing of how small an error it would have noticed, and
// one that is not looked at closely was not asked.
func (r *tallyRow) count(f finding, closely bool) {
	r.Cases++
	r.Declined += count(f.Declined)
	r.Rejected += count(f.Ratio.Verdict() == results.Refuted)
	r.meet(f.Ratio, f.Sides)
	if f.Form == "" {
		return
	}
	r.Reserve = max(r.Reserve, f.Ratio.Reserve())
	r.Largest = largestOf(append(r.Largest, f.Ratio.Value))
	r.Made, r.Same = r.Made+f.Count, r.Same+count(f.Ratio == Ratio{})
	if closely {
		r.Allowed, r.Epsilons, r.Nears = append(r.Allowed, f.Allowed), append(r.Epsilons, f.Epsilon), append(r.Nears, f.Near)
	}
	r.keep(f.Pairs)
}

// meet takes a ratio with its sides where it is worse than what there is.
func (r *tallyRow) meet(ratio Ratio, sides *results.Sides) {
	if r.Sides == nil || ratio.Worsens(r.Worst) {
		r.Sides = sides
	}
	r.Worst = r.Worst.And(ratio)
}

// keptRatios is the number of largest ratios that are kept of a criterion in a regime: what its tail is extrapolated
// from.
const keptRatios = 10

// largestOf sorts ratios, the largest first, and keeps as many as there is room for.
func largestOf(ratios []float64) []float64 {
	slices.SortFunc(ratios, func(a, b float64) int { return cmp.Compare(b, a) })
	return ratios[:min(len(ratios), keptRatios)]
}

// row finds or makes the row of a finding.
func (t *tally) row(f finding) *tallyRow {
	for i := range t.Rows {
		if t.Rows[i].Criterion.Name == f.Name && t.Rows[i].Regime == f.Regime {
			return t.Rows[i].refine(f.Criterion)
		}
	}
	t.Rows = append(t.Rows, tallyRow{Criterion: f.Criterion, Regime: f.Regime})
	return &t.Rows[len(t.Rows)-1]
}

// keep adds comparisons, as long as there is room.
func (r *tallyRow) keep(pairs []compared) {
	r.Pairs = append(r.Pairs, pairs[:min(len(pairs), keptPairs-len(r.Pairs))]...)
}

// refine keeps the widest margin where a criterion has several.
func (r *tallyRow) refine(c Criterion) *tallyRow {
	if r.Criterion.Form == "" { // so far it was declined
		r.Criterion = c
	}
	r.Criterion.Alpha = max(r.Criterion.Alpha, c.Alpha)
	r.Criterion.Undecided = max(r.Criterion.Undecided, c.Undecided)
	r.Criterion.Margin = max(r.Criterion.Margin, c.Margin)
	r.Criterion.Detects = max(r.Criterion.Detects, c.Detects)
	r.Criterion.Needs = max(r.Criterion.Needs, c.Needs)
	return r
}

// merged joins what one case said of one criterion several times, in a loop for instance: the worst ratio counts, and
// an error of the claim is noticed if any of the comparisons notices it.
func merged(findings []finding) []finding {
	var out []finding
next:
	for _, f := range findings {
		for i := range out {
			g := &out[i]
			if g.Name != f.Name || g.Regime != f.Regime {
				continue
			}
			g.Declined = g.Declined || f.Declined
			switch {
			case f.Form == "":
				g.Ratio = g.Ratio.And(f.Ratio)
				continue next
			case g.Form == "":
				g.Criterion = Criterion{Name: f.Name, Form: f.Form, Unit: f.Unit}
			case g.Form != f.Form:
				panic(fmt.Sprintf("props: criterion %q is stated in two forms", f.Name))
			}
			if g.Sides == nil || f.Ratio.Worsens(g.Ratio) {
				g.Sides = f.Sides
			}
			g.Ratio, g.Pairs = g.Ratio.And(f.Ratio), append(g.Pairs, f.Pairs...)
			g.Alpha, g.Undecided = g.Alpha+f.Alpha, g.Undecided+f.Undecided
			g.Margin, g.Detects, g.Needs = max(g.Margin, f.Margin), max(g.Detects, f.Detects), max(g.Needs, f.Needs)
			if f.Epsilon < g.Epsilon {
				g.Epsilon, g.Near = f.Epsilon, f.Near
			}
			g.Slack, g.Allowed, g.Count = min(g.Slack, f.Slack), max(g.Allowed, f.Allowed), g.Count+f.Count
			continue next
		}
		out = append(out, f)
	}
	return out
}

func (t *tally) largest(measurements []results.Measurement) {
	for _, f := range measurements {
		at := slices.IndexFunc(t.Largest, func(g results.Measurement) bool { return g.Name == f.Name })
		switch {
		case at < 0:
			t.Largest = append(t.Largest, f)
		case f.Value > t.Largest[at].Value:
			t.Largest[at] = f
		}
	}
}

// join adds the tally of further cases.
func (t *tally) join(other *tally) {
	for _, o := range other.Rows {
		row := t.row(finding{Criterion: o.Criterion, Regime: o.Regime})
		row.Cases, row.Declined, row.Rejected = row.Cases+o.Cases, row.Declined+o.Declined, row.Rejected+o.Rejected
		row.meet(o.Worst, o.Sides)
		row.Reserve = max(row.Reserve, o.Reserve)
		row.Made, row.Same, row.Allowed = row.Made+o.Made, row.Same+o.Same, append(row.Allowed, o.Allowed...)
		row.Epsilons, row.Nears = append(row.Epsilons, o.Epsilons...), append(row.Nears, o.Nears...)
		row.Largest = largestOf(append(row.Largest, o.Largest...))
		row.keep(o.Pairs)
	}
	t.Cases, t.Ratios = t.Cases+other.Cases, append(t.Ratios, other.Ratios...)
	t.Rejected += other.Rejected
	if t.Failing == nil || other.Failing != nil && other.Failing.Ratio.Worsens(t.Failing.Ratio) {
		t.Failing = other.Failing
	}
	if t.Broken == "" {
		t.Broken = other.Broken
	}
	t.Measured = append(t.Measured, other.Measured...)
	t.largest(other.Largest)
	t.Figures = append(t.Figures, other.Figures...)
	t.Drawn.Join(other.Drawn, "")
}

// ratio is the worst of all rows; of no row at all it is invalid.
func (t *tally) ratio() Ratio {
	if len(t.Rows) == 0 {
		return invalid
	}
	w := Ratio{}
	for _, row := range t.Rows {
		w = w.And(row.Worst)
	}
	return w
}

// ratioOf is the worst ratio of one criterion, and whether it was stated at all.
func (t *tally) ratioOf(criterion string) (Ratio, bool) {
	w, found := Ratio{}, false
	for _, row := range t.Rows {
		if row.Criterion.Name == criterion {
			w, found = w.And(row.Worst), true
		}
	}
	return w, found
}

// worstCriterion names the criterion that rejects most strongly.
func (t *tally) worstCriterion() string {
	name, lower := "", math.Inf(-1)
	for _, row := range t.Rows {
		if row.Worst.Valid() && row.Worst.Lower > lower {
			name, lower = row.Criterion.Name, row.Worst.Lower
		}
	}
	return name
}

// quantile is the value below which a share of the sorted numbers lies; a number in the middle is one that was seen.
func quantile(xs []float64, share float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
