package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
)

// Claim returns everything about a claim: its statement, and the findings of the last run, which is read from a file.
func Claim(c props.Claim, last *results.Results, file string, s terminal.Style, width int) string {
	p := page{style: s, width: width}
	p.claim(c)
	p.evidence(c, last, file)
	return p.text.String()
}

// page sets headed paragraphs to the width of a terminal.
type page struct {
	text  strings.Builder
	style terminal.Style
	width int
}

func (p *page) heading(text string) {
	p.text.WriteString("\n" + p.style.Paint(terminal.Bold, text) + "\n")
}

// paragraph writes wrapped text. Its first line begins with lead, the others are indented by as much.
func (p *page) paragraph(lead, text string) {
	for _, line := range terminal.Wrap(text, p.width-terminal.Width(lead)) {
		p.text.WriteString(strings.TrimRight(lead+line, " ") + "\n")
		lead = strings.Repeat(" ", terminal.Width(lead))
	}
}

// section writes a heading and a paragraph, or nothing when there is no text.
func (p *page) section(heading, text string) {
	if text != "" {
		p.heading(heading)
		p.paragraph("  ", text)
	}
}

// definitions writes a heading and names with their explanations, which stand below each other.
func (p *page) definitions(heading string, names, texts []string) {
	if len(names) == 0 {
		return
	}
	p.heading(heading)
	width := 0
	for _, name := range names {
		width = max(width, terminal.Width(name))
	}
	for i, name := range names {
		p.paragraph("  "+name+strings.Repeat(" ", width-terminal.Width(name))+"  ", texts[i])
	}
}

// claim writes everything that does not depend on a run.
func (p *page) claim(c props.Claim) {
	s := c.Statement
	p.text.WriteString(p.style.Paint(terminal.Bold, s.Slug) + "  " + s.Title + "\n")
	p.paragraph("", s.Plain)
	p.paragraph("", fmt.Sprintf("%s, %s; %s", s.Kind, s.Standing, longSource(s.Source)))
	p.section("Setting", s.Setting) // the meaning of the claim's symbols
	p.section("Claim", s.Claim.String())
	p.heading("Formula")
	p.text.WriteString("  " + s.TeX + "\n") // not wrapped: it is for copying
	if len(s.Contradicted) > 0 {
		p.heading("Contradicted at other sizes, by a published experiment")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Contradicted)) {
		p.paragraph("  ", name+": "+s.Contradicted[name])
		p.text.WriteString("  " + source.Experiment(name) + "\n") // not wrapped: it is a link
	}
	p.symbols(s)
	p.assumptions(c)
	p.section("Deviations from the source", s.Deviations)
	p.section("Proof", s.Proof)
	p.section("Why this tolerance", s.Tolerance)
	p.section("What a pass does not show", s.Limits)
	if len(s.Errata) > 0 {
		p.heading("Printed forms that are false")
	}
	for _, e := range s.Errata {
		p.paragraph("  ", p.style.Paint(terminal.Bold, e.ID)+", "+e.Locus)
		p.paragraph("    printed:         ", e.Printed)
		p.paragraph("    holds instead:   ", e.Correct)
		p.paragraph("    counterexample:  ", e.Counterexample)
	}
	if len(s.Readings) > 0 {
		p.heading("Readings that fail")
	}
	for _, r := range s.Readings {
		p.paragraph("  ", p.style.Paint(terminal.Bold, r.ID)+", "+r.Locus)
		p.paragraph("    read as:         ", r.Reading)
		p.paragraph("    holds instead:   ", r.Correct)
		p.paragraph("    counterexample:  ", r.Counterexample)
	}
	p.section("Rests on", strings.Join(s.RestsOn, ", "))
	p.arrays(c)
}

// arrays lists the arrays that thm certify reads, or says why it takes none.
func (p *page) arrays(c props.Claim) {
	p.section("Your own numbers", c.Uncertifiable())
	instances, tables := c.Certifiable()
	for i, names := range [][]string{instances, tables} {
		if len(names) > 0 {
			p.heading([]string{"Arrays", "Columns of a table"}[i] +
				" of your own, for thm certify; --template writes an example")
		}
		for _, check := range names {
			p.paragraph("  "+check+": ", strings.Join(c.Arrays(check), ", "))
		}
	}
}

func longSource(s theory.Source) string {
	out := s.Paper
	if s.ArXiv != "" {
		out += ", arXiv " + s.ArXiv
	}
	if s.Version != "" {
		out += " (" + s.Version + ")"
	}
	if s.Year > 0 {
		out += fmt.Sprintf(", %d", s.Year)
	}
	return out + ", " + s.Locus
}

func (p *page) symbols(s *theory.Statement) {
	var symbols, texts []string
	for _, param := range s.Params {
		text := param.Meaning
		if param.Shape != "" {
			text += ", " + param.Shape
		}
		if param.Domain != nil {
			text += fmt.Sprintf("; %s=…, %s, default %s", param.Name, param.Domain, param.Default)
		}
		symbols, texts = append(symbols, param.Symbol), append(texts, text)
	}
	p.definitions("Symbols", symbols, texts)
}

func (p *page) assumptions(c props.Claim) {
	dropping := map[string][]string{}
	for _, control := range c.AllControls() {
		dropping[control.Assumption] = append(dropping[control.Assumption], control.Name)
	}
	var names, texts []string
	for _, a := range c.Statement.Assumptions {
		text := a.Text + "\nrejected without it: " + strings.Join(dropping[a.ID], "; ")
		if a.NoControl != "" {
			text = a.Text + "\nno control: " + a.NoControl
		}
		names, texts = append(names, a.ID), append(texts, text)
	}
	p.definitions("Assumptions", names, texts)
	p.section("Also rejected", strings.Join(dropping[""], "; "))
}

// evidence writes the findings of the last run.
func (p *page) evidence(c props.Claim, last *results.Results, file string) {
	row := runs.Row(last, c.Statement.Slug)
	p.heading("Last run")
	if row == nil {
		p.paragraph("  ", fmt.Sprintf("none in %s; run thm check %s", file, c.Statement.Slug))
		return
	}
	sign, colour := mark(*row)
	tried := reports.Tried(*row)
	p.paragraph("  ", fmt.Sprintf("%s on %s, %s effort, seed %d", p.style.Paint(colour, sign+" "+string(row.Verdict)),
		last.Run.Started.Format("2006-01-02"), last.Run.Effort, last.Run.Seed))
	p.paragraph("  ", fmt.Sprintf("%s cases, worst ratio %s, controls rejected %s, errata refuted %s",
		Count(row.Cases), worstRatio(*row), Count(tried.Controls), Count(tried.Errata)))
	for _, r := range row.Resolutions {
		value := number(float64(r.Value), 2) + ", " + string(r.Unit)
		if r.Unit == results.Exact && r.Value == 0 {
			value = "exact"
		}
		if r.Unit == results.Whole && r.Value < 1 {
			value = "exact, " + string(r.Unit)
		}
		p.paragraph("  resolution of "+r.Of+": ", value)
	}
	p.signs(row)
	p.chosen(row)
	for _, f := range row.Measurements {
		p.paragraph("  ", f.String())
	}
	for _, line := range verdictLines(*row) {
		p.text.WriteString("  " + line + "\n")
	}
}

// chosen names the conditions of which something was chosen after a look at the data.
func (p *page) chosen(row *results.Claim) {
	of := map[string][]string{}
	for _, c := range row.Criteria {
		if c.Chosen != "" {
			mark := reports.Chosen(c.Chosen)
			of[mark] = append(of[mark], c.Check+": "+c.Name)
		}
	}
	for _, mark := range slices.Sorted(maps.Keys(of)) {
		p.paragraph("  ", mark+": "+strings.Join(of[mark], "; "))
	}
}

// signs names the conditions that have no resolution: they are judged by a sign or a truth value alone.
func (p *page) signs(row *results.Claim) {
	var names []string
	for _, c := range row.Criteria {
		if c.Form == results.YesNo {
			names = append(names, fmt.Sprintf("%s: %s (%s)", c.Check, c.Name, c.Verdict))
		}
	}
	if len(names) > 0 {
		p.paragraph("  judged by a sign or a truth value, without resolution: ", strings.Join(names, "; "))
	}
}
