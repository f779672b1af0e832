package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props/results"
)

// controlView is a wrong version of a claim.
type controlView struct {
	Name, Drops, Ratio, Outcome, Sign, Message string
	Basis                                      string // what its rejection rests on
	Rejected                                   bool
	Strip                                      template.HTML

	ratio float64
}

// erratumView is a printed error or a reading that fails.
type erratumView struct {
	Printed, Locus, Correct, Counterexample, Evidence, Outcome, Ratio, Message string
	Refuted, Run                                                               bool
}

// controls sorts the wrong versions, those that were not rejected first and then from the smallest ratio on.
func (v *evidenceView) controls(c *results.Claim) {
	var all []controlView
	for _, x := range c.Controls {
		all = append(all, control(x))
	}
	slices.SortStableFunc(all, func(a, b controlView) int {
		if a.Rejected != b.Rejected {
			return map[bool]int{true: 1, false: -1}[a.Rejected]
		}
		return cmp.Compare(a.ratio, b.ratio)
	})
	accepted := slices.IndexFunc(all, func(view controlView) bool { return view.Rejected })
	if accepted < 0 {
		accepted = len(all)
	}
	n := min(len(all), max(openRows, accepted))
	v.Closest, v.Controls = all[:n], all[n:]
	if len(v.Controls) > 0 {
		v.Farther = v.Controls[0].Ratio
	}
}

func control(c results.Control) controlView {
	view := controlView{Name: c.Name, Drops: c.Assumption, Ratio: number(c.Ratio), Rejected: c.Rejected,
		Message: c.Message, Outcome: "rejected", Sign: "✓", ratio: float64(c.Ratio)}
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
	if c.Rejected {
		view.Basis = basis(c)
	}
	view.Strip = template.HTML(draw.Strip(wrong(draw.Control, c.Ratio, c.Message, c.Rejected),
		"ratio "+view.Ratio+"; a wrong version is rejected beyond 1"))
	return view
}

// basis says what the rejection of a wrong version rests on, and how likely another seed is to accept it.
func basis(c results.Control) string {
	text := ""
	switch {
	case c.Fixed:
		return "nothing about it is drawn"
	case c.Reserve > 0:
		text = fmt.Sprintf("its interval lies %s half-widths beyond the margin", number(c.Reserve))
	case c.Cases > 1:
		text = fmt.Sprintf("seen by %s of %s", whole(c.Seen), plural(c.Cases, "case", "cases"))
	}
	if c.Chance < 0.5 {
		text += "; accepted at another seed with probability " + number(c.Chance) + " at most"
	}
	return strings.TrimPrefix(text, "; ")
}

// refutedErrata joins what the statement says of its printed errors with what the run found.
func refutedErrata(e entry) []erratumView {
	var views []erratumView
	at := map[string]int{}
	if e.statement != nil {
		for _, x := range e.statement.Errata {
			at[x.ID] = len(views)
			views = append(views, erratumView{Printed: x.Printed, Locus: x.Locus, Correct: x.Correct,
				Counterexample: x.Counterexample, Outcome: "not checked in this run"})
		}
	}
	if e.result == nil {
		return views
	}
	return refutations(views, at, e.result.Errata)
}

// refutedReadings does for readings what refutedErrata does for printed errors.
func refutedReadings(e entry) []erratumView {
	var views []erratumView
	at := map[string]int{}
	if e.statement != nil {
		for _, x := range e.statement.Readings {
			at[x.ID] = len(views)
			views = append(views, erratumView{Printed: x.Reading, Locus: x.Locus, Correct: x.Correct,
				Counterexample: x.Counterexample, Outcome: "not checked in this run"})
		}
	}
	if e.result == nil {
		return views
	}
	return refutations(views, at, e.result.Readings)
}

// refutations adds what a run found to what the statement says, which is at the given places.
func refutations(views []erratumView, at map[string]int, results []results.Erratum) []erratumView {
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
