package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/props/figure"
)

// observedView holds the data of observations for their template.
type observedView struct {
	frame
	Sentence, Schema string
	Sections         []observedSection
	Columns          []string
	Widths           [][]string
	Verdicts, Errors []string
}

// observedSection is a quantity: a figure for each layer.
type observedSection struct {
	Title, Meaning, Claim string
	Figures               []figureView
}

// ObservedPage returns the page of observations: small multiples, one for each quantity and layer.
func ObservedPage(o *recorded.Observations) ([]byte, error) {
	v := observedView{Sentence: "Observed: " + strings.Join(o.Runs, ", "), Schema: o.Schema, Columns: recorded.Columns,
		Verdicts: o.Verdicts, Errors: o.Errors}
	v.frame = framed("thm observe: " + v.Sentence)
	for i, q := range o.Quantities {
		s := observedSection{Title: q.Name, Meaning: q.Meaning, Claim: q.Claim}
		for j, f := range observedFigures(o, q) {
			s.Figures = append(s.Figures, drawn(f, draw.SVG(f, fmt.Sprintf("figure-%d-%d", i, j))))
		}
		v.Sections = append(v.Sections, s)
	}
	for _, w := range o.Widths {
		v.Widths = append(v.Widths, w.Row())
	}
	return execute("observed.html", v)
}

// observedFigures returns a figure for each layer: the runs over training, and the predictions for them.
func observedFigures(o *recorded.Observations, q recorded.Quantity) []figure.Figure {
	var out []figure.Figure
	at := map[string]int{}
	for _, run := range o.Runs {
		begun := map[string]bool{}
		for _, p := range o.Points {
			measured, predicted := float64(p.Measured), float64(p.Predicted)
			if p.Quantity != q.Name || p.Run != run || math.IsNaN(measured) {
				continue
			}
			i, known := at[p.Layer]
			if !known {
				i = len(out)
				at[p.Layer] = i
				out = append(out, figure.Figure{ID: "layer", Title: q.Name + ", layer " + p.Layer,
					Caption: q.Name + " of the layer " + p.Layer + " over training.", X: figure.Axis{Label: "step"},
					Y: figure.Axis{Label: q.Name, Log: q.Log}})
			}
			f := &out[i]
			if !begun[p.Layer] {
				begun[p.Layer] = true
				f.Curves = append(f.Curves, figure.Curve{Name: run, Style: figure.Line},
					figure.Curve{Name: run + ", predicted", Style: figure.Dashed})
			}
			f.Curves[len(f.Curves)-2].Add(float64(p.Step), measured)
			if !math.IsNaN(predicted) {
				f.Curves[len(f.Curves)-1].Add(float64(p.Step), predicted)
			}
		}
	}
	for i := range out {
		out[i].Curves = slices.DeleteFunc(out[i].Curves, func(c figure.Curve) bool { return len(c.X) == 0 })
	}
	return out
}
