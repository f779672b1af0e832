package history

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/terminal"
)

// Text says in lines what a history shows.
func (a *Analysis) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s of %s\n", terminal.Plural(len(a.Runs), "run"), a.benchmarks())
	short, highest, changes := 0, 0, 0
	for _, r := range a.Rows {
		for _, s := range r.Series {
			if s.Needs > 0 {
				short, highest = short+1, max(highest, s.Needs-len(s.Points))
			}
			for _, c := range s.Changes {
				changes++
				fmt.Fprintf(&out, "%s: %s, %s to %s (%s), since %s (p %s)\n", c.word(), r.title(),
					quantity(r.Unit, float64(c.Before)),
					quantity(r.Unit, float64(c.After)), percentage(c.Ratio), a.Runs[c.Run].Revision(),
					probability(c.P, r.Exact))
			}
		}
	}
	if changes == 0 {
		out.WriteString("no change point\n")
	}
	if short > 0 {
		fmt.Fprintf(&out, "%d series too short to tell a change from chance: up to %s more\n", short,
			terminal.Plural(highest, "run"))
	}
	for _, f := range a.Fits {
		fmt.Fprintf(&out, "%s on %s: %s\n", f.Family, f.Setup, f.Sentence())
	}
	return out.String()
}
