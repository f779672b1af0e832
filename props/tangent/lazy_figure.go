package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// lazyFigure has the norms of what is claimed to shrink over the scale of the labels, as geometric means over networks,
// and lines of the claimed orders through those at the smallest scale.
func lazyFigure(all []shrunk) props.Figure {
	f := props.Figure{ID: "orders", Title: "What small labels move",
		Caption: "Change of the averaged tangent kernel, of the parameters, and of the outputs beyond what the features at " +
			"the start explain, after training on labels of scale a: geometric means over all networks. The dashed lines " +
			"have the claimed orders, 1, 1 and 2.",
		X: props.Axis{Label: "scale of the labels a", Log: true}, Y: props.Axis{Label: "norm", Log: true}}
	for _, c := range []struct {
		name  string
		order float64
		of    func(shrunk) []*mat.Dense
	}{
		{"kernel, K̄ − K₀", 1, func(m shrunk) []*mat.Dense { return m.Kernels }},
		{"parameters, θ₁ − θ₀", 1, func(m shrunk) []*mat.Dense { return m.Steps }},
		{"outputs beyond linear", 2, func(m shrunk) []*mat.Dense { return m.Outputs }},
	} {
		points := props.Curve{Name: c.name, Style: props.Points, X: all[0].Scales,
			Y: make([]float64, len(all[0].Scales))}
		for _, m := range all {
			for k, x := range c.of(m) {
				points.Y[k] += math.Log(mat.Norm(x, 2)) / float64(len(all))
			}
		}
		for k, y := range points.Y {
			points.Y[k] = math.Exp(y)
		}
		last := len(points.X) - 1
		line := props.Curve{Name: c.name + ", predicted", Style: props.Dashed, X: points.X,
			Y: make([]float64, len(points.X))}
		for k, a := range points.X {
			line.Y[k] = math.Pow(a/points.X[last], c.order)
		}
		floats.Scale(points.Y[last], line.Y)
		f.Curves = append(f.Curves, points, line)
	}
	return f
}
