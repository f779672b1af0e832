package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// recordedView holds the data of a judged recording for its template.
type recordedView struct {
	frame
	Sentence, Command, Writer, Schema string
	Totals                            []term
	Table                             judgedTable
	Figures                           []figureView
	Red                               []redCell
	Hypotheses, LeftOut, Errors       []string
}

// redCell is a claim that is not green on a layer: the first step in which it is not.
type redCell struct {
	Claim, Layer string
	Step         int
	Verdict      verdictView
	Lines        []redLine
}

type redLine struct{ Name, Sides, Agrees string }

// shownLayers is the number of curves that one can tell apart.
const shownLayers = 6

// RecordedPage returns the page of a judged recording: one file that needs nothing else.
func RecordedPage(r *recorded.Result, command string) ([]byte, error) {
	v := recordedView{Command: command, Writer: r.Writer, Schema: r.Schema, Errors: r.Errors, Hypotheses: r.Hypotheses(),
		Sentence: fmt.Sprintf("Recorded run %s: %s", r.Folder, r.Verdict)}
	v.frame = framed("thm certify: " + v.Sentence)
	v.Totals = []term{{"Layers", whole(len(r.Layers)), ""}, {"Steps", whole(len(r.Steps)), "recorded"},
		{"Claims", whole(len(r.Claims)), "about a step of a layer"}, {"Cells", whole(len(r.Cells)), "claim × layer × step"}}
	v.Table.Columns = r.Claims
	for _, layer := range r.Layers {
		row := judgedRow{Name: layer}
		for _, claim := range r.Claims {
			cells := r.Of(claim, layer)
			verdict, off, notices := recorded.Over(cells)
			view := verdictViews[verdict]
			cell := judgedCell{Verdict: &view}
			switch {
			case verdict == recorded.NotApplicable:
			case verdict == results.Holds:
				cell.Evidence = "notices " + draw.Digits(notices, 2)
			default:
				cell.Evidence = fmt.Sprintf("%d of %d steps", off, len(cells))
				v.Red = append(v.Red, redOf(recorded.FirstOff(cells)))
			}
			row.Cells = append(row.Cells, cell)
		}
		v.Table.Rows = append(v.Table.Rows, row)
	}
	for _, l := range r.LeftOut {
		v.LeftOut = append(v.LeftOut, l.Name+": "+l.Why)
	}
	for i, f := range recordedFigures(r) {
		v.Figures = append(v.Figures, drawn(f, draw.SVG(f, fmt.Sprintf("figure-%d", i))))
	}
	return execute("recorded.html", v)
}

func redOf(c recorded.Cell) redCell {
	out := redCell{Claim: c.Claim, Layer: c.Layer, Step: c.Step, Verdict: verdictViews[c.Verdict]}
	for _, k := range c.Criteria {
		line := redLine{Name: k.Name, Agrees: k.Agrees}
		switch {
		case k.Verdict == results.Holds:
			continue
		case k.Sides != nil:
			line.Sides = k.Sides.String()
		default:
			line.Sides = "would notice no error below " + draw.Digits(float64(k.Notices), 2) + " of it"
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

// recordedFigures are, for every claim that is applicable, a heat map of resolutions over layers and steps, and the
// ratios of the layers with the largest ones over training.
func recordedFigures(r *recorded.Result) []figure.Figure {
	var out []figure.Figure
	for _, claim := range r.Claims {
		heat := figure.Curve{Name: claim, Style: figure.Heat}
		for _, step := range r.Steps {
			heat.X = append(heat.X, float64(step))
		}
		var curves []figure.Curve
		for i, layer := range r.Layers {
			row, curve := slices.Repeat([]float64{math.NaN()}, len(r.Steps)), figure.Curve{Name: layer, Style: figure.Line}
			for _, c := range r.Of(claim, layer) {
				if c.Verdict != recorded.NotApplicable {
					row[slices.Index(r.Steps, c.Step)] = c.Notices()
					curve.Add(float64(c.Step), c.Worst())
				}
			}
			if len(curve.X) > 0 {
				heat.Y, heat.Z = append(heat.Y, float64(i+1)), append(heat.Z, row...)
				curves = append(curves, curve)
			}
		}
		if len(curves) == 0 {
			continue
		}
		out = append(out, figure.Figure{ID: "resolution", Title: claim + ": resolution of every layer and step",
			Caption: "Each cell is the smallest relative error of the claim that the numbers of that layer and step would " +
				"have shown. Layers are numbered from the top of the table.",
			X: figure.Axis{Label: "step"}, Y: figure.Axis{Label: "layer"}, Z: figure.Axis{Label: "resolution", Log: true},
			Curves: []figure.Curve{heat}})
		slices.SortStableFunc(curves, func(a, b figure.Curve) int {
			return cmp.Compare(slices.Max(b.Y), slices.Max(a.Y))
		})
		out = append(out, figure.Figure{ID: "ratios", Title: claim + ": ratios over training",
			Caption: fmt.Sprintf("The largest discrepancy of each step over what is allowed, of the %d layers where it is "+
				"largest. The claim holds at or below 1.", min(shownLayers, len(curves))),
			X: figure.Axis{Label: "step"}, Y: figure.Axis{Label: "discrepancy / allowed"},
			Curves: curves[:min(shownLayers, len(curves))]})
	}
	return out
}
