package report

import (
	"fmt"
	"strings"
)

// coverFile is the figure of a summary, beside it.
const coverFile = "figure.svg"

// Markdown renders the summary.
func Markdown(p page) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n\n", p.Sentence, p.Source)
	for _, text := range []string{p.Scope, p.Interrupted} {
		if text != "" {
			out.WriteString(text + "\n\n")
		}
	}
	writeTable(&out, p.Headlines)
	if p.Cover != nil {
		fmt.Fprintf(&out, "\n![%s](%s)\n\n%s\n", p.Cover.Title, coverFile, p.Cover.Caption)
	}
	fmt.Fprintf(&out, "\n%s runs, effort %s, seed %s: `%s`\n\n## What was run\n\n", p.Run[2].Value, p.Run[0].Value,
		p.Run[1].Value, p.Command)
	for _, text := range p.Setup {
		fmt.Fprintf(&out, "- %s\n", text)
	}
	for _, t := range p.Tables {
		unit := ""
		if t.Points {
			unit = ", in percentage points"
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s In the cells: %s, with its interval%s.\n\n", t.Title, t.Sentence, t.Quantity,
			unit)
		writeTable(&out, t)
	}
	for _, s := range p.Sections {
		if s.Table == nil && len(s.Facts) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n## %s\n", s.Title)
		if s.Text != "" {
			fmt.Fprintf(&out, "\n%s\n", s.Text)
		}
		if len(s.Facts) > 0 {
			fmt.Fprintf(&out, "\n- %s\n", strings.Join(s.Facts, "\n- "))
		}
		if s.Table != nil {
			out.WriteString("\n")
			writeTable(&out, *s.Table)
		}
	}
	return []byte(out.String())
}

// writeTable writes a table.
func writeTable(out *strings.Builder, t table) {
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	out.WriteString("| |")
	for _, c := range t.Columns {
		out.WriteString(" " + escape(c) + " |")
	}
	fmt.Fprintf(out, "\n| --- |%s\n", strings.Repeat(" --- |", len(t.Columns)))
	for _, r := range t.Rows {
		name := r.Name
		if r.Note != "" && name != "" {
			name += ", " + r.Note
			if strings.HasSuffix(r.Note, ".") { // a sentence
				name = "**" + r.Name + "**: " + r.Note
			}
		}
		fmt.Fprintf(out, "| %s |", escape(name))
		for _, c := range r.Cells {
			text := c.Evidence
			if c.Verdict != nil {
				text = strings.TrimSpace(c.Verdict.Sign + " " + c.Verdict.Word + " " + c.Evidence)
			}
			if c.Note != "" {
				text += " (" + c.Note + ")"
			}
			fmt.Fprintf(out, " %s |", escape(text))
		}
		out.WriteString("\n")
	}
}
