package compare

import (
	"fmt"
	"io"
	"strings"
)

// maxAnnotations is the number of errors, and of warnings, that GitHub shows of one step.
const maxAnnotations = 10

// github prints workflow commands: an error for what fails the gate, a warning for what leaves it undecided, and a
// notice with the outcome.
func (t *Table) github(w io.Writer) error {
	var errors, warnings []string
	for _, p := range t.Problems {
		if p.Fatal {
			errors = append(errors, annotation("error", "unusable benchmark results", p.Text))
		} else {
			warnings = append(warnings, annotation("warning", "benchmark results", p.Text))
		}
	}
	for _, r := range t.Rows {
		if !r.Gated {
			continue
		}
		title := fmt.Sprintf("%s: %s", r.Verdict.Word(r.Unit), r.Name)
		switch r.Verdict {
		case Slower, Unusable:
			errors = append(errors, annotation("error", title, r.sentence()))
		case Undecided, Changed, Missing:
			warnings = append(warnings, annotation("warning", title, r.sentence()))
		}
	}
	o := t.Outcome()
	lines := append(few(errors, "error"), few(warnings, "warning")...)
	lines = append(lines, annotation("notice", "benchmarks: "+o.Name, o.Reason))
	_, err := io.WriteString(w, strings.Join(lines, ""))
	return err
}

// few leaves as many as GitHub shows, the last one saying how many there were.
func few(lines []string, kind string) []string {
	if len(lines) <= maxAnnotations {
		return lines
	}
	rest := len(lines) - maxAnnotations + 1
	return append(lines[:maxAnnotations-1:maxAnnotations-1],
		annotation(kind, "benchmarks", fmt.Sprintf("and %d more; see the log", rest)))
}

// sentence says what happened to a row.
func (r Row) sentence() string {
	out := fmt.Sprintf("%s, %s", r.Name, r.Unit)
	if r.Group != "" {
		out += " (" + strings.ReplaceAll(r.Group, "\n", ", ") + ")"
	}
	if r.Old.N > 0 && r.New.N > 0 {
		lo, hi := r.Change.text()
		out += fmt.Sprintf(": change between %s and %s", lo, hi)
	}
	if r.Reason != "" {
		out += ": " + r.Reason
	}
	if r.Needs > 0 {
		out += fmt.Sprintf("; needs %d samples a side", r.Needs)
	}
	return out
}

// annotation is a workflow command. Its text may hold anything.
func annotation(kind, title, text string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::%s title=%s::%s\n", kind, visible(property.Replace(title)), visible(data.Replace(text)))
}
