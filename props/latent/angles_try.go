package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

func tryAngles(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	if float64(n)*float64(d) > 1e7 || float64(d) > 1000 {
		return nil, fmt.Errorf("n·d = %g numbers and d = %d are more than can be used here; take at most 10⁷ and 1000",
			float64(n)*float64(d), d)
	}
	f, err := target.Simulated(v.Int("r"))
	if err != nil {
		return nil, err
	}
	sine, share := leading(t, f, d, n, v.Float("noise"), m+m%2)
	return map[string]float64{"sine": sine, "share": share}, nil
}

// drawAngles draws sin²θ and what of the step lies outside of the subspace, against n/d up to the n of the user.
func drawAngles(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, r, m, noise := v.Int("d"), v.Int("r"), v.Int("m"), v.Float("noise")
	curves := []props.Curve{{Name: "sin²θ", Style: props.Points}, {Name: "1 − ρ", Style: props.Points},
		{Name: "sin²θ, predicted", Style: props.Dashed}, {Name: "1 − ρ, predicted", Style: props.Dashed}}
	f := target.Isotropic(r)
	for _, n := range halvings(v.Int("n"), 6) {
		sine, share := leading(t, f, d, n, noise, m+m%2)
		step := theory.Step{D: d, N: n, Noise: noise, H: f.Terms.Hessian(r)}
		for i, y := range []float64{sine, 1 - share, theory.Angle{D: d, R: r, N: n, M: m, Noise: noise}.SineSquared(),
			1 - step.Share()} {
			curves[i].X, curves[i].Y = append(curves[i].X, float64(n)/float64(d)), append(curves[i].Y, y)
		}
	}
	return []props.Figure{{ID: "angles", Title: "Leading directions of the step, and all of it",
		Caption: fmt.Sprintf("Squared sine of the angle of the leading directions, and the share of the step outside of the "+
			"latent subspace, against n/d at d = %d, a data set for each point.", d),
		X: props.Axis{Label: "n/d", Log: true}, Y: props.Axis{Label: "outside of the subspace", Log: true},
		Curves: curves}}, nil
}
