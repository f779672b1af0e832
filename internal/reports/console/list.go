package console

import (
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
)

// List returns the catalogue with the verdicts of the last run, with all columns if it may be wide.
func List(claims []props.Claim, last *results.Results, wide bool) *terminal.Table {
	heads := []string{"claim", "verdict", "what it says"}
	if wide {
		heads = append(heads, "kind", "standing", "source")
	}
	t := terminal.NewTable(heads...)
	for _, c := range claims {
		s := c.Statement
		verdict := terminal.Text("-")
		if row := runs.Row(last, s.Slug); row != nil {
			sign, paint := mark(*row)
			verdict = terminal.Painted(sign+" "+string(row.Verdict), paint)
		}
		cells := []terminal.Cell{terminal.Text(s.Slug), verdict, terminal.Text(s.Plain)}
		if wide {
			cells = append(cells, terminal.Text(string(s.Kind)), terminal.Text(string(s.Standing)),
				terminal.Text(Source(s.Source)))
		}
		t.Add(cells...)
	}
	return t
}

// Listed sums up the verdicts of the last run, claims and findings separately.
func Listed(claims []props.Claim, last *results.Results) string {
	var count reports.Counts
	for _, c := range claims {
		verdict := results.Verdict("")
		if row := runs.Row(last, c.Statement.Slug); row != nil {
			verdict = row.Verdict
		}
		count.Add(c.Statement.Standing, verdict)
	}
	return count.Sentence()
}

// Source returns the number of the paper, or its authors if it has none, and the place in it.
func Source(s theory.Source) string {
	name, _, _ := strings.Cut(s.Paper, ":")
	if s.ArXiv != "" {
		name = "arXiv " + s.ArXiv
	}
	return name + ", " + s.Locus
}
