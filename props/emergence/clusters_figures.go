package emergence

import (
	"fmt"

	"github.com/thm-suite/thm/props"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// pictures show a network before training and after either step.
func pictures(d theory.Direction, c collapsed) []props.Figure {
	var out []props.Figure
	for i, when := range []string{"before training", "after the first step", "after the second step"} {
		out = append(out, props.Figure{
			ID: []string{"before", "first", "second"}[i], Title: "Neurons " + when + ", by classical scaling",
			Caption: fmt.Sprintf("Dissimilarity 1 − cos of %d neurons and of the two stars ±Σ_A Mⱼ, D = %d, k = %d, %d samples "+
				"in a step. Two clusters mean that all neurons lie on one line; that the stars lie in them, that it is the "+
				"effective feature.", len(c.Points[i].X)-2, d.Mixture.Dim, d.Mixture.Count, d.Samples),
			X: props.Axis{Label: "first coordinate"}, Y: props.Axis{Label: "second coordinate"}, Curves: groups(c.Points[i]),
		})
	}
	return out
}

// groups are the neurons by the sign of their output weight, and the stars, which come last.
func groups(points cloud) []props.Curve {
	curves := []props.Curve{{Name: "a > 0"}, {Name: "a < 0"}, {Name: "±Σ_A Mⱼ"}}
	for j, x := range points.X {
		g := 2
		switch {
		case j >= len(points.X)-2:
		case points.Sign[j] < 0:
			g = 1
		default:
			g = 0
		}
		curves[g].Style = props.Points
		curves[g].X, curves[g].Y = append(curves[g].X, x), append(curves[g].Y, points.Y[j])
	}
	return curves
}

// drawClusters draws the pictures at a user's parameters.
func drawClusters(t *props.Trial, v values.Values) ([]props.Figure, error) {
	d, err := clustersOf(v)
	if err != nil {
		return nil, err
	}
	return pictures(d, collapse(t.Rand, d, v.Int("m"), asStated)), nil
}
