package settings

import (
	"fmt"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// drawCurves shows the test error of one network against α in both settings, with the limits at that n.
func drawCurves(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	n := v.Int("n")
	if n > 2000 {
		return nil, fmt.Errorf("n = %d is more than 2000: choose a smaller n", n)
	}
	both := leftOut(t, relu, n, names, alphas)
	out := props.Figure{ID: "curves", Title: "Test error against the exponent of the step size",
		Caption: fmt.Sprintf("Mean square over samples that are left out, for one network with n = N = %d, against α, η = "+
			"n^α, and the limits with two terms at that n (dashed).", n),
		X: props.Axis{Label: "α"}, Y: props.Axis{Label: "test error"}}
	for s, name := range names {
		limit := network.Map(alphas, func(alpha float64) float64 {
			return theory.SettingError(theory.SettingTeachers[s], float64(n), alpha)
		})
		out.Curves = append(out.Curves, props.Curve{Name: name, Style: props.Points, X: alphas, Y: both[s]},
			props.Curve{Name: name + ", limit", Style: props.Dashed, X: alphas, Y: limit})
	}
	return []props.Figure{out}, nil
}
