package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

func tryEnergy(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	if float64(n)*float64(d) > 1e7 {
		return nil, fmt.Errorf("n·d = %d numbers are more than can be sampled here; take at most 10⁷", n*d)
	}
	f, err := target.Simulated(v.Int("r"))
	if err != nil {
		return nil, err
	}
	p := sampleNoisy(t.Rand, n, d, f, v.Float("noise"))
	_, rest := latent.Preprocess(p.X, p.Y)
	return map[string]float64{"share": latent.Energy(latent.Symmetric(t.Rand, m+m%2, d).FirstGradient(p.X, rest),
		f.Latent)}, nil
}

// drawEnergy draws the share against n/d² up to the n of the user, a data set for each point, and the prediction.
func drawEnergy(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, r, m := v.Int("d"), v.Int("r"), v.Int("m")
	f, noise := target.Isotropic(r), v.Float("noise")
	points, line := props.Curve{Name: "one data set", Style: props.Points},
		props.Curve{Name: "prediction", Style: props.Dashed}
	for _, n := range halvings(v.Int("n"), 8) {
		p := sampleNoisy(t.Rand, n, d, f, noise)
		_, rest := latent.Preprocess(p.X, p.Y)
		x := perSquare(n, d)
		points.X, points.Y = append(points.X, x), append(points.Y,
			latent.Energy(latent.Symmetric(t.Rand, m+m%2, d).FirstGradient(p.X, rest), r))
		line.X, line.Y = append(line.X, x), append(line.Y,
			theory.Step{D: d, N: n, Noise: noise, H: f.Terms.Hessian(r)}.Share())
	}
	return []props.Figure{{ID: "share", Title: "Share of the first step in the latent subspace",
		Caption: fmt.Sprintf("Share of ‖W⁽¹⁾‖_F² in the latent subspace against n/d² at d = %d, with %d neurons.", d, m),
		X:       props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "share ρ"},
		Curves: []props.Curve{points, line}}}, nil
}

// halvings are n and count−1 halvings of it, in ascending order, as long as they are at least 2.
func halvings(n, count int) []int {
	var out []int
	for k := count - 1; k >= 0; k-- {
		if n>>k >= 2 {
			out = append(out, n>>k)
		}
	}
	return out
}

func perSquare(n, d int) float64 { return float64(n) / math.Pow(float64(d), 2) }
