package props

import (
	"fmt"
	"math"
	"strings"
)

// Figure is evidence to look at. Its caption is also its text alternative, so it says what the figure shows and
// not that there is one.
type Figure struct {
	ID      string  `json:"id"` // unique within the claim
	Title   string  `json:"title"`
	Caption string  `json:"caption"`
	X       Axis    `json:"x"`
	Y       Axis    `json:"y"`
	Curves  []Curve `json:"-"` // exported as the claim's series
}

// Axis is one axis of a figure.
type Axis struct {
	Label string `json:"label"`
	Log   bool   `json:"log,omitempty"`
}

// Style is how a curve is drawn.
type Style string

// The styles of curves.
const (
	Points Style = "points" // markers, with error bars where Lo and Hi are given
	Line   Style = "line"
	Dashed Style = "dashed" // a prediction or a bound
	Band   Style = "band"   // the area between Lo and Hi
	Bars   Style = "bars"   // a histogram: X are the left edges, and one more for the right end
)

// Curve is one series of a figure.
type Curve struct {
	Name  string
	Style Style
	X, Y  []float64
	Lo    []float64
	Hi    []float64
}

// ratioHistogram shows how far the ratios of a check's cases stay from one. A spike near zero says that the tolerance is loose; for an
// exact check everything lies in the first bin.
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
	caption := fmt.Sprintf("Ratio of discrepancy to tolerance over %d cases; the largest is %.3g, and 1 is where the check fails.",
		len(values), worstValue)
	if beyond > 0 {
		caption += fmt.Sprintf(" %d cases are infinite and lie beyond the right edge.", beyond)
	}
	return Figure{
		ID:      "ratios-" + strings.ReplaceAll(check, " ", "-"),
		Title:   "Ratios: " + check,
		Caption: caption,
		X:       Axis{Label: "discrepancy / tolerance"},
		Y:       Axis{Label: "cases"},
		Curves:  []Curve{{Name: "cases", Style: Bars, X: edges, Y: counts}},
	}
}
