package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

func tryConcentration(t *props.Trial, v statement.Values) (map[string]float64, error) {
	if v.Float("n")*v.Float("d") > 1e7 {
		return nil, fmt.Errorf("n·d = %g numbers are more than can be sampled here; take at most 10⁷",
			v.Float("n")*v.Float("d"))
	}
	f, err := target.Simulated(v.Int("r"))
	if err != nil {
		return nil, err
	}
	u := setup{f, v.Float("noise")}
	m := sampleNoise(t.Rand, v.Int("n"), v.Int("d"), []setup{u}, false)[0]
	return map[string]float64{"raw": m.Raw, "preprocessed": m.Preprocessed}, nil
}

// drawConcentration draws the mean square error of the gradient against n up to that of the user.
func drawConcentration(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	u := setup{target.Isotropic(v.Int("r")), v.Float("noise")}
	curves := []props.Curve{{Name: "raw labels", Style: props.Points}, {Name: "preprocessed", Style: props.Points},
		{Name: "raw, predicted", Style: props.Dashed}, {Name: "preprocessed, predicted", Style: props.Dashed}}
	for _, n := range halvings(v.Int("n"), 8) {
		s, m := u.of(v.Int("d"), n), sampleNoise(t.Rand, n, v.Int("d"), []setup{u}, false)[0]
		for i, y := range []float64{m.Raw, m.Preprocessed, s.Raw(), s.Preprocessed()} {
			curves[i].X, curves[i].Y = append(curves[i].X, float64(n)), append(curves[i].Y, y)
		}
	}
	return []props.Figure{{ID: "noise", Title: "Error of the first gradient",
		Caption: fmt.Sprintf("‖g_n − g‖² against the number of samples on logarithmic axes at d = %d, a data set for each "+
			"point, from raw labels and after preprocessing.", v.Int("d")),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "‖g_n − g‖²", Log: true}, Curves: curves}}, nil
}
