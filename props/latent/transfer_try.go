package latent

import (
	"fmt"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

func tryTransfer(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m := v.Int("m")
	e, _ := transferred(t.Rand, v.Int("d"), v.Int("n"), v.Int("N"), m+m%2)
	return map[string]float64{"error": e}, nil
}

// drawTransfer draws the error against N up to that of the user, with the frozen layer as drawn and after learning.
func drawTransfer(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, m := v.Int("d"), v.Int("m")
	curves := []props.Curve{{Name: "after transfer", Style: props.Points},
		{Name: "first layer as drawn", Style: props.Points},
		{Name: "kernels on N samples", Style: props.Dashed}}
	for _, count := range halvings(v.Int("N"), 5) {
		learned, _ := transferred(t.Rand, d, v.Int("n"), count, m+m%2)
		plain, _ := transferred(t.Rand, d, 0, count, m+m%2)
		for i, y := range []float64{learned, plain, theory.TransferBound(d, float64(count))} {
			curves[i].X, curves[i].Y = append(curves[i].X, float64(count)), append(curves[i].Y, y)
		}
	}
	return []props.Figure{{ID: "transfer", Title: "Error for He₃ after transfer",
		Caption: fmt.Sprintf("Squared error against the samples N of the second target at d = %d, a run for each point: "+
			"with a first layer that learned from n = %d samples of the first target, and with one as drawn. The dashed "+
			"line is what no kernel method falls below.", d, v.Int("n")),
		X: props.Axis{Label: "samples N", Log: true}, Y: props.Axis{Label: "squared error"}, Curves: curves}}, nil
}
