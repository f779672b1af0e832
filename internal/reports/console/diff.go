package console

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// Diff returns the table of changes, and a summary of the changes and of the new results.
func Diff(d runs.Diff, now *results.Results, s terminal.Style) string {
	text := ""
	if len(d.Rows) > 0 {
		text = moved(d).Render(s) + "\n"
	}
	return text + strings.Join(outcome(d, now), "\n") + "\n"
}

// DiffMarkdown returns the same for a comment on a change, the outcome first.
func DiffMarkdown(d runs.Diff, now *results.Results) string {
	text := "### Claims: " + strings.Join(outcome(d, now), "\n\n") + "\n"
	if len(d.Rows) > 0 {
		text += "\n" + moved(d).Markdown()
	}
	return text
}

func moved(d runs.Diff) *terminal.Table {
	t := terminal.NewTable("", "claim", "what moved", "verdict", "#worst ratio", "#resolution")
	for _, c := range d.Rows {
		sign, paint := " ", terminal.Plain
		if c.Loss {
			sign, paint = "✗", terminal.Red
		}
		t.Add(terminal.Painted(sign, paint), terminal.Text(c.Claim), terminal.Painted(c.Why, paint),
			terminal.Text(arrow(string(cmp.Or(c.Old, "-")), string(cmp.Or(c.New, "-")))), terminal.Text(arrow(numbers(c.Ratio))),
			terminal.Text(arrow(numbers(c.Resolution))))
	}
	return t
}

// outcome counts the changes, and sums up the new results alone.
func outcome(d runs.Diff, now *results.Results) []string {
	out := []string{fmt.Sprintf("%s, %d moved, %d did not", losses(d.Losses), len(d.Rows), d.Same)}
	if d.Old.Seed != d.New.Seed {
		out = append(out, fmt.Sprintf("seed %d is compared with seed %d", d.Old.Seed, d.New.Seed))
	}
	return append(out, fmt.Sprintf("now: %s %d of %s rejected", reports.CountRows(now.Claims).Sentence(),
		now.Summary.Controls.Run, terminal.Plural(now.Summary.Controls.Planned, "wrong version")))
}

// numbers writes two numbers with as many digits as tell them apart, and a stroke for none.
func numbers(p [2]results.Number) (old, now string) {
	write := func(x results.Number, digits int) string {
		if math.IsNaN(float64(x)) {
			return "-"
		}
		return number(float64(x), digits)
	}
	for digits := 2; ; digits += 3 {
		old, now = write(p[0], digits), write(p[1], digits)
		if old != now || p[0] == p[1] || digits > 15 {
			return old, now
		}
	}
}

func arrow(old, now string) string {
	if old == now {
		return now
	}
	return old + " → " + now
}

func losses(n int) string {
	if n == 1 {
		return "1 loss"
	}
	return fmt.Sprintf("%d losses", n)
}

// Track returns the table of claims over several results: the first value and the last.
func Track(t runs.Track) *terminal.Table {
	table := terminal.NewTable("claim", "#worst ratio", "#resolution")
	ends := func(list []results.Number) string {
		return arrow(numbers([2]results.Number{list[0], list[len(list)-1]}))
	}
	for _, s := range t.Claims {
		table.AddTexts(s.Claim, ends(s.Ratio), ends(s.Resolution))
	}
	return table
}
