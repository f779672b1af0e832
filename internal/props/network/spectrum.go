package network

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
)

// bulk is a law of singular values.
type bulk interface {
	Edge() float64
	Density(x float64) float64
}

// Spectrum completes a figure of the singular values of a matrix, with a histogram as a density per total, the
// predicted density of the bulk up to its edge, and named positions as points on the axis.
func Spectrum(f props.Figure, of *mat.Dense, total float64, predicted bulk, name string,
	outliers []float64) props.Figure {
	const bins, steps = 60, 120
	values, edge := must.Get(linalg.SingularValues(of)), predicted.Edge()
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
		y = append(y, predicted.Density(x[len(x)-1]))
	}
	zeros := make([]float64, len(outliers))
	f.Y = props.Axis{Label: "density"}
	f.Curves = []props.Curve{
		{Name: "singular values", Style: props.Bars, X: edges, Y: heights},
		{Name: "predicted bulk", Style: props.Dashed, X: append(x, edge), Y: append(y, 0)},
		{Name: name, Style: props.Points, X: outliers, Y: zeros},
	}
	return f
}

// Cloud is the curve of medians of a quantity over size sweeps, with the middle half of its values.
func Cloud[T any](name string, n []float64, sweeps [][]T, value func(T) float64) props.Curve {
	c := props.Curve{Name: name, Style: props.Points, X: n}
	for k := range n {
		values := Map(sweeps, func(s []T) float64 { return value(s[k]) })
		slices.Sort(values)
		at := func(share float64) float64 { return values[min(len(values)-1, int(share*float64(len(values))))] }
		c.Lo, c.Y, c.Hi = append(c.Lo, at(0.25)), append(c.Y, at(0.5)), append(c.Hi, at(0.75))
	}
	return c
}

// Through is the power law of that exponent through the last point of a curve.
func Through(name string, c props.Curve, exponent float64) props.Curve {
	last := len(c.X) - 1
	return props.Curve{Name: name, Style: props.Dashed, X: c.X,
		Y: Map(c.X, func(x float64) float64 { return c.Y[last] * math.Pow(x/c.X[last], exponent) })}
}
