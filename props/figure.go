package props

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/figure"
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
// scale of colours, whose label is the label of the figure's axis Z.
func HeatMap(name string, m mat.Matrix) Curve {
	rows, cols := m.Dims()
	return figure.HeatMap(name, rows, cols, m.At)
}

// binsPerDecade is how finely a histogram of ratios divides a factor of ten.
const binsPerDecade = 4

// ratioHistogram shows how far the ratios of a check's cases stay from one, by their logarithms: a tolerance that is
// loose by orders of magnitude is seen as such. Without a case that has any discrepancy there is no picture.
func ratioHistogram(check string, values []float64) (_ Figure, drawn bool) {
	smallest, worst := math.Inf(1), 0.0
	without, beyond := 0, 0
	for _, v := range values {
		switch {
		case v == 0:
			without++
		case v > 0 && !math.IsInf(v, 0):
			smallest, worst = min(smallest, v), max(worst, v)
		default:
			beyond++
		}
	}
	if worst == 0 {
		return Figure{}, false
	}
	first := int(math.Floor(math.Log10(smallest)))
	last := max(0, int(math.Ceil(math.Log10(worst))))
	bins := max(1, last-first) * binsPerDecade
	edges, counts := make([]float64, bins+1), make([]float64, bins)
	for i := range edges {
		edges[i] = math.Pow(10, float64(first)+float64(i)/binsPerDecade)
	}
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			at := int(binsPerDecade * (math.Log10(v) - float64(first)))
			counts[min(bins-1, max(0, at))]++
		}
	}
	caption := fmt.Sprintf("Ratio of discrepancy to tolerance, number of cases: %d; the largest is %.3g, and 1 is "+
		"where the check fails.", len(values), worst)
	if without > 0 {
		caption += fmt.Sprintf(" With no discrepancy at all, and not drawn: %d.", without)
	}
	if beyond > 0 {
		caption += fmt.Sprintf(" Infinite, beyond the right edge: %d.", beyond)
	}
	return Figure{
		Kind:    figure.Ratios,
		ID:      "ratios-" + strings.ReplaceAll(check, " ", "-"),
		Title:   "Ratios: " + check,
		Caption: caption,
		X:       Axis{Label: "discrepancy / tolerance", Log: true},
		Y:       Axis{Label: "cases"},
		Curves:  []Curve{{Name: "cases", Style: Bars, X: edges, Y: counts}},
	}, true
}
