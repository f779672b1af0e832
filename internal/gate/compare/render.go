package compare

import (
	"fmt"
	"io"
	"strings"
)

// Formats are the names that [Table.Render] knows.
var Formats = []string{"text", "brief", "json", "markdown", "github", "badge"}

// Render writes the table in a format: text for people, brief for people who gate, with the worst rows first and those
// that are the same counted, json for programs (schema thm.bench.compare/v2), markdown
// for a job's summary or a comment, github for annotations of a GitHub workflow, badge for an SVG of the outcome.
func (t *Table) Render(w io.Writer, format string) error {
	switch format {
	case "text":
		return t.text(w)
	case "brief":
		return t.brief(w)
	case "json":
		return t.json(w)
	case "markdown":
		return t.markdown(w)
	case "github":
		return t.github(w)
	case "badge":
		return t.badge(w)
	}
	return fmt.Errorf("unknown format %q; a format is one of %s", format, strings.Join(Formats, ", "))
}
