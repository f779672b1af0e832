package console

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/internal/terminal"
)

// soakRows is the number of criteria and controls of a soak that a terminal shows.
const soakRows = 12

// Soak returns the findings of a soak: the red seeds, the rows nearest to the opposite verdict, and the chance of a red
// run.
func Soak(s *soak.Summary, sentence, program string, style terminal.Style) string {
	var b strings.Builder
	t := terminal.NewTable("claim", "criterion or control", "#median", "#nearest", "#at seed", "#declined", "#chance")
	for _, x := range s.Items[:min(soakRows, len(s.Items))] {
		name, colour := x.Name, terminal.Plain
		if x.Control {
			name = "control: " + name
		}
		if x.Red > 0 {
			colour = terminal.Red
		}
		declined := ""
		if x.Declined > 0 {
			declined = fmt.Sprint(x.Declined)
		}
		t.Add(terminal.Painted(x.Claim, colour), terminal.Text(terminal.Fit(name, 50)),
			terminal.Text(number(float64(x.Median), 3)), terminal.Text(number(float64(x.Worst), 3)),
			terminal.Text(fmt.Sprint(x.WorstSeed)), terminal.Text(declined), terminal.Text(number(float64(x.Chance), 2)))
	}
	b.WriteString(t.Render(style) + "\n")
	for _, at := range s.Seeds {
		for _, slug := range at.Red {
			fmt.Fprintf(&b, "%s\n", style.Paint(terminal.Red, fmt.Sprintf("seed %d: %s is not green; see it again with: "+
				"%s check %s --effort %s --seed %d", at.Seed, slug, program, slug, s.Effort, at.Seed)))
		}
	}
	budget := s.Budget()
	fmt.Fprintf(&b, "%s\nred by chance at another seed: %s, at most %s; the budget is %g\n", sentence,
		number(budget.Total.Estimate, 2), number(budget.Total.Upper, 2), soak.Limit)
	return b.String()
}
