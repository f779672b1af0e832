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
	"github.com/thm-suite/thm/internal/reports/headline"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// evidenceView is what a run found of a claim.
type evidenceView struct {
	cells
	Axis                    template.HTML
	Message, Counterexample string
	LongCounterexample      bool
	Theorem                 *figureView     // the first figure that somebody chose to draw
	Asked                   []criterionView // what decides, beside that figure
	Figures, Histograms     []figureView
	Measurements            []measurementView
	OfWrong                 []measurementView // of wrong versions, printed errors and readings
	FiguresOfWrong          []figureView      // likewise
	Conditions, Further     []criterionView   // those to look at first, and the rest
	Largest                 string            // ratio of the rest
	Chosen                  []string          // of how many conditions what was chosen after a look at the data
	Regimes                 []criterionView
	Closest, Controls       []controlView // likewise of wrong versions
	Farther                 string        // the smallest ratio of the rest
	Resolutions             []term
	NotDrawn, Warnings      []string
	Seconds, FalseAlarm     string
	Older                   string
	Times                   []checkTime
}

// figureView is a figure with its downloads.
type figureView struct {
	Title, Caption string
	SVG            template.HTML
	Files          []download
}

// download is a file that its link holds.
type download struct {
	Kind, Name string
	Href       template.URL
}

type measurementView struct {
	Name, Of, Claimed, Obtained, Interval string
}

// ofWords say what a measurement is of, if not of the claim.
var ofWords = map[figure.Subject]string{figure.OfControl: "wrong version", figure.OfErratum: "printed error",
	figure.OfReading: "reading that fails"}

type criterionView struct {
	Name, Check, Ratio, Test, Rule string
	Chosen                         string // what of it was, after a look at the data
	Verdict                        verdictView
	Strip                          template.HTML
	YesNo                          bool
	Coarse                         string
	Sides                          []string // of the regimes in which it does not hold
	Regimes                        []regimeView

	holds bool
	ratio float64
}

// regimeView is what a criterion found in one regime, and how small an error of the claim it would have noticed.
type regimeView struct {
	Name, Ratio, Run, Median, Decile, Near string
	Cases                                  int
	Declined                               string // of the cases, and how many may be
}

// The number of rows that stand open in a table of which the rest is folded away, and the number of lines beyond which
// a counterexample is folded away.
const (
	openRows           = 3
	longCounterexample = 40
)

// found prepares the result's half of a claim.
func found(c *results.Claim) evidenceView {
	v := evidenceView{cells: cellsOf(c), Axis: template.HTML(draw.StripAxis()),
		Message: c.Message, Counterexample: strings.TrimRight(c.Counterexample, "\n"), NotDrawn: c.NotDrawn,
		Older: older(c), Warnings: c.Warned(), Seconds: duration(c.Seconds), Times: checkTimes(c)}
	v.LongCounterexample = strings.Count(v.Counterexample, "\n") >= longCounterexample
	v.conditions(c)
	v.controls(c)
	v.figures(c)
	for _, m := range c.Measurements {
		if m.Of != "" {
			v.OfWrong = append(v.OfWrong, measurement(m))
		} else {
			v.Measurements = append(v.Measurements, measurement(m))
		}
	}
	for _, r := range c.Resolutions {
		if len(c.Criteria) == 0 || c.Criteria[0].Form == "" { // of a row that has no regimes
			v.Resolutions = append(v.Resolutions, term{Name: r.Of, Value: noticed(r)})
		}
	}
	return v
}

// conditions sorts the criteria, those that fail first and then by their ratios.
func (v *evidenceView) conditions(c *results.Claim) {
	alpha := 0.0
	var all []criterionView
	chosen := map[string]int{}
	for _, p := range c.Criteria {
		all = append(all, criterion(p))
		alpha += p.Alpha
		chosen[p.Chosen]++
	}
	for _, what := range slices.Sorted(maps.Keys(chosen)) {
		if what != "" {
			v.Chosen = append(v.Chosen, fmt.Sprintf("%d of %s: %s.", chosen[what],
				plural(len(all), "condition", "conditions"), headline.Chosen(what)))
		}
	}
	if alpha > 0 {
		v.FalseAlarm = draw.Number(alpha)
	}
	for _, view := range all {
		if len(view.Regimes) > 0 {
			v.Regimes = append(v.Regimes, view)
		}
	}
	slices.SortStableFunc(all, func(a, b criterionView) int {
		if a.holds != b.holds {
			return map[bool]int{true: 1, false: -1}[a.holds]
		}
		return cmp.Compare(b.ratio, a.ratio)
	})
	failing := slices.IndexFunc(all, func(view criterionView) bool { return view.holds })
	if failing < 0 {
		failing = len(all)
	}
	v.Asked = all[:min(len(all), openRows)]
	n := min(len(all), max(openRows, failing))
	v.Conditions, v.Further = all[:n], all[n:]
	if len(v.Further) > 0 {
		v.Largest = draw.Number(v.Further[0].ratio)
	}
}

func criterion(p results.Criterion) criterionView {
	view := criterionView{Name: p.Name, Ratio: number(p.Ratio), Verdict: verdictViews[p.Verdict], Test: test(p),
		Rule:  rule(p),
		YesNo: p.Form == results.YesNo, Coarse: p.Coarse, Chosen: headline.Chosen(p.Chosen),
		holds: p.Verdict == results.Holds, ratio: float64(p.Ratio)}
	if p.Check != p.Name {
		view.Check = p.Check
	}
	text := "ratio " + view.Ratio
	if p.Lower < p.Ratio {
		view.Ratio = number(p.Lower) + " … " + number(p.Ratio)
		text = "ratio between " + number(p.Lower) + " and " + number(p.Ratio)
	}
	view.Strip = template.HTML(draw.Strip([]draw.Mark{criterionMark(p)}, text+"; the condition is met up to 1"))
	if view.YesNo {
		view.Ratio, view.Strip = "–", ""
	}
	for _, r := range p.Regimes {
		view.Regimes = append(view.Regimes, regime(p, r))
	}
	view.Sides = sides(p)
	return view
}

// sides are those of each regime in which a criterion does not hold.
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
			text += fmt.Sprintf("; %s times the sample would make it as narrow as that", draw.Number(needs))
		}
	}
	return text
}

// rule says in plain words when a criterion is met.
func rule(p results.Criterion) string {
	switch {
	case p.Margin > 0:
		return fmt.Sprintf("met if the whole interval lies within %s of what is claimed", number(p.Margin))
	case p.Alpha > 0:
		return fmt.Sprintf("met unless a test fails that fails a true claim once in %s runs", draw.Number(1/p.Alpha))
	case p.Form == results.YesNo:
		return "met if a sign or a truth value is as claimed"
	case p.Form == results.Exactness:
		return "met if both sides agree to the last bit"
	case p.Form == results.Bound:
		return "met if what is obtained does not exceed the bound by more than rounding"
	}
	return "met if both sides differ by no more than rounding, discretisation or a derived error allows"
}

// regime words the resolutions of a criterion in one regime.
func regime(p results.Criterion, r results.Regime) regimeView {
	view := regimeView{Name: r.Name, Cases: r.Cases, Ratio: number(r.Ratio), Near: "–", Run: "–", Median: "–",
		Decile: "–"}
	if r.MayDecline > 0 {
		view.Declined = fmt.Sprintf("%d, at most %d", r.Declined, r.MayDecline)
	}
	switch {
	case p.Form == results.YesNo:
		view.Ratio = "–"
		return view
	case p.Form == results.Exactness && r.Run < 1e-15:
		view.Run, view.Median = "one bit", "one bit"
		if view.Decile = "one bit"; math.IsInf(float64(r.Decile), 1) {
			view.Decile = "nothing: it claims zero"
		}
		return view
	}
	view.Run, view.Median, view.Decile = number(r.Run), number(r.Median), number(r.Decile)
	if !math.IsNaN(float64(r.Near)) {
		view.Near = number(r.Near)
	}
	return view
}

func measurement(f results.Measurement) measurementView {
	digits := func(x results.Number) string { return draw.Digits(float64(x), 5) }
	ends := func(x results.Number) string { return draw.Digits(float64(x), 4) }
	view := measurementView{Name: f.Name, Of: ofWords[f.Of], Obtained: digits(f.Value), Claimed: "–", Interval: "–"}
	if f.Claimed != nil {
		view.Claimed = strings.TrimSpace(string(f.Relation) + " " + digits(*f.Claimed))
	}
	if f.Lo != nil && f.Hi != nil {
		view.Interval = "[" + ends(*f.Lo) + ", " + ends(*f.Hi) + "]"
	}
	return view
}

// figures draws the evidence: first the figure of the theorem, apart the histograms of ratios, which every check of
// instances has.
func (v *evidenceView) figures(c *results.Claim) {
	for i, f := range c.Figures {
		svg := draw.Evidence(f, fmt.Sprintf("%s/figure-%d", c.ID, i+1), sameQuantities(f, c.Figures)...)
		view := figureView{f.Title, f.Caption, template.HTML(svg), []download{
			{"SVG", fileName(c.ID, f.ID, "svg"), asData("image/svg+xml", draw.File(svg))},
			{"CSV", fileName(c.ID, f.ID, "csv"), asData("text/csv", draw.CSV(f))},
		}}
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

// sameQuantities are the figures among those of a claim that show the same curves of the same quantities as a figure,
// such as before and after a step: a reader compares them.
func sameQuantities(f figure.Figure, all []figure.Figure) []figure.Figure {
	names := func(f figure.Figure) (out []string) {
		for _, c := range f.Curves {
			out = append(out, c.Name)
		}
		return out
	}
	var out []figure.Figure
	for _, other := range all {
		if other.Kind == "" && f.Kind == "" && other.X == f.X && other.Y == f.Y && slices.Equal(names(other), names(f)) {
			out = append(out, other)
		}
	}
	return out
}
