package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/props/results"
)

// verdictView is a verdict as readers see it: a word and a sign, so that nobody needs colour.
type verdictView struct{ Word, Sign, Class string }

var verdictViews = map[results.Verdict]verdictView{
	results.Holds:      {"holds", "✓", "holds"},
	results.Refuted:    {"refuted", "✗", "refuted"},
	results.Undecided:  {"undecided", "?", "undecided"},
	results.Unproven:   {"unproven", "!", "unproven"},
	results.Incomplete: {"incomplete", "…", "incomplete"},
	results.Error:      {"error", "!", "error"},

	recorded.NotApplicable: {"not applicable", "–", "unverified"},
}

// notVerified is shown for a statement without a result.
var notVerified = verdictView{"not verified", "–", "unverified"}

// whole writes a count with narrow spaces between groups of three digits.
func whole(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// ran writes a count as "run of planned".
func ran(c results.Count) string { return whole(c.Run) + " of " + whole(c.Planned) }

// counted writes a count with its noun, without the planned number if nothing is missing.
func counted(c results.Count, one, many string) string {
	text := plural(c.Planned, one, many)
	if c.Run != c.Planned {
		text = whole(c.Run) + " of " + text
	}
	return text
}

// number writes a Number.
func number(x results.Number) string { return draw.Number(float64(x)) }

// percent writes a relative error: in percent where that is readable.
func percent(x float64) string {
	if x >= 1e-4 && x < 10 {
		return draw.Number(100*x) + "\u202f%"
	}
	return draw.Number(x)
}

// noticed describes in a sentence which errors of the claim would have been noticed.
func noticed(r results.Resolution) string {
	value := float64(r.Value)
	switch {
	case math.IsNaN(value):
		return "not measured, because the run was stopped."
	case math.IsInf(value, 0):
		return "no error would have been noticed. This check is not evidence."
	case r.Unit == results.Exact:
		return "the check has no tolerance; an error in the last bit would have been noticed."
	case r.Unit == results.Whole && value < 1:
		return "any other whole number would have been noticed."
	case r.Unit == results.Relative:
		return "an error of more than " + percent(value) + " would have been noticed."
	case r.Unit == results.Exponent:
		return "an exponent off by more than " + draw.Number(value) + " would have been noticed."
	case r.Unit == results.Parameter:
		return "a threshold misplaced by more than " + percent(value) + " would have been noticed."
	case r.Unit == results.Share:
		return "the smallest effect that would have been detected is " + percent(value) + " of the observed effect."
	}
	return "an error of more than " + draw.Number(value) + " would have been noticed."
}

// finest writes a row's resolution for a table, with its unit.
func finest(row *results.Claim) string {
	switch value, unit := row.Coarsest(); {
	case unit == "" || math.IsNaN(float64(value)):
		return "not measured"
	case unit == results.Exact:
		return "exact"
	case math.IsInf(float64(value), 1):
		return "none"
	default:
		return draw.Number(float64(value)) + " " + unit.Short()
	}
}

// cells holds the numbers of a claim's row in a table.
type cells struct{ Cases, Worst, Resolution, Controlled, Corrected string }

func cellsOf(c *results.Claim) cells {
	tried := Tried(*c)
	return cells{counted(c.Cases, "case", "cases"), worstRatio(c), finest(c), ranOrNone(tried.Controls),
		ranOrNone(tried.Errata)}
}

// ranOrNone writes a count, and a dash where nothing was planned.
func ranOrNone(c results.Count) string {
	if c.Planned == 0 {
		return "–"
	}
	return ran(c)
}

// worstRatio writes the largest ratio of a row; without any part there is none.
func worstRatio(c *results.Claim) string {
	if len(c.Criteria) == 0 {
		return "–"
	}
	return number(c.WorstRatio)
}

// duration writes seconds in words.
func duration(seconds float64) string {
	if !(seconds >= 0) || seconds > 1e9 {
		return draw.Number(seconds) + " s"
	}
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return draw.Number(seconds) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// plural writes a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return whole(n) + " " + many
}

// paragraphs splits text at blank lines.
func paragraphs(text string) []string {
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	return nonempty(list.Map(parts, strings.TrimSpace))
}

func nonempty(texts []string) []string {
	return list.Where(texts, func(text string) bool { return text != "" })
}
