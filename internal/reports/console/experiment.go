package console

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// Experiment returns a line for each headline: the verdict, the claim, the number of trials, and the interval.
func Experiment(e experiment.Experiment, r *experiment.Result, s terminal.Style) string {
	text := e.Name + "\n"
	for _, f := range r.Headlines {
		c, _ := e.Claim(f.Claim)
		what := f.Column
		if f.Control {
			what = "control: " + what
		}
		if !f.IsJoint() {
			what = strings.TrimSpace(what + "  " + c.Interval(f))
		}
		_, colour := mark(results.Claim{Verdict: f.Verdict})
		text += strings.TrimRight(fmt.Sprintf("  %s  %-45s %s", s.Paint(colour, fmt.Sprintf("%-10s", f.Verdict)), c.Title,
			what), " ") + "\n"
	}
	return text
}

// Experiments returns two lines for each: its name and title, and what it needs and how long it takes.
func Experiments(all []experiment.Experiment) string {
	text := ""
	for _, e := range all {
		needs := "draws its own data"
		if len(e.Data) > 0 {
			needs = "runs on " + strings.Join(e.Data, ", ")
		}
		text += fmt.Sprintf("%-24s %s\n%-24s %s; about %s at standard effort\n", e.Name, e.Title, "", needs, e.Cost)
	}
	return text
}
