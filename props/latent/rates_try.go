package latent

import (
	"fmt"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

func tryRates(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	if float64(n)*float64(m)*float64(m) > 2e10 {
		return nil, fmt.Errorf("n·m² = %.2g is more than can be run here; take at most 2·10¹⁰",
			float64(n)*float64(m)*float64(m))
	}
	square, absolute := ratesProblem(t.Rand, d, n, v.Float("noise")).errors(t.Rand, m+m%2, "")
	return map[string]float64{"square": square, "absolute": absolute}, nil
}

// drawRates draws the error against n/d² up to the n of the user, beside the bound for kernels.
func drawRates(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, m := v.Int("d"), v.Int("m")
	points := props.Curve{Name: fmt.Sprintf("Algorithm 1, d = %d", d), Style: props.Points}
	line := kernelBoundCurve(d)
	line.X, line.Y = nil, nil
	for _, n := range halvings(v.Int("n"), 6) {
		square, _ := ratesProblem(t.Rand, d, n, v.Float("noise")).errors(t.Rand, m+m%2, "")
		points.X, points.Y = append(points.X, perSquare(n, d)), append(points.Y, square)
		if bound := kernelsAtBest(d, 3, n); bound > negligibleBound {
			line.X, line.Y = append(line.X, perSquare(n, d)), append(line.Y, bound)
		}
	}
	return []props.Figure{{ID: "collapse", Title: "Error against n/d²",
		Caption: fmt.Sprintf("Squared error of Algorithm 1 with %d neurons against n/d² on logarithmic axes, a run for each "+
			"point, and what no kernel method falls below in the mean over directions.", m),
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "squared error", Log: true},
		Curves: []props.Curve{points, line}}}, nil
}
