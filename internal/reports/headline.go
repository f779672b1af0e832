package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// Chosen marks the row of a criterion of which something was chosen after a look at the data: its bound, its sizes.
func Chosen(what string) string {
	if what == "" {
		return ""
	}
	return what + " chosen after a look at the data"
}

// Counts holds the numbers of claims and of findings with each verdict. Findings are counted separately: an observation
// in an experiment is not a theorem, even if its row is green. A statement without a result has the empty verdict.
type Counts struct{ Claims, Findings map[results.Verdict]int }

// Add counts a row or, without a verdict, a statement.
func (c *Counts) Add(standing theory.Standing, v results.Verdict) {
	m := &c.Claims
	if standing == theory.Finding {
		m = &c.Findings
	}
	if *m == nil {
		*m = map[results.Verdict]int{}
	}
	(*m)[v]++
}

// CountRows counts the rows of a run.
func CountRows(rows []results.Claim) (c Counts) {
	for _, row := range rows {
		c.Add(theory.Standing(row.Standing), row.Verdict)
	}
	return c
}

// Tried counts the trials of a row: wrong versions that were rejected, printed errors that were refuted again.
func Tried(row results.Claim) results.Summary {
	r := results.Results{Claims: []results.Claim{row}}
	r.Summarise()
	return r.Summary
}

// CountStatements counts statements of which nothing is known yet.
func CountStatements(statements []*theory.Statement) (c Counts) {
	for _, s := range statements {
		c.Add(s.Standing, "")
	}
	return c
}

// Sentence sums a run up: "85 of 86 claims hold, 1 is refuted; 14 findings were observed again."
func (c Counts) Sentence() string {
	parts := slices.DeleteFunc([]string{
		clause(c.Claims, "claim", "holds", "hold"),
		clause(c.Findings, "finding", "was observed again", "were observed again"),
	}, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return "No claim was verified."
	}
	return strings.Join(parts, "; ") + "."
}

// Total says how many there are: "86 claims and 14 findings".
func (c Counts) Total() string {
	claims, findings := sum(c.Claims), sum(c.Findings)
	switch {
	case findings == 0:
		return terminal.Plural(claims, "claim")
	case claims == 0:
		return terminal.Plural(findings, "finding")
	}
	return terminal.Plural(claims, "claim") + " and " + terminal.Plural(findings, "finding")
}

// order is the order in which verdicts are said.
var order = append(slices.Clone(results.Verdicts), "")

// clause says how many rows of one sort hold, and lists the verdicts of the rest.
func clause(count map[results.Verdict]int, noun, one, many string) string {
	total := sum(count)
	if total == 0 {
		return ""
	}
	said := func(v results.Verdict, n int) string {
		if v == results.Holds {
			return choose(n, one, many)
		}
		return choose(n, "is ", "are ") + words(v)
	}
	var rest []string
	for _, v := range order {
		switch n := count[v]; {
		case n == total:
			return terminal.Plural(n, noun) + " " + said(v, n)
		case n > 0 && v != results.Holds:
			rest = append(rest, fmt.Sprintf("%d %s", n, said(v, n)))
		}
	}
	green := count[results.Holds]
	return fmt.Sprintf("%d of %s %s, %s", green, terminal.Plural(total, noun), said(results.Holds, green),
		strings.Join(rest, ", "))
}

// words returns the words for a verdict other than holds, after "is".
func words(v results.Verdict) string {
	switch v {
	case "":
		return "not verified"
	case results.Error:
		return "in error"
	}
	return string(v)
}

func sum(count map[results.Verdict]int) (n int) {
	for _, k := range count {
		n += k
	}
	return n
}

func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
