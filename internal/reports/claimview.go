package reports

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/reports/mathml"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// claimView holds the data of one claim for the template. Both halves are there: the statement is empty for a result
// that has none, and the findings are empty for a statement without a result.
type claimView struct {
	Level                       int // of the heading with the title
	Slug, Title, Kind, Standing string
	Anchor                      template.URL
	Verdict                     verdictView
	Verified                    bool
	links

	Stated              theory.Statement
	Says                woven
	TeX                 string // where the formula cannot be drawn
	From                theory.Source
	RestsOn, UsedBy     []reference
	UsedThrough         []reference // claims that rest on it through others
	Fallen              []reference // claims that it rests on and that this run did not find to hold
	Beyond              string      // what the claim gains from the effort
	Check, Predict, Try string      // commands
	Certify             string      // likewise, or
	Closed              string      // why there is none
	BibTeX              string
	Slider              *Slider

	evidenceView
}

// source returns the place where the claim is printed, from the statement if there is one.
func (e entry) source() theory.Source {
	if e.statement != nil {
		return e.statement.Source
	}
	return theory.Source{Paper: e.result.Source.Paper, ArXiv: e.result.Source.ArXiv, Locus: e.result.Source.Locus}
}

// title returns the title of the result, because that was verified, or else the title of the statement.
func (e entry) title() string {
	if e.result != nil {
		return e.result.Title
	}
	return e.statement.Title
}

// claim prepares one claim for a page with the given links.
func (s Site) claim(e entry, all *support, l links, level int) claimView {
	slug := e.slug()
	v := claimView{Level: level, Slug: slug, Anchor: template.URL("#" + slug), From: e.source(), Verdict: e.verdict(),
		Title: e.title(), links: l, Check: s.reproduce(slug, s.Results.Run)}
	v.Found = &results.Claim{}
	if e.statement != nil {
		v.claimed(e.statement, s.slider(e.statement))
		v.Predict, v.Try = s.commands(e.statement)
		if v.Closed = s.Closed[slug]; v.Closed == "" {
			v.Certify = s.Program + " show " + slug + " --template"
		}
	}
	if e.result != nil {
		v.Kind, v.Standing, v.Verified = e.result.Kind, e.result.Standing, true
		v.evidenceView, v.Beyond = found(e.result), s.Moved.beyond(slug)
	}
	v.BibTeX = bibTeX(v.From, slug)
	v.RestsOn, v.UsedBy = all.references(e.restsOn(), l), all.references(all.usedBy[slug], l)
	through := closure(slug, func(at string) []string { return all.usedBy[at] })
	v.UsedThrough = all.references(list.Without(through, all.usedBy[slug]), l)
	v.Fallen = all.references(all.fallen(slug), l)
	return v
}

// claimed fills in the statement's half.
func (v *claimView) claimed(s *theory.Statement, moved *Slider) {
	v.Stated, v.Kind, v.Standing, v.Slider = *s, string(s.Kind), string(s.Standing), moved
	formula, err := mathml.Convert(s.TeX)
	if err != nil {
		formula, v.TeX = "", s.TeX // shown as source rather than not at all; a test keeps the catalogue free of it
	}
	v.Says = weave(s.Claim, pieces(formula))
}

// Dropping lists the wrong versions that drop an assumption.
func (v claimView) Dropping(assumption string) (out []string) {
	for _, c := range v.Found.Controls {
		if c.Assumption == assumption {
			out = append(out, c.Name)
		}
	}
	return out
}

// commands returns the commands that evaluate a claim at a reader's own parameters: its closed forms, and a simulation
// where it has one.
func (s Site) commands(st *theory.Statement) (predict, try string) {
	words := []string{st.Slug}
	for _, p := range st.Params {
		if p.Domain != nil && p.Default != "" {
			words = append(words, p.Name+"="+p.Default)
		}
	}
	arguments := strings.Join(words, " ")
	if st.Predict != nil {
		predict = s.Program + " predict " + arguments
	}
	if s.Simulated[st.Slug] {
		try = s.Program + " try " + arguments
	}
	return predict, try
}

// reproduce returns the command that verifies one claim again as this run did.
func (s Site) reproduce(slug string, run results.Run) string {
	return fmt.Sprintf("%s check %s --seed %d --effort %s", s.Program, slug, run.Seed, run.Effort)
}
