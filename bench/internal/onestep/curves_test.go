//go:build system

package onestep

import (
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
)

// Curves are errors against the exponent of the step size, η = n^α, of ridge regression with λ = 0.01 on the features
// after the step, n = N, d = 0.6n.
type Curves struct {
	N, Seeds    int
	Alphas      []float64
	Activations []string
}

// Full has 13 values of α from −0.2 to 0.5, 20 seeds and two activations at n = 500.
var Full = Curves{500, 20, []float64{-0.2, -0.1, 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5},
	[]string{"relu", "tanh"}}

// Rules say what moves the weights: c₁aβᵀ, the mean-field gradient, and that of the output as printed, aᵀσ(Wx).
var Rules = []string{"displayed", "mean-field", "literal"}

// settings are the teachers of the slides.
var settings = []network.Teacher{network.Linear(1), network.Quadratic(0, 1, math.Sqrt(0.5), 0)}

// Run returns the mean square over samples that are left out, as a mean over seeds: by activation, rule, setting and α.
// Each seed has a stream of its own, and the seeds are shared out among so many workers.
func (c Curves) Run(workers int) ([][][][]float64, error) {
	all := make([][][][][]float64, c.Seeds)
	errs := make([]error, c.Seeds)
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for seed := worker; seed < c.Seeds; seed += workers {
				all[seed], errs[seed] = c.seed(rand.New(rand.NewPCG(uint64(seed), 1)))
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	mean := all[0]
	for k, one := range all[1:] {
		for a := range one {
			for rule := range one[a] {
				for s := range one[a][rule] {
					for i, x := range one[a][rule][s] {
						m := &mean[a][rule][s][i]
						*m += (x - *m) / float64(k+2)
					}
				}
			}
		}
	}
	return mean, nil
}

// seed has one network, batch and fresh sample for all activations, rules and settings.
func (c Curves) seed(r *rand.Rand) ([][][][]float64, error) {
	s := network.Setup{Phi: 0.6, Psi: 0.6, Act: network.Named(c.Activations[0]), Teacher: settings[0]}
	sample := s.Draw(r, int(math.Round(float64(c.N)*math.Sqrt(s.Phi))))
	n, d := sample.X.Dims()
	fresh := features.Gaussian(r, n, d)
	z := features.PreActivations(fresh, sample.W)
	var labels, targets [][]float64
	for _, teacher := range settings {
		t := features.Teacher{Direction: sample.Target, Link: teacher.Link, Noise: teacher.Noise}
		labels, targets = append(labels, t.Labels(r, sample.X)), append(targets, t.Labels(r, fresh))
	}
	var out [][][][]float64
	for _, name := range c.Activations {
		act := network.Named(name)
		layer := features.NewLayer(sample.X, sample.W, sample.A, act.Run)
		var rules [][][]float64
		for rule := range Rules {
			var curves [][]float64
			for k := range settings {
				move := features.PreActivations(fresh, step(layer, sample, labels[k], act, rule))
				curve, err := c.curve(act, z, move, targets[k])
				if err != nil {
					return nil, err
				}
				curves = append(curves, curve)
			}
			rules = append(rules, curves)
		}
		out = append(out, rules)
	}
	return out, nil
}

// step is the direction in which a rule moves the weights.
func step(layer *features.Layer, s network.Sample, y []float64, act network.Activation, rule int) *mat.Dense {
	switch Rules[rule] {
	case "mean-field":
		return layer.Direction(y, 1/math.Sqrt(float64(len(s.A))))
	case "literal":
		return layer.Direction(y, 1)
	}
	beta := network.Correlate(s.X, y)
	out := mat.NewDense(len(s.A), len(beta), nil)
	out.RankOne(out, act.Closed.Coefficient(1), mat.NewVecDense(len(s.A), s.A), mat.NewVecDense(len(beta), beta))
	return out
}

// curve regresses y at every step size.
func (c Curves) curve(act network.Activation, z, move *mat.Dense, y []float64) ([]float64, error) {
	var out []float64
	for _, alpha := range c.Alphas {
		var moved mat.Dense
		moved.Scale(math.Pow(float64(c.N), alpha), move)
		moved.Add(&moved, z)
		regression, err := features.NewRegression(features.Apply(act.Run, &moved), 0.01)
		if err != nil {
			return nil, err
		}
		fit := regression.Fits(mat.NewDense(1, len(y), y), features.Added{})
		out = append(out, fit[0].LeaveOneOut)
	}
	return out, nil
}
