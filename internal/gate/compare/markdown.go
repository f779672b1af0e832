package compare

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/thm-suite/thm/internal/terminal"
)

// markdown prints the outcome, what is wrong, the gated rows that are not the same, and all rows folded away.
func (t *Table) markdown(w io.Writer) error {
	var out strings.Builder
	o := t.Outcome()
	fmt.Fprintf(&out, "### Benchmarks: %s\n\n%s.", o.Name, inline(o.Reason))
	if tally := strings.TrimSpace(t.tally()); tally != "" {
		fmt.Fprintf(&out, " %s.", capital(tally))
	}
	out.WriteString("\n\n")
	for _, p := range t.Problems {
		fmt.Fprintf(&out, "- **%s**: %s\n", p.kind(), inline(p.Text))
	}
	if len(t.Problems) > 0 {
		out.WriteString("\n")
	}
	var loud []Row
	for _, v := range Verdicts {
		for _, r := range t.Rows {
			if r.Gated && r.Verdict == v && v != Same {
				loud = append(loud, r)
			}
		}
	}
	if len(loud) > 0 {
		markdownTable(&out, loud)
	}
	if len(t.Rows) > 0 {
		fmt.Fprintf(&out, "<details><summary>all %s</summary>\n\n", terminal.Plural(len(t.Rows), "row"))
		markdownTable(&out, t.Rows)
		out.WriteString("</details>\n\n")
	}
	if t.compares() {
		fmt.Fprintf(&out, "%s.\n", inline(t.Method))
		if t.PowerEstimate != nil {
			fmt.Fprintf(&out, "\n%s.\n", inline(capital(t.PowerEstimate.estimated())))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// capital begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func markdownTable(out *strings.Builder, rows []Row) {
	out.WriteString("| benchmark | unit | old | new | change | floor | verdict |\n|---|---|--:|--:|--:|--:|---|\n")
	for _, r := range rows {
		scale := benchunit.CommonScale(r.centers(), benchunit.ClassOf(r.Unit))
		show := func(s Summary) string {
			if s.N == 0 {
				return ""
			}
			return fmt.Sprintf("%s ± %s (%d)", scale.Format(float64(s.Center)), s.Range, s.N)
		}
		change, floor := "", ""
		if r.Old.N > 0 && r.New.N > 0 {
			lo, hi := r.Change.text()
			change = lo + " … " + hi
			if lo == hi {
				change = lo
			}
		}
		if r.Floor > 0 {
			floor = fmt.Sprintf("%.1f%%", 100*r.Floor)
		}
		verdict := r.Verdict.Word(r.Unit)
		if r.Verdict == Slower || r.Verdict == Unusable {
			verdict = "**" + verdict + "**"
		}
		if r.Needs > 0 {
			verdict += fmt.Sprintf(", needs n=%d", r.Needs)
		}
		if !r.Gated && r.Column != "" {
			verdict += " (not gated)"
		}
		name := code(r.Name)
		if r.Group != "" {
			name += " " + inline("("+strings.ReplaceAll(r.Group, "\n", ", ")+")")
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s |\n", name, code(r.Unit), show(r.Old), show(r.New), change,
			floor, verdict)
	}
	out.WriteString("\n")
}

// code is a text as code. HTML is used because backquotes cannot be escaped within backquotes, nor bars in tables.
func code(text string) string { return "<code>" + inline(text) + "</code>" }

// special are the characters that Markdown or HTML may give a meaning to.
var special = func() *strings.Replacer {
	var pairs []string
	for _, c := range "&<>\"'|`*_[]@\\~#$:!" {
		pairs = append(pairs, string(c), fmt.Sprintf("&#%d;", c))
	}
	return strings.NewReplacer(pairs...)
}()

// inline is a text without any meaning as Markdown or HTML, on one line.
func inline(text string) string {
	return special.Replace(visible(strings.Join(strings.Fields(text), " ")))
}
