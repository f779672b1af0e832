package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/perf/benchunit"
)

// text prints one block for each group, unit and column in benchstat's layout, with the interval of the change, the
// noise floor and the verdict to its right; then what is wrong, what α is the chance of, and the outcome.
func (t *Table) text(w io.Writer) error {
	var out strings.Builder
	group := ""
	for i, b := range t.blocks() {
		if i > 0 {
			out.WriteByte('\n')
		}
		if b.Group != group && b.Group != "" {
			out.WriteString(b.Group + "\n")
		}
		group = b.Group
		b.text(&out)
	}
	if len(t.Rows) > 0 {
		out.WriteByte('\n')
	}
	for _, p := range t.Problems {
		out.WriteString(p.kind() + ": " + p.Text + "\n")
	}
	if t.compares() {
		out.WriteString(t.Method + "\n")
		if t.PowerEstimate != nil {
			out.WriteString(t.PowerEstimate.estimated() + "\n")
		}
		out.WriteString(t.tally())
	}
	_, err := io.WriteString(w, visible(out.String()))
	return err
}

// visible replaces what a terminal would obey: names come from files, and files from anywhere.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// kind is the word before a problem.
func (p Problem) kind() string {
	if p.Fatal {
		return "unusable"
	}
	return "warning"
}

// compares reports whether the table compares anything, or tried to.
func (t *Table) compares() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Column != "" })
}

// tally counts the gated rows by verdict, in words that fit all units.
func (t *Table) tally() string {
	var parts []string
	for _, v := range Verdicts {
		if n := t.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.Word("")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "gated rows: " + strings.Join(parts, ", ") + "\n"
}

// blockRows are the rows of one group, unit and column.
type blockRows struct {
	Group, Unit, Column string
	Rows                []Row
	Geomean             *Geomean
}

// blocks sorts the rows into blocks, in the order in which they first appear.
func (t *Table) blocks() []blockRows {
	type key struct{ group, unit, column string }
	var out []blockRows
	at := map[key]int{}
	for _, r := range t.Rows {
		k := key{r.Group, r.Unit, r.Column}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, blockRows{Group: r.Group, Unit: r.Unit, Column: r.Column})
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	for i := range t.Geomeans {
		m := &t.Geomeans[i]
		if k, ok := at[key{m.Group, m.Unit, m.Column}]; ok {
			out[k].Geomean = m
		}
	}
	return out
}

func (b blockRows) text(out *strings.Builder) {
	notes := &footnotes{}
	first := b.Rows[0]
	l := layout{columns: columnsOf(first.Column != "")}
	l.head(span{1, 3, first.Base}, span{4, 9, first.Column}, span{10, 13, ""})
	l.head(span{1, 3, b.Unit}, span{4, 6, b.Unit}, span{7, 9, "vs base"}, span{10, 11, "change"}, span{12, 12, "floor"},
		span{13, 13, "verdict"})
	for _, r := range b.Rows {
		l.rows = append(l.rows, r.cells(notes))
	}
	if m := b.Geomean; m != nil {
		l.rows = append(l.rows, m.cells(notes))
	}
	l.print(out)
	notes.print(out)
}

func (r Row) cells(notes *footnotes) []string {
	scale := benchunit.CommonScale(r.centers(), benchunit.ClassOf(r.Unit))
	cells := make([]string, 14)
	cells[0] = strings.ReplaceAll(r.Name, "\n", " ")
	if r.Old.N > 0 {
		cells[1], cells[2] = scale.Format(float64(r.Old.Center)), r.Old.Range
	}
	if r.New.N > 0 {
		cells[4], cells[5] = scale.Format(float64(r.New.Center)), r.New.Range
	}
	if r.Test != "" {
		cells[7], cells[8] = r.Delta, "("+r.Test+")"
	}
	marks := notes.add(r.Warnings...)
	switch {
	case r.Test != "":
		cells[9] = marks
	case r.New.N > 0:
		cells[6] = marks
	default:
		cells[3] = marks
	}
	if r.Old.N > 0 && r.New.N > 0 {
		cells[10], cells[11] = r.Change.text()
	}
	if r.Floor > 0 {
		cells[12] = fmt.Sprintf("%.1f%%", 100*r.Floor)
	}
	cells[13] = r.said(notes)
	return cells
}

func (r Row) centers() []float64 {
	var out []float64
	for _, s := range []Summary{r.Old, r.New} {
		if s.N > 0 {
			out = append(out, float64(s.Center))
		}
	}
	return out
}

// said is the verdict with what it would take, and a footnote with the reason.
func (r Row) said(notes *footnotes) string {
	out := r.Verdict.Word(r.Unit)
	if r.Column != "" && !r.Gated {
		out += " (not gated)"
	}
	if r.Needs > 0 {
		out += fmt.Sprintf(", needs n=%d", r.Needs)
	}
	if r.Reason != "" && r.Verdict != Added && r.Verdict != Missing {
		out += " " + notes.add(r.Reason)
	}
	return out
}

// text prints the ends of the interval as relative changes.
func (c Interval) text() (lo, hi string) { return percent(c.Lo), percent(c.Hi) }

func percent(ratio Number) string {
	change := 100 * (float64(ratio) - 1)
	switch {
	case math.IsNaN(change):
		return "?"
	case math.IsInf(change, 1):
		return "+∞"
	case math.Abs(change) >= 1000:
		return fmt.Sprintf("%+.3g%%", change)
	case change != 0 && math.Abs(change) < 0.05:
		return fmt.Sprintf("%+.1g%%", change) // a change that is not nothing
	}
	return fmt.Sprintf("%+.1f%%", change)
}

func (m *Geomean) cells(notes *footnotes) []string {
	cells := make([]string, 14)
	cells[0] = "geomean"
	class := benchunit.ClassOf(m.Unit)
	if !math.IsNaN(float64(m.Old)) {
		cells[1] = benchunit.Scale(float64(m.Old), class)
	}
	marks := notes.add(m.Warnings...)
	if m.Column == "" {
		cells[3] = marks
		return cells
	}
	if !math.IsNaN(float64(m.New)) {
		cells[4] = benchunit.Scale(float64(m.New), class)
	}
	cells[7], cells[9] = m.delta(), marks
	return cells
}

func (m *Geomean) delta() string {
	if math.IsNaN(float64(m.Ratio)) {
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", 100*(float64(m.Ratio)-1))
}
