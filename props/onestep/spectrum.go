package onestep

import (
	"math"

	"github.com/thm-suite/thm/props"
)

// spectrumCurves draws a histogram of singular values as a density per total, the predicted density of the bulk up to
// its edge, and named positions as points on the axis.
func spectrumCurves(values []float64, total, edge float64, density func(float64) float64, name string, outliers []float64) []props.Curve {
	const bins, steps = 60, 120
	top := edge
	for _, x := range values {
		top = max(top, x)
	}
	top *= 1.02
	edges, heights := make([]float64, bins+1), make([]float64, bins)
	for i := range edges {
		edges[i] = top * float64(i) / bins
	}
	for _, x := range values {
		heights[min(bins-1, int(math.Floor(x/top*bins)))] += bins / (top * total)
	}
	var x, y []float64
	for i := 1; i < steps; i++ {
		x = append(x, edge*float64(i)/steps)
		y = append(y, density(x[len(x)-1]))
	}
	zeros := make([]float64, len(outliers))
	return []props.Curve{
		{Name: "singular values", Style: props.Bars, X: edges, Y: heights},
		{Name: "predicted bulk", Style: props.Dashed, X: append(x, edge), Y: append(y, 0)},
		{Name: name, Style: props.Points, X: outliers, Y: zeros},
	}
}
