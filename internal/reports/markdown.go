package reports

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// The sizes of the sections of a Markdown report, in bytes. Together they stay below 100 kB, which the summary of a
// CI job takes with room to spare.
const (
	tableBudget    = 35_000
	failuresBudget = 40_000
	errataBudget   = 15_000
)

// Markdown returns the report as GitHub-flavoured Markdown for the summary of a CI job: the table, what failed with
// its counterexample, the printed errors, and how to run it again. Rows that do not fit are counted and left to the
// HTML report.
func Markdown(s Site) ([]byte, error) {
	entries := s.entries()
	var b strings.Builder
	fmt.Fprintf(&b, "## thm: %s\n\n", inline(counts(entries).Sentence()))
	fmt.Fprintf(&b, "%s\n\n", inline(circumstancesLine(s.Results)))
	if s.Results.Run.Interrupted {
		b.WriteString("**This run was stopped before its end.**\n\n")
	}
	b.WriteString("| claim | verdict | cases | worst ratio | resolution | wrong versions rejected | printed errors " +
		"refuted |\n")
	b.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
	b.WriteString(bounded(entries, tableRow, tableBudget))
	b.WriteString("\nThe claim holds when no ratio exceeds 1. The resolution is how wrong the formula could have been " +
		"without being noticed; for a finding it is the smallest effect that would have been detected, as a share of " +
		"the observed effect.\n")
	if failures := list.Where(entries, entry.failed); len(failures) > 0 {
		b.WriteString("\n### What failed\n\n" + bounded(failures, s.failure, failuresBudget))
	}
	if errata := list.Where(entries, entry.corrects); len(errata) > 0 {
		b.WriteString("\n### Printed errors\n\n| claim | as printed | this run |\n| --- | --- | --- |\n" +
			bounded(errata, erratumRows, errataBudget))
	}
	if s.Command != "" {
		b.WriteString("\n### Reproduce\n\n" + fenced(s.Command, "sh"))
	}
	return []byte(b.String()), nil
}

// bounded writes entries as long as they fit and counts the rest.
func bounded(entries []entry, text func(entry) string, budget int) string {
	var b strings.Builder
	for i, e := range entries {
		item := text(e)
		if b.Len()+len(item) > budget {
			fmt.Fprintf(&b, "\n%s in index.html.\n", plural(len(entries)-i, "more entry is", "more entries are"))
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

func circumstancesLine(r *results.Results) string {
	t := r.Summary
	return fmt.Sprintf("%s, %s rejected, %s and %s refuted. Effort %s, seed %d, %s, %s, thm %s.",
		counted(t.Cases, "case", "cases"), counted(t.Controls, "wrong version", "wrong versions"),
		counted(t.Errata, "printed error", "printed errors"), counted(t.Readings, "reading", "readings"), r.Run.Effort,
		r.Run.Seed,
		r.Run.Started.UTC().Format("2006-01-02 15:04 MST"), duration(r.Run.WallSeconds), r.Tool.Version)
}

func tableRow(e entry) string {
	if e.result == nil {
		return fmt.Sprintf("| %s | – not verified | | | | | |\n", code(e.slug()))
	}
	v, r := verdictViews[e.result.Verdict], cellsOf(e.result)
	return fmt.Sprintf("| %s | %s %s | %s | %s | %s | %s | %s |\n", code(e.slug()), v.Sign, v.Word,
		ran(e.result.Cases), r.Worst, r.Resolution, r.Controlled, r.Corrected)
}

// failed reports whether a claim was checked and is not green.
func (e entry) failed() bool {
	return e.result != nil && (e.result.Unfinished() || e.result.Missed() || e.result.Verdict != results.Holds)
}

// corrects reports whether a claim was checked with printed errors.
func (e entry) corrects() bool { return e.result != nil && len(e.result.Errata) > 0 }

// failure lists the reasons why a claim is not green.
func (s Site) failure(e entry) string {
	c := e.result
	var b strings.Builder
	fmt.Fprintf(&b, "#### %s: %s\n\n%s\n\n", code(c.ID), c.Verdict, inline(c.Title))
	if c.Message != "" {
		fmt.Fprintf(&b, "- %s\n", inline(c.Message))
	}
	for _, complaint := range complaints(c) {
		fmt.Fprintf(&b, "- %s\n", complaint)
	}
	if c.Counterexample != "" {
		b.WriteString("\nCounterexample:\n\n" + fenced(shortened(c.Counterexample), "text"))
	}
	fmt.Fprintf(&b, "\n%s\n\n", code(s.reproduce(c.ID, s.Results.Run)))
	return b.String()
}

// complaints lists the conditions, wrong versions and printed errors that came out otherwise than they should.
func complaints(c *results.Claim) []string {
	var out []string
	for _, p := range c.Criteria {
		if p.Verdict != results.Holds {
			mark := ""
			if p.Chosen != "" {
				mark = "; " + inline(Chosen(p.Chosen))
			}
			out = append(out, fmt.Sprintf("condition %s: %s, ratio %s%s", inline(p.Name), p.Verdict, ratio(p), mark))
			for _, s := range sides(p) {
				out = append(out, inline(s))
			}
		}
	}
	for _, x := range c.Controls {
		switch {
		case x.Message != "":
			out = append(out, fmt.Sprintf("wrong version %s: not settled: %s", inline(x.Name), inline(x.Message)))
		case !x.Rejected:
			out = append(out, fmt.Sprintf("wrong version %s: accepted, ratio %s", inline(x.Name), number(x.Ratio)))
		}
	}
	for _, x := range c.Errata {
		switch {
		case x.Message != "":
			out = append(out, fmt.Sprintf("printed error %s: not settled: %s", inline(x.ID), inline(x.Message)))
		case !x.Refuted:
			out = append(out, fmt.Sprintf("printed error %s: not refuted, ratio %s", inline(x.ID), number(x.Ratio)))
		}
	}
	return out
}

func erratumRows(e entry) string {
	var b strings.Builder
	for _, x := range e.result.Errata {
		outcome := "**not refuted**"
		switch {
		case x.Refuted:
			outcome = "✓ refuted, ratio " + number(x.Ratio)
		case x.Message != "":
			outcome = "not settled"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code(e.result.ID), inline(x.Printed), outcome)
	}
	return b.String()
}

// escapes keeps text from being read as Markdown or HTML, and names from being notified.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">",
	"&gt;", "&", "&amp;",
	"|", `\|`, "#", `\#`, "~", `\~`, "@", "&#64;", "$", `\$`)

// inline makes text safe in a line or a cell of Markdown: one line, at most 400 characters, no markup.
func inline(text string) string {
	r := []rune(terminal.Plainly(strings.Join(strings.Fields(text), " ")))
	if len(r) > 400 {
		r = append(r[:400], '…')
	}
	return escapes.Replace(string(r))
}

// code writes a code span. A bar would end a cell, and a backtick the span.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`, "\n", " ").Replace(terminal.Plainly(text)) + "`"
}

// fenced writes a code block whose fence is longer than any run of backticks in it.
func fenced(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(terminal.Plainly(text), "\n") + "\n" + fence + "\n"
}

// shortened keeps the first lines of a counterexample.
func shortened(text string) string {
	const lines, bytes = 60, 4000
	kept := strings.SplitAfterN(text, "\n", lines+1)
	out := strings.Join(kept[:min(lines, len(kept))], "")
	if len(out) > bytes {
		out = strings.ToValidUTF8(out[:bytes], "")
	}
	if len(out) < len(text) {
		out = strings.TrimRight(out, "\n") + "\n… (the rest is in index.html)"
	}
	return out
}
