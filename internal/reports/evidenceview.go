package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// evidenceView holds the findings of a run about a claim, in the order in which a reader asks. The templates read the
// parts of the row as they are.
type evidenceView struct {
	cells
	Found                 *results.Claim // empty for a statement without result
	Axis                  template.HTML
	Counterexample        string
	LongCounterexample    bool
	Theorem               *figureView         // the first figure that somebody chose to draw
	Asked                 []results.Criterion // the deciding conditions, next to that figure
	Figures, Histograms   []figureView
	FiguresOfWrong        []figureView // of wrong versions, printed errors and readings
	Measurements, OfWrong []results.Measurement
	Conditions, Further   []results.Criterion // those to look at first, and the rest
	Chosen                []string            // choices made after looking at the data, with their numbers of conditions
	Closest, Controls     []results.Control   // likewise of wrong versions
	HasRegimes            bool
	Resolutions           []term
	Seconds, FalseAlarm   string
	Older                 string
	Times                 []checkTime
}

// figureView is a figure with its downloads.
type figureView struct {
	Title, Caption string
	SVG            template.HTML
	Files          []download
}

// drawn is a figure without downloads.
func drawn(f figure.Figure, svg string) figureView {
	return figureView{Title: f.Title, Caption: f.Caption, SVG: template.HTML(svg)}
}

// download is a file that its link holds.
type download struct {
	Kind, Name string
	Href       template.URL
}

// ofWords names the subject of a measurement that is not of the claim.
var ofWords = map[figure.Subject]string{figure.OfControl: "wrong version", figure.OfErratum: "printed error",
	figure.OfReading: "reading that fails"}

// The number of rows that stand open in a table whose rest is folded away, and the number of lines beyond which a
// counterexample is folded away.
const (
	openRows           = 3
	longCounterexample = 40
)

// found prepares the result's half of a claim.
func found(c *results.Claim) evidenceView {
	v := evidenceView{cells: cellsOf(c), Found: c, Axis: template.HTML(draw.StripAxis()),
		Counterexample: strings.TrimRight(c.Counterexample, "\n"), Older: older(c), Seconds: duration(c.Seconds),
		Times: checkTimes(c)}
	v.LongCounterexample = strings.Count(v.Counterexample, "\n") >= longCounterexample
	v.conditions(c)
	v.Closest, v.Controls = opened(c.Controls, func(x results.Control) bool { return x.Rejected },
		func(a, b results.Control) int { return cmp.Compare(a.Ratio, b.Ratio) })
	v.figures(c)
	v.OfWrong = list.Where(c.Measurements, func(m results.Measurement) bool { return m.Of != "" })
	v.Measurements = list.Where(c.Measurements, func(m results.Measurement) bool { return m.Of == "" })
	for _, r := range c.Resolutions {
		if r.Unit == results.Share || len(c.Criteria) == 0 || c.Criteria[0].Form == "" { // or of a row without regimes
			v.Resolutions = append(v.Resolutions, term{Name: r.Of, Value: noticed(r)})
		}
	}
	return v
}

// conditions sorts the criteria, those that fail first and then by their ratios.
func (v *evidenceView) conditions(c *results.Claim) {
	alpha := 0.0
	chosen := map[string]int{}
	for _, p := range c.Criteria {
		alpha += p.Alpha
		chosen[p.Chosen]++
		v.HasRegimes = v.HasRegimes || len(p.Regimes) > 0
	}
	for _, what := range slices.Sorted(maps.Keys(chosen)) {
		if what != "" {
			v.Chosen = append(v.Chosen, fmt.Sprintf("%d of %s: %s.", chosen[what],
				plural(len(c.Criteria), "condition", "conditions"), Chosen(what)))
		}
	}
	if alpha > 0 {
		v.FalseAlarm = draw.Number(alpha)
	}
	v.Conditions, v.Further = opened(c.Criteria, func(p results.Criterion) bool { return p.Verdict == results.Holds },
		func(a, b results.Criterion) int { return cmp.Compare(b.Ratio, a.Ratio) })
	v.Asked = v.Conditions[:min(len(v.Conditions), openRows)]
}

// opened sorts the rows of a table, those that fail first, and returns which stand open and which are folded away.
func opened[T any](rows []T, passes func(T) bool, compare func(a, b T) int) (open, folded []T) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b T) int {
		if passes(a) != passes(b) {
			return map[bool]int{true: 1, false: -1}[passes(a)]
		}
		return compare(a, b)
	})
	failing := slices.IndexFunc(rows, passes)
	if failing < 0 {
		failing = len(rows)
	}
	n := min(len(rows), max(openRows, failing))
	return rows[:n], rows[n:]
}

// ratio writes the ratio of a criterion, from the least to the largest if an interval decides.
func ratio(p results.Criterion) string {
	switch {
	case p.Form == results.YesNo:
		return "–"
	case p.Lower < p.Ratio:
		return number(p.Lower) + " … " + number(p.Ratio)
	}
	return number(p.Ratio)
}

// criterionStrip draws a ratio; a truth value has none.
func criterionStrip(p results.Criterion) template.HTML {
	if p.Form == results.YesNo {
		return ""
	}
	text := "ratio " + number(p.Ratio)
	if p.Lower < p.Ratio {
		text = "ratio between " + number(p.Lower) + " and " + number(p.Ratio)
	}
	return template.HTML(draw.Strip([]draw.Mark{criterionMark(p)}, text+"; the condition is met up to 1"))
}

// sides returns the sides of each regime in which a criterion does not hold.
func sides(p results.Criterion) []string {
	var out []string
	for _, r := range p.Regimes {
		if r.Sides != nil {
			out = append(out, strings.TrimPrefix(r.Name+": "+r.Sides.String(), ": "))
		}
	}
	return out
}

// test says how a criterion judges, and how surely.
func test(p results.Criterion) string {
	text := rule(p)
	if p.Margin > 0 {
		text += fmt.Sprintf("; it misses the true value once in %s runs, and a difference above %s would be noticed",
			draw.Number(1/p.Alpha), number(p.Detects))
		if needs := float64(p.Needs); needs > 1 {
			text += fmt.Sprintf("; %s times as many samples would make it that narrow", draw.Number(needs))
		}
	}
	return text
}

// rule says in plain words when a criterion is met.
func rule(p results.Criterion) string {
	switch {
	case p.Unit == results.Whole:
		return "met if the interval contains only the claimed whole number"
	case p.Margin > 0:
		return fmt.Sprintf("met if the whole interval lies within %s of the claimed value", number(p.Margin))
	case p.Unit == results.Share:
		return fmt.Sprintf("met if the whole interval shows at least the effect that is claimed; it misses the true value "+
			"once in %s runs", draw.Number(1/p.Alpha))
	case p.Alpha > 0:
		return fmt.Sprintf("met unless a test fails that fails a true claim once in %s runs", draw.Number(1/p.Alpha))
	case p.Form == results.YesNo:
		return "met if a sign or a truth value is as claimed"
	case p.Form == results.Exactness:
		return "met if both sides agree to the last bit"
	case p.Form == results.Bound:
		return "met if the obtained value exceeds the bound by no more than rounding"
	}
	return "met if both sides differ by no more than rounding, discretisation or a derived error allows"
}

// resolved words the errors of the claim that a criterion notices in one regime: in the run, in the median case and in
// nine cases of ten.
func resolved(p results.Criterion, r results.Regime) []string {
	switch {
	case p.Form == results.YesNo:
		return []string{"–", "–", "–"}
	case p.Unit == results.Whole && r.Run < 1 && r.Decile < 1:
		return []string{"one", "one", "one"}
	case p.Form != results.Exactness || r.Run >= 1e-15:
		return []string{number(r.Run), number(r.Median), number(r.Decile)}
	case math.IsInf(float64(r.Decile), 1):
		return []string{"one bit", "one bit", "nothing: it claims zero"}
	}
	return []string{"one bit", "one bit", "one bit"}
}

// near words the ratio of the near control, which an exact criterion does not need.
func near(p results.Criterion, r results.Regime) string {
	if p.Form == results.YesNo || p.Form == results.Exactness && r.Run < 1e-15 || math.IsNaN(float64(r.Near)) {
		return "–"
	}
	return number(r.Near)
}

func claimedOf(m results.Measurement) string {
	if m.Claimed == nil {
		return "–"
	}
	return strings.TrimSpace(string(m.Relation) + " " + draw.Digits(float64(*m.Claimed), 5))
}

func obtained(m results.Measurement) string { return draw.Digits(float64(m.Value), 5) }

func interval(m results.Measurement) string {
	if m.Lo == nil || m.Hi == nil {
		return "–"
	}
	return "[" + draw.Digits(float64(*m.Lo), 4) + ", " + draw.Digits(float64(*m.Hi), 4) + "]"
}

// figures draws the evidence: first the figure of the theorem, apart the histograms of ratios, which every check of
// instances has.
func (v *evidenceView) figures(c *results.Claim) {
	for i, f := range c.Figures {
		svg := draw.Evidence(f, fmt.Sprintf("%s/figure-%d", c.ID, i+1), sameQuantities(f, c.Figures)...)
		view := drawn(f, svg)
		view.Files = []download{{"SVG", fileName(c.ID, f.ID, "svg"), asData("image/svg+xml", draw.File(svg))},
			{"CSV", fileName(c.ID, f.ID, "csv"), asData("text/csv", draw.CSV(f))}}
		switch {
		case f.Kind == figure.Ratios:
			v.Histograms = append(v.Histograms, view)
		case f.Of != "":
			v.FiguresOfWrong = append(v.FiguresOfWrong, view)
		case v.Theorem == nil:
			v.Theorem = &view
		default:
			v.Figures = append(v.Figures, view)
		}
	}
}

// sameQuantities returns the figures of a claim that show the same curves of the same quantities as a figure, such as
// before and after a step, because readers compare them.
func sameQuantities(f figure.Figure, all []figure.Figure) []figure.Figure {
	names := func(f figure.Figure) (out []string) {
		return list.Map(f.Curves, func(c figure.Curve) string { return c.Name })
	}
	return list.Where(all, func(x figure.Figure) bool {
		return x.Kind == "" && f.Kind == "" && x.X == f.X && x.Y == f.Y && slices.Equal(names(x), names(f))
	})
}
