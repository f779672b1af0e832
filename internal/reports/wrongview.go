package reports

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// erratumView holds a printed error or a reading that fails, and the outcome of the run.
type erratumView struct {
	theory.Erratum
	Heading string // of the sentence, which for a reading was not printed
	Found   results.Erratum
	Run     bool
}

// outcome describes, with a sign, whether a wrong version was rejected.
func outcome(c results.Control) verdictView {
	switch {
	case c.Message != "":
		return verdictView{Word: "not settled", Sign: "!"}
	case !c.Rejected:
		return verdictView{Word: fmt.Sprintf("accepted; rejected on %s of replicates", percent(float64(c.Fraction))),
			Sign: "✗"}
	}
	return verdictView{Word: "rejected", Sign: "✓"}
}

// reached writes the smallest ratio of a wrong version that ran to its end.
func reached(c results.Control) string {
	if c.Message != "" {
		return "–"
	}
	return number(c.Ratio)
}

func controlStrip(c results.Control) template.HTML {
	return template.HTML(draw.Strip(wrong(draw.Control, c.Ratio, c.Message, c.Rejected),
		"ratio "+reached(c)+"; a wrong version is rejected beyond 1"))
}

// basis names the evidence for the rejection of a wrong version, and how likely another seed is to accept it.
func basis(c results.Control) string {
	text := ""
	switch {
	case !c.Rejected:
		return ""
	case c.Fixed && c.Replicates > 1: // with one replicate nothing shows whether it is random
		return fmt.Sprintf("the same in all %d replicates", c.Replicates)
	case math.IsInf(float64(c.Reserve), 1):
		text = "its interval has no width and lies beyond the margin"
	case c.Reserve > 0:
		text = fmt.Sprintf("its interval lies %s half-widths beyond the margin", number(c.Reserve))
	case c.Cases > 1:
		text = fmt.Sprintf("seen by %s of %s", whole(c.Seen), plural(c.Cases, "case", "cases"))
	}
	if c.Chance < 0.5 {
		text += "; accepted at another seed with probability at most " + number(c.Chance)
	}
	return strings.TrimPrefix(text, "; ")
}

// Errata joins the statement's printed errors with the outcomes of the run.
func (v claimView) Errata() []erratumView {
	return refuted("As printed", v.Stated.Errata, v.Found.Errata)
}

// Readings does the same as Errata for readings.
func (v claimView) Readings() []erratumView {
	return refuted("As one might read it", list.Map(v.Stated.Readings, func(r theory.Reading) theory.Erratum {
		return theory.Erratum{ID: r.ID, Printed: r.Reading, Locus: r.Locus, Correct: r.Correct,
			Counterexample: r.Counterexample}
	}), v.Found.Readings)
}

// refuted joins sentences of a statement with the outcomes of a run, including outcomes of sentences that the statement
// no longer has.
func refuted(heading string, printed []theory.Erratum, found []results.Erratum) []erratumView {
	views := list.Map(printed, func(e theory.Erratum) erratumView { return erratumView{Erratum: e, Heading: heading} })
	for _, x := range found {
		i := slices.IndexFunc(printed, func(e theory.Erratum) bool { return e.ID == x.ID })
		if i < 0 {
			i = len(views)
			views = append(views, erratumView{Heading: heading,
				Erratum: theory.Erratum{Printed: x.Printed, Counterexample: x.Counterexample}})
		}
		views[i].Found, views[i].Run = x, true
	}
	return views
}

// Outcome describes whether the run refuted the error or reading.
func (e erratumView) Outcome() string {
	switch {
	case !e.Run:
		return "not checked in this run"
	case e.Found.Refuted:
		return "refuted again"
	case e.Found.Message != "":
		return "not settled"
	}
	return "not refuted"
}
