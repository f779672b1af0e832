package console

import (
	"cmp"
	"fmt"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Certificate returns the outcome of a claim on a user's numbers.
func Certificate(c *props.Certificate, s terminal.Style) string {
	unit := map[results.Number]string{0x1p-24: "float32 among them", 0x1p-11: "float16 among them",
		0x1p-8: "bfloat16 among them"}[c.Unit]
	unit = cmp.Or(unit, "float64")
	text := fmt.Sprintf("%s: %s on %s (%s; check: %s)\n", c.Slug, c.Verdict, terminal.Name(c.File), unit, c.Check)
	if c.Message != "" {
		text += c.Message + "\n"
	}
	if c.Regime != "" {
		text += "regime: " + c.Regime + "\n"
	}
	t := terminal.NewTable("criterion", "verdict", "#ratio", "#would notice")
	for _, r := range c.Criteria {
		t.AddTexts(r.Name, string(r.Verdict), number(float64(r.Ratio), 3), number(float64(r.Notices), 2))
	}
	text += "\n" + t.Render(s)
	for _, r := range c.Criteria {
		if r.Sides != nil {
			text += r.Name + ": " + r.Sides.String() + "\n"
		}
	}
	text += "\nratio: discrepancy over tolerance, 1 is where it fails. Would notice: the smallest relative error of " +
		"the " +
		"claim\nthat these numbers would have shown.\n"
	for _, f := range c.Measured {
		text += f.String() + "\n"
	}
	return text
}
