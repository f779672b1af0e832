package console

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
)

// Recorded returns the outcome of the claims on a recording: a table of layers and claims, and the cells that are not
// green.
func Recorded(r *recorded.Result, s terminal.Style) string {
	text := fmt.Sprintf("%s: %s; %s, %s\n\n", r.Folder, r.Verdict, terminal.Plural(len(r.Layers), "layer"),
		terminal.Plural(len(r.Steps), "step"))
	t, red := terminal.NewTable(append([]string{"layer"}, r.Claims...)...), []string{}
	for _, layer := range r.Layers {
		row := []terminal.Cell{terminal.Text(layer)}
		for _, claim := range r.Claims {
			cells := r.Of(claim, layer)
			v, off, notices := recorded.Over(cells)
			switch {
			case v == recorded.NotApplicable:
				row = append(row, terminal.Text("–"))
			case v == results.Holds:
				row = append(row, terminal.Painted("✓ "+number(notices, 2), terminal.Green))
			default:
				sign, paint := mark(results.Claim{Verdict: v})
				row = append(row, terminal.Painted(fmt.Sprintf("%s %s, %d of %d", sign, v, off, len(cells)), paint))
				red = append(red, failing(recorded.FirstOff(cells)))
			}
		}
		t.Add(row...)
	}
	text += t.Render(s) + "\nThe number is the smallest relative error of the claim that every step would have shown.\n"
	if len(red) > 0 {
		text += "\n" + strings.Join(red, "")
	}
	if hypotheses := r.Hypotheses(); len(hypotheses) > 0 {
		text += "\nnot applicable:\n  " + strings.Join(hypotheses, "\n  ") + "\n"
	}
	for _, l := range r.LeftOut {
		if !strings.HasPrefix(l.Why, "a vector") {
			text += "left out: " + l.Name + ": " + l.Why + "\n"
		}
	}
	for _, e := range r.Errors {
		text += "not judged: " + e + "\n"
	}
	return text
}

// failing shows a cell that is not green: the criteria that fail, and the wrong versions that its numbers agree with.
func failing(c recorded.Cell) string {
	text := fmt.Sprintf("%s on %s in step %d: %s\n", c.Claim, c.Layer, c.Step, c.Verdict)
	for _, k := range c.Criteria {
		switch {
		case k.Verdict == results.Undecided:
			text += fmt.Sprintf("  %s: would notice no error below %.2g of it\n", k.Name, float64(k.Notices))
		case k.Verdict != results.Holds && k.Sides != nil:
			text += "  " + k.Name + ": " + k.Sides.String() + "\n"
			if k.Agrees != "" {
				text += "    your numbers agree with: " + k.Agrees + "\n"
			}
		}
	}
	return text
}
