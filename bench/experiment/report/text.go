package report

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// Findings has a line for each finding: the verdict, the experiment and the rule.
func Findings(r *experiment.Result, s terminal.Style) string {
	text := ""
	for _, h := range r.Headlines {
		rule := h.Rule.Title()
		if h.Rule == experiment.SGDFrozen {
			rule = "control: " + rule
		}
		text += strings.TrimRight(fmt.Sprintf("%s  %-45s %s", verdictWord(h.Verdict, s),
			experiment.FindClaim(h.Claim).Title, rule), " ") + "\n"
	}
	return text
}

func verdictWord(v props.Verdict, s terminal.Style) string {
	colour := map[props.Verdict]terminal.Colour{props.Holds: terminal.Green, props.Refuted: terminal.Red,
		props.Undecided: terminal.Yellow}[v]
	return s.Paint(colour, fmt.Sprintf("%-10s", v))
}
