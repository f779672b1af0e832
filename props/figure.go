package props

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/figure"
)

// Figures of evidence, as [Record.Figure] takes them.
type (
	Figure = figure.Figure // its caption is also its text alternative
	Axis   = figure.Axis
	Style  = figure.Style
	Curve  = figure.Curve // one series of a figure
)

// What a figure, a curve or a measurement can be about, if not about the claim itself.
const (
	OfControl = figure.OfControl
	OfErratum = figure.OfErratum
	OfReading = figure.OfReading
)

// The styles of curves.
const (
	Points = figure.Points // markers, with error bars where Lo and Hi are given
	Line   = figure.Line
	Dashed = figure.Dashed // a prediction or a bound
	Band   = figure.Band   // the area between Lo and Hi
	Bars   = figure.Bars   // a histogram: X are the left edges, and one more for the right end
	Heat   = figure.Heat   // a matrix; see HeatMap
)

// HeatMap is a matrix as a panel of a figure: a kernel, or an image. All panels of a figure are heat maps and share one
// scale of colours, whose label is that of the figure's axis Z.
func HeatMap(name string, m mat.Matrix) Curve {
	rows, cols := m.Dims()
	return figure.HeatMap(name, rows, cols, m.At)
}

// ratioHistogram shows how far the ratios of a check's cases stay from one. A spike near zero says that the tolerance
// is loose; for an exact check everything lies in the first bin.
func ratioHistogram(check string, values []float64) Figure {
	const bins = 20
	top := 1.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			top = max(top, v)
		}
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = top * float64(i) / bins
	}
	counts := make([]float64, bins)
	beyond, worstValue := 0, 0.0
	for _, v := range values {
		if !(v >= 0 && v <= top) {
			beyond++
			continue
		}
		counts[min(bins-1, int(v/top*bins))]++
		worstValue = max(worstValue, v)
	}
	caption := fmt.Sprintf("Ratio of discrepancy to tolerance over %d cases; the largest is %.3g, and 1 is where the "+
		"check fails.",
		len(values), worstValue)
	if beyond > 0 {
		caption += fmt.Sprintf(" %d cases are infinite and lie beyond the right edge.", beyond)
	}
	return Figure{
		Kind:    figure.Ratios,
		ID:      "ratios-" + strings.ReplaceAll(check, " ", "-"),
		Title:   "Ratios: " + check,
		Caption: caption,
		X:       Axis{Label: "discrepancy / tolerance"},
		Y:       Axis{Label: "cases"},
		Curves:  []Curve{{Name: "cases", Style: Bars, X: edges, Y: counts}},
	}
}
