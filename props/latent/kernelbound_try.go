package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// maxKernelSamples are what a simulation regresses on.
const maxKernelSamples = 2000

// tryKernelBound measures the best of four tuned kernels on one data set, beside the bound for all of them.
func tryKernelBound(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, p := v.Int("d"), v.Int("n"), v.Int("p")
	if err := simulableKernels(d, n); err != nil {
		return nil, err
	}
	data, best := newProblem(t.Rand, zonal(p), n, d, 500), math.Inf(1)
	for name := range kernels(d) {
		best = min(best, data.regress(tuned(name, d, p), latent.WithBias))
	}
	return map[string]float64{"bound": best}, nil
}

// zonal is the target of theory.ZonalTarget.
func zonal(p int) target.Named {
	if p == 2 {
		return target.Pure(2)
	}
	return target.Mixed(p)
}

func simulableKernels(d, n int) error {
	if n < 2 || n > maxKernelSamples || d < 2 || d > 1000 {
		return fmt.Errorf("n = %d samples in d = %d dimensions: kernels run here with n from 2 to %d and d from 2 to 1000",
			n, d, maxKernelSamples)
	}
	return nil
}

// drawKernelBound draws the errors of the tuned kernels and the bound against n up to that of the user.
func drawKernelBound(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, p := v.Int("d"), v.Int("p")
	if err := simulableKernels(d, v.Int("n")); err != nil {
		return nil, err
	}
	curves := []props.Curve{{Name: "bound", Style: props.Dashed}, {Name: "tangent", Style: props.Points},
		{Name: "features", Style: props.Points}, {Name: "polynomial", Style: props.Points},
		{Name: "gaussian", Style: props.Points}}
	for _, n := range halvings(v.Int("n"), 5) {
		data := newProblem(t.Rand, zonal(p), n, d, 500)
		for i := range curves {
			y := kernelsAtBest(d, p, n)
			if i > 0 {
				y = data.regress(tuned(curves[i].Name, d, p), latent.WithBias)
			}
			curves[i].X, curves[i].Y = append(curves[i].X, float64(n)), append(curves[i].Y, y)
		}
	}
	return []props.Figure{{ID: "kernels", Title: "Tuned kernels and the bound for all of them",
		Caption: fmt.Sprintf("Squared error of tuned kernels against the number of samples at d = %d, a data set for each "+
			"point, and what no kernel method falls below in the mean over directions.", d),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "squared error"}, Curves: curves}}, nil
}
