package console

import (
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/terminal"
)

// Observed returns a table of quantities by layer, in the first and the last step, with the prediction for the last.
func Observed(o *recorded.Observations, s terminal.Style) string {
	t := terminal.NewTable("quantity", "layer", "#first", "#last", "#predicted")
	for _, q := range o.Quantities {
		var layers []string
		at := map[string][]recorded.Point{}
		for _, p := range o.Points {
			key := p.Layer
			if len(o.Runs) > 1 {
				key = p.Run + " " + p.Layer
			}
			if p.Quantity == q.Name && !math.IsNaN(float64(p.Measured)) {
				if !slices.Contains(layers, key) {
					layers = append(layers, key)
				}
				at[key] = append(at[key], p)
			}
		}
		for i, layer := range layers {
			name, points := q.Name, at[layer]
			if i > 0 {
				name = ""
			}
			predicted, last := "", points[len(points)-1]
			if !math.IsNaN(float64(last.Predicted)) {
				predicted = number(float64(last.Predicted), 3)
			}
			t.AddTexts(name, layer, number(float64(points[0].Measured), 3), number(float64(last.Measured), 3), predicted)
		}
	}
	var b strings.Builder
	b.WriteString(t.Render(s))
	if len(o.Widths) > 0 {
		w := terminal.NewTable()
		for i, title := range recorded.Columns {
			w.Columns = append(w.Columns, terminal.Column{Head: title, Right: i > 3})
		}
		for _, s := range o.Widths {
			w.AddTexts(s.Row()...)
		}
		b.WriteString("\n" + w.Render(s))
	}
	for _, v := range o.Verdicts {
		b.WriteString(v + "\n")
	}
	for _, e := range o.Errors {
		b.WriteString("not read: " + e + "\n")
	}
	return b.String()
}
