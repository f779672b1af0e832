// Package console writes claims, runs and their results to a terminal, and shows the progress of a run.
package console

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/thm-suite/thm/props"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// mark returns a sign, the word, and a colour for a verdict, so that colour is never the only mark.
func mark(row results.Claim) (sign string, p terminal.Colour) {
	switch {
	case row.Verdict == results.Refuted:
		return "✗", terminal.Red
	case row.Missed():
		return "✗", terminal.Red // it holds, but so does a wrong version of it
	case row.Verdict == results.Error || row.Verdict == results.Unproven:
		return "!", terminal.Red
	case row.Unfinished():
		return "?", terminal.Yellow
	}
	return "✓", terminal.Green
}

// Result returns the text at the end of a run: the table, the failures, and the summary.
func Result(r *results.Results, s terminal.Style) string {
	return resultTable(r).Render(s) + failures(r, s) + "\n" + summary(r)
}

// resultTable returns the table at the end of a run.
func resultTable(r *results.Results) *terminal.Table {
	t := terminal.NewTable("claim", "verdict", "#cases", "#worst ratio", "#resolution", "#controls", "#errata",
		"#seconds")
	for _, row := range r.Claims {
		sign, p := mark(row)
		tried := reports.Tried(row)
		t.Add(terminal.Text(row.ID), terminal.Painted(sign+" "+string(row.Verdict), p),
			terminal.Painted(Count(row.Cases), short(row.Cases.Run == row.Cases.Planned)),
			terminal.Text(worstRatio(row)), terminal.Text(row.ResolutionText()),
			terminal.Painted(Count(tried.Controls), short(full(tried.Controls))),
			terminal.Painted(Count(tried.Errata), short(full(tried.Errata))),
			terminal.Text(fmt.Sprintf("%.1f", row.Seconds)))
	}
	return t
}

// short paints a count that falls short of its plan.
func short(full bool) terminal.Colour {
	if full {
		return terminal.Plain
	}
	return terminal.Red
}

func full(c results.Count) bool { return c.Run == c.Planned }

// Count writes how many of how many ran.
func Count(c results.Count) string {
	if c.Planned == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", c.Run, c.Planned)
}

// worstRatio returns the worst ratio, which means nothing if no check was judged.
func worstRatio(row results.Claim) string {
	if len(row.Criteria) == 0 {
		return "-"
	}
	return number(float64(row.WorstRatio), 2)
}

// number prints a float for a reader.
func number(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "undefined"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	}
	return fmt.Sprintf("%.*g", digits, x)
}

// summary counts a whole run, claims and findings apart, and then what was tried.
func summary(r *results.Results) string {
	var tried []string
	for _, part := range []struct {
		results.Count
		what string
	}{{r.Summary.Cases, "cases"}, {r.Summary.Controls, "controls rejected"}, {r.Summary.Errata, "errata refuted"},
		{r.Summary.Readings, "readings refuted"}} {
		if part.Planned > 0 {
			tried = append(tried, fmt.Sprintf("%d of %d %s", part.Run, part.Planned, part.what))
		}
	}
	out := reports.CountRows(r.Claims).Sentence() + "\n"
	if len(tried) > 0 {
		out += strings.Join(tried, "; ") + "\n"
	}
	return out + fmt.Sprintf("%s at %s effort, seed %d",
		terminal.Clock(time.Duration(r.Run.WallSeconds*float64(time.Second))), r.Run.Effort, r.Run.Seed)
}

// failures lists in full the reasons why rows are not green.
func failures(r *results.Results, s terminal.Style) string {
	var out strings.Builder
	for _, row := range r.Claims {
		var lines []string
		if row.Verdict != results.Holds {
			lines = append(lines, verdictLines(row)...)
		}
		for _, w := range row.Warned() {
			if r.Run.Effort == props.Quick {
				lines = append(lines, "warning: "+w)
			}
		}
		if row.Verdict != results.Incomplete { // an incomplete one lacks everything after the interruption
			lines = append(lines, missedLines(row)...)
		}
		if len(lines) > 0 {
			sign, p := mark(row)
			fmt.Fprintf(&out, "\n%s\n", s.Paint(p, sign+" "+row.ID+": "+string(row.Verdict)))
			for _, line := range lines {
				out.WriteString("  " + line + "\n")
			}
		}
	}
	return out.String()
}

// verdictLines says why a row is not green: the message, the failing parts, the counterexample.
func verdictLines(row results.Claim) []string {
	var lines []string
	if row.Message != "" {
		lines = append(lines, row.Message)
	}
	for _, p := range row.Criteria {
		if p.Verdict == results.Holds {
			continue
		}
		mark := ""
		if p.Chosen != "" {
			mark = "; " + reports.Chosen(p.Chosen)
		}
		lines = append(lines, fmt.Sprintf("%s: %s / %s, ratio %s, where at most 1 is allowed%s", p.Verdict, p.Check, p.Name,
			number(float64(p.Ratio), 3), mark))
		for _, r := range p.Regimes {
			in := ""
			if r.Name != "" {
				in = r.Name + ": "
			}
			if r.Sides != nil {
				lines = append(lines, "  "+in+r.Sides.String())
			}
			if r.Declined > r.MayDecline {
				lines = append(lines, fmt.Sprintf("  %sdeclined: %d of %s; at most %d may be", in, r.Declined,
					terminal.Plural(r.Cases, "case"), r.MayDecline))
			}
		}
	}
	if row.Counterexample != "" {
		lines = append(lines, "counterexample:")
		for _, line := range strings.Split(strings.TrimRight(row.Counterexample, "\n"), "\n") {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// missedLines names the wrong versions that were accepted or could not be tried.
func missedLines(row results.Claim) []string {
	var lines []string
	for _, c := range row.Controls {
		switch {
		case c.Message != "":
			lines = append(lines, fmt.Sprintf("control not tried: %s; %s", c.Name, c.Message))
		case !c.Rejected:
			lines = append(lines, fmt.Sprintf("control accepted: %s; rejected on a fraction %s of replicates only, "+
				"smallest "+
				"ratio %s",
				c.Name, number(float64(c.Fraction), 2), number(float64(c.Ratio), 3)))
		}
	}
	for _, e := range row.Errata {
		switch {
		case e.Message != "":
			lines = append(lines, fmt.Sprintf("printed form not tried: %s; %s", e.ID, e.Message))
		case !e.Refuted:
			lines = append(lines, fmt.Sprintf("printed form not refuted: %s; ratio %s", e.ID,
				number(float64(e.Ratio), 3)))
		}
	}
	return lines
}
