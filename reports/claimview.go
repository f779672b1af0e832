package reports

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/figure"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/reports/mathml"
	"github.com/thm-suite/thm/theory"
)

// claimView is what the template shows of one claim. The statement's half is empty for a result without statement,
// and the result's half for a statement without result.
type claimView struct {
	Slug, Title, Kind, Standing string
	Verdict                     verdictView
	Verified                    bool

	// What is claimed.
	Claim       []string
	Formula     template.HTML
	TeX         string // where the formula cannot be drawn
	Setting     []string
	Deviations  []string
	Proof       []string
	Tolerance   []string
	Limits      []string
	Params      []theory.Param
	Assumptions []assumptionView
	Source      theory.Source
	RestsOn     []string

	// What was found.
	cells
	Overview, Axis               template.HTML
	Message, Counterexample      string
	LongCounterexample           bool
	Figures, Histograms          []figureView
	Measurements                 []measurementView
	MeasurementsBeside           bool // there is room for them beside the last figure
	Criteria                     []criterionView
	Controls                     []controlView
	Errata, Readings             []erratumView
	Resolutions                  []term
	NotDrawn, Warnings           []string
	Command, Seconds, FalseAlarm string
}

type assumptionView struct {
	Text, NoControl string
	Controls        []string // the wrong versions that drop it
}

type figureView struct {
	Title, Caption string
	SVG            template.HTML
}

type measurementView struct {
	Name, Claimed, Obtained, Interval string
}

type criterionView struct {
	Name, Check, Ratio, Alpha, Detects string
	Verdict                            verdictView
	Strip                              template.HTML
	YesNo                              bool
	Coarse                             string
	Regimes                            []regimeView
}

// regimeView is what a criterion found in one regime, and how small an error of the claim it would have noticed.
type regimeView struct {
	Name, Ratio, Run, Median, Decile, Near string
	Cases                                  int
}

type controlView struct {
	Name, Drops, Ratio, Outcome, Sign, Message string
	Rejected                                   bool
	Strip                                      template.HTML
}

type erratumView struct {
	Printed, Locus, Correct, Counterexample, Evidence, Outcome, Ratio, Message string
	Refuted, Run                                                               bool
}

// source is where the claim is printed, from the statement if there is one.
func (e entry) source() theory.Source {
	if e.statement != nil {
		return e.statement.Source
	}
	return theory.Source{Paper: e.result.Source.Paper, ArXiv: e.result.Source.ArXiv, Locus: e.result.Source.Locus}
}

// view prepares one claim.
func (e entry) view(run props.RunInfo) claimView {
	v := claimView{Slug: e.slug(), Source: e.source(), Verdict: notVerified, Command: reproduce(e.slug(), run)}
	if e.statement != nil {
		v.claimed(e.statement, e.result)
	}
	if e.result != nil {
		v.found(e.result)
	}
	v.errata(e)
	v.readings(e)
	return v
}

// claimed fills in the statement's half.
func (v *claimView) claimed(s *theory.Statement, result *props.ClaimResult) {
	v.Title, v.Kind, v.Standing = s.Title, string(s.Kind), string(s.Standing)
	v.Claim, v.Setting, v.Deviations = paragraphs(s.Claim), paragraphs(s.Setting), paragraphs(s.Deviations)
	v.Params, v.RestsOn = s.Params, s.RestsOn
	v.Proof, v.Tolerance, v.Limits = paragraphs(s.Proof), paragraphs(s.Tolerance), paragraphs(s.Limits)
	if s.TeX != "" {
		formula, err := mathml.Convert(s.TeX)
		if err != nil {
			v.TeX = s.TeX // shown as source rather than not at all; a test keeps the catalogue free of it
		}
		v.Formula = template.HTML(formula)
	}
	for _, a := range s.Assumptions {
		view := assumptionView{Text: a.Text, NoControl: a.NoControl}
		if result != nil {
			for _, c := range result.Controls {
				if c.Assumption == a.ID {
					view.Controls = append(view.Controls, c.Name)
				}
			}
		}
		v.Assumptions = append(v.Assumptions, view)
	}
}

// longCounterexample is the number of lines beyond which a counterexample is folded away.
const longCounterexample = 40

// found fills in the result's half.
func (v *claimView) found(c *props.ClaimResult) {
	v.Title, v.Kind, v.Standing = c.Title, c.Kind, c.Standing
	v.Verified, v.Verdict = true, verdictViews[c.Verdict]
	v.cells = row(c)
	for _, x := range c.Controls {
		v.Controls = append(v.Controls, control(x))
	}
	v.Overview, v.Axis = overview(c), template.HTML(figure.StripAxis())
	v.Message, v.Counterexample = c.Message, strings.TrimRight(c.Counterexample, "\n")
	v.LongCounterexample = strings.Count(v.Counterexample, "\n") >= longCounterexample
	v.Seconds = duration(c.Seconds)
	v.figures(c)
	alpha := 0.0
	for _, p := range c.Criteria {
		v.Criteria = append(v.Criteria, criterion(p))
		alpha += p.Alpha
	}
	if alpha > 0 {
		v.FalseAlarm = figure.Number(alpha)
	}
	for _, f := range c.Measurements {
		v.Measurements = append(v.Measurements, measurement(f))
	}
	v.MeasurementsBeside = len(v.Figures)%2 == 1 && len(v.Measurements) <= 9
	v.NotDrawn, v.Warnings = c.NotDrawn, c.Warnings
	for _, r := range c.Resolutions {
		if len(c.Criteria) == 0 || c.Criteria[0].Form == "" { // of a row that has no regimes
			v.Resolutions = append(v.Resolutions, term{Name: r.Of, Value: noticed(r)})
		}
	}
}

func criterion(p props.CriterionResult) criterionView {
	view := criterionView{Name: p.Name, Ratio: number(p.Ratio), Alpha: "none", Verdict: verdictViews[p.Verdict]}
	if p.Check != p.Name {
		view.Check = p.Check
	}
	text := "ratio " + view.Ratio
	if p.Lower < p.Ratio {
		view.Ratio = number(p.Lower) + " … " + number(p.Ratio)
		text = "ratio between " + number(p.Lower) + " and " + number(p.Ratio)
	}
	if p.Alpha > 0 {
		view.Alpha = figure.Number(p.Alpha)
	}
	if p.Margin > 0 {
		view.Detects = fmt.Sprintf("margin %s; refutes from %s on; %s of the samples would do", number(p.Margin),
			number(p.Detects), percent(float64(p.Needs)))
	}
	view.Strip = template.HTML(figure.Strip([]figure.Mark{criterionMark(p)}, text+"; the condition is met up to 1"))
	if view.YesNo = p.Form == props.YesNo; view.YesNo {
		view.Ratio, view.Strip = "yes or no", ""
	}
	view.Coarse = p.Coarse
	for _, r := range p.Regimes {
		view.Regimes = append(view.Regimes, regime(p, r))
	}
	return view
}

// regime words the resolutions of a criterion in one regime.
func regime(p props.CriterionResult, r props.RegimeResult) regimeView {
	view := regimeView{Name: r.Name, Cases: r.Cases, Ratio: number(r.Ratio), Near: "–", Run: "–", Median: "–",
		Decile: "–"}
	switch {
	case p.Form == props.YesNo:
		view.Ratio = "–"
		return view
	case p.Form == props.Exactness && r.Run < 1e-15:
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

func control(c props.ControlResult) controlView {
	view := controlView{Name: c.Name, Drops: c.Assumption, Ratio: number(c.Ratio), Rejected: c.Rejected,
		Message: c.Message,
		Outcome: "rejected", Sign: "✓"}
	switch {
	case c.Message != "":
		view.Outcome, view.Sign = "not settled", "!"
	case !c.Rejected:
		view.Outcome, view.Sign = fmt.Sprintf("accepted; rejected on %s of replicates", percent(float64(c.Fraction))),
			"✗"
	}
	if c.Message != "" {
		view.Ratio = "–"
	}
	view.Strip = template.HTML(figure.Strip(wrong(figure.Control, c.Ratio, c.Message),
		"ratio "+view.Ratio+"; a wrong version is rejected beyond 1"))
	return view
}

func measurement(f props.Measurement) measurementView {
	digits := func(x props.Number) string { return figure.Digits(float64(x), 5) }
	ends := func(x props.Number) string { return figure.Digits(float64(x), 4) }
	view := measurementView{Name: f.Name, Obtained: digits(f.Value), Claimed: "–", Interval: "–"}
	if f.Claimed != nil {
		view.Claimed = digits(*f.Claimed)
	}
	if f.Lo != nil && f.Hi != nil {
		view.Interval = "[" + ends(*f.Lo) + ", " + ends(*f.Hi) + "]"
	}
	return view
}

// figures draws the evidence. Histograms of ratios, which every check of instances has, are kept apart.
func (v *claimView) figures(c *props.ClaimResult) {
	for i, f := range c.Figures {
		view := figureView{f.Title, f.Caption, template.HTML(figure.SVG(f, fmt.Sprintf("%s/figure-%d", c.ID, i+1)))}
		if f.Kind == figure.Ratios {
			v.Histograms = append(v.Histograms, view)
		} else {
			v.Figures = append(v.Figures, view)
		}
	}
}

// errata joins what the statement says of its printed errors with what the run found.
func (v *claimView) errata(e entry) {
	at := map[string]int{}
	if e.statement != nil {
		for _, x := range e.statement.Errata {
			at[x.ID] = len(v.Errata)
			v.Errata = append(v.Errata, erratumView{Printed: x.Printed, Locus: x.Locus, Correct: x.Correct,
				Counterexample: x.Counterexample,
				Outcome:        "not checked in this run"})
		}
	}
	if e.result == nil {
		return
	}
	v.Errata = refutations(v.Errata, at, e.result.Errata)
}

// readings does for readings what errata does for printed errors.
func (v *claimView) readings(e entry) {
	at := map[string]int{}
	if e.statement != nil {
		for _, x := range e.statement.Readings {
			at[x.ID] = len(v.Readings)
			v.Readings = append(v.Readings, erratumView{Printed: x.Reading, Locus: x.Locus, Correct: x.Correct,
				Counterexample: x.Counterexample,
				Outcome:        "not checked in this run"})
		}
	}
	if e.result != nil {
		v.Readings = refutations(v.Readings, at, e.result.Readings)
	}
}

// refutations adds what a run found to what the statement says, which is at the given places.
func refutations(views []erratumView, at map[string]int, results []props.ErratumResult) []erratumView {
	for _, x := range results {
		i, known := at[x.ID]
		if !known {
			i = len(views)
			views = append(views, erratumView{Printed: x.Printed, Counterexample: x.Counterexample})
		}
		view := &views[i]
		view.Run, view.Refuted, view.Ratio, view.Evidence, view.Message = true, x.Refuted, number(x.Ratio),
			strings.TrimRight(x.Evidence, "\n"), x.Message
		switch {
		case x.Refuted:
			view.Outcome = "refuted again"
		case x.Message != "":
			view.Outcome = "not settled"
		default:
			view.Outcome = "not refuted"
		}
	}
	return views
}
