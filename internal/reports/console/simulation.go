package console

import (
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Simulation returns the table of a simulation. Figures and numbers are in the directory out, if there is one.
func Simulation(s *props.Simulated, out string) string {
	head, note := "predicted", ""
	const excluded = "✗: the interval excludes the prediction, or lies beyond the bound; what is right does so once in " +
		"twenty\ntimes, and what is asymptotic at small sizes\n"
	for _, q := range s.Points[0].Quantities {
		if q.Bound != "" {
			head = "predicted or bound"
		}
	}
	t := terminal.NewTable("quantity", "#"+head, "#measured", "#95 % interval", "", "meaning")
	if s.Sweep != "" {
		t.Columns = append([]terminal.Column{{Head: s.Sweep, Right: true}}, t.Columns...)
	}
	for _, p := range s.Points {
		for _, q := range p.Quantities {
			mark := ""
			if q.Excluded {
				mark, note = "✗", excluded
			}
			texts := []string{q.Name, foretold(q.Bound, float64(q.Predicted), 5), measuredText(q.Measured), intervalText(q),
				mark, q.Meaning}
			if s.Sweep != "" {
				texts = append([]string{p.At}, texts...)
			}
			t.AddTexts(texts...)
		}
	}
	text := fmt.Sprintf("%s, %s, seed %d\n\n", s.Slug, terminal.Plural(s.Reps, "simulation")+" at each point",
		s.Seed) + t.Render(terminal.Style{}) + note
	for _, g := range s.GoodTo {
		if g.From == "" {
			text += fmt.Sprintf("\n%s: not good to 5 %% at the end of the sweep", g.Name)
		} else {
			text += fmt.Sprintf("\n%s: good to 5 %% from %s = %s on", g.Name, s.Sweep, g.From)
		}
	}
	if len(s.GoodTo) > 0 {
		text += "\n"
	}
	text += drawings(s)
	if out != "" {
		text += "\nfigures and numbers: " + out + "\n"
	}
	return text
}

// drawings returns the figures of a simulation as text. A sweep would have too many, so its figures are only written as
// files.
func drawings(s *props.Simulated) string {
	text := ""
	if s.Sweep != "" {
		if len(s.Points[0].Figures) > 0 {
			text = "\nEach point of the sweep has figures, which --out DIR writes.\n"
		}
		return text
	}
	for _, f := range s.Points[0].Figures {
		text += "\n" + draw.Text(f) + "\n" + strings.Join(terminal.Wrap(f.Caption, 78), "\n") + "\n"
	}
	return text
}

// foretold writes a prediction, or a bound as one.
func foretold(bound string, x float64, digits int) string {
	return strings.TrimSpace(bound + " " + number(x, digits))
}

func measuredText(x results.Number) string {
	if math.IsNaN(float64(x)) {
		return "–"
	}
	return number(float64(x), 5)
}

func intervalText(q props.SimulatedQuantity) string {
	if math.IsNaN(float64(q.Lo)) {
		return "–"
	}
	return "[" + number(float64(q.Lo), 4) + ", " + number(float64(q.Hi), 4) + "]"
}
