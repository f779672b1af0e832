package console

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// Diff is the table of what moved, and a line that sums it up.
func Diff(d runs.Diff, s terminal.Style) string {
	t := terminal.NewTable(terminal.Left(""), terminal.Left("claim"), terminal.Left("what moved"),
		terminal.Left("verdict"), terminal.Right("worst ratio"), terminal.Right("resolution"))
	for _, c := range d.Rows {
		sign, paint := " ", terminal.Plain
		if c.Loss {
			sign, paint = "✗", terminal.Red
		}
		t.Add(terminal.Painted(sign, paint), terminal.Text(c.Claim), terminal.Painted(c.Why, paint),
			terminal.Text(arrow(word(c.Old), word(c.New))), terminal.Text(arrow(numbers(c.Ratio))),
			terminal.Text(arrow(numbers(c.Resolution))))
	}
	text := ""
	if len(d.Rows) > 0 {
		text = t.Render(s) + "\n"
	}
	text += fmt.Sprintf("%s, %d moved, %d did not\n", losses(d.Losses), len(d.Rows), d.Same)
	if d.Old.Effort != d.New.Effort || d.Old.Seed != d.New.Seed {
		text += fmt.Sprintf("%s effort and seed %d are compared with %s effort and seed %d\n", d.Old.Effort, d.Old.Seed,
			d.New.Effort, d.New.Seed)
	}
	return text
}

func word(v results.Verdict) string {
	if v == "" {
		return "-"
	}
	return string(v)
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

// Track is the table of claims over several results: the first value and the last.
func Track(t runs.Track) *terminal.Table {
	table := terminal.NewTable(terminal.Left("claim"), terminal.Right("worst ratio"), terminal.Right("resolution"))
	ends := func(list []results.Number) string {
		return arrow(numbers([2]results.Number{list[0], list[len(list)-1]}))
	}
	for _, s := range t.Claims {
		table.AddTexts(s.Claim, ends(s.Ratio), ends(s.Resolution))
	}
	return table
}
