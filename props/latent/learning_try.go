package latent

import (
	"fmt"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryLearning measures Algorithm 1 and the kernels on one data set.
func tryLearning(t *props.Trial, v statement.Values) (map[string]float64, error) {
	d, n, m := v.Int("d"), v.Int("n"), v.Int("m")
	if float64(n)*float64(m)*float64(m) > 2e10 {
		return nil, fmt.Errorf("n·m² = %.2g is more than can be run here; take at most 2·10¹⁰",
			float64(n)*float64(m)*float64(m))
	}
	p := newProblem(t.Rand, target.Mixed(v.Int("p")), n, d, 1500)
	e, net := p.learn(t.Rand, m+m%2, "")
	out := map[string]float64{"algorithm": e}
	if n <= 3000 {
		for name := range kernels(d) {
			out[name] = p.regress(tuned(name, d, v.Int("p")), latent.WithBias)
		}
		out["metric"] = p.regress(rkhs.NeuralTangent(), learnedMetric(net.W))
	}
	return out, nil
}

// drawLearning draws the errors of Algorithm 1 and of tuned kernels against n/d² up to the n of the user; kernels to
// 1000 samples.
func drawLearning(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, degree, m := v.Int("d"), v.Int("p"), v.Int("m")
	algorithm := props.Curve{Name: "Algorithm 1", Style: props.Points}
	bound := props.Curve{Name: "bound for kernels", Style: props.Dashed}
	curves := []props.Curve{{Name: "tangent", Style: props.Points}, {Name: "features", Style: props.Points},
		{Name: "polynomial", Style: props.Points}, {Name: "gaussian", Style: props.Points}}
	add := func(c *props.Curve, n int, y float64) {
		c.X, c.Y = append(c.X, perSquare(n, d)), append(c.Y, y)
	}
	for _, n := range halvings(v.Int("n"), 5) {
		p := newProblem(t.Rand, target.Mixed(degree), n, d, 800)
		e, _ := p.learn(t.Rand, m+m%2, "")
		add(&algorithm, n, e)
		if b := kernelsAtBest(d, degree, n); b > negligibleBound {
			add(&bound, n, b)
		}
		for i := range curves {
			if n <= 1000 {
				add(&curves[i], n, p.regress(tuned(curves[i].Name, d, degree), latent.WithBias))
			}
		}
	}
	return []props.Figure{{ID: "errors", Title: "Algorithm 1 and tuned kernels",
		Caption: fmt.Sprintf("Squared error against n/d² on logarithmic axes at d = %d, a data set for each point. No "+
			"kernel method is below the dashed line in the mean over directions.", d),
		X: props.Axis{Label: "n/d²", Log: true}, Y: props.Axis{Label: "squared error", Log: true},
		Curves: append([]props.Curve{algorithm, bound}, curves...)}}, nil
}

// tuned is one of the kernels, the polynomial one of the degree of the target.
func tuned(name string, d, degree int) rkhs.Kernel {
	if name == "polynomial" {
		return rkhs.Polynomial(degree, float64(d))
	}
	return kernels(d)[name]
}
