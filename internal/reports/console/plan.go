package console

import (
	"fmt"
	"time"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/terminal"
)

// Plan returns the table of the checks that a run would do.
func Plan(claims []runs.Planned) *terminal.Table {
	t := terminal.NewTable("claim", "#checks", "#cells", "#cases", "#seconds")
	for _, c := range claims {
		t.AddTexts(c.Claim, fmt.Sprint(len(c.Checks)), fmt.Sprint(c.Cells), fmt.Sprint(c.Cases),
			fmt.Sprintf("%.1f", c.Seconds))
	}
	return t
}

// Duration writes seconds as minutes and seconds.
func Duration(seconds float64) string {
	return terminal.Clock(time.Duration(seconds * float64(time.Second)))
}
