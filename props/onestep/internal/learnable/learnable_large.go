package learnable

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// pair is an activation with a teacher whose nonlinear part has energy one.
type pair struct {
	Name, Activation string
	Teacher          []float64 // Hermite coefficients
	Matches          bool
}

var (
	square = []float64{0, 1, math.Sqrt(1. / 2)}
	cube   = []float64{0, 1, 0, math.Sqrt(1. / 6)}
	pairs  = []pair{
		{"ReLU on H₁ + H₂/√2", "relu", square, true},
		{"tanh on H₁ + H₃/√6", "tanh", cube, true},
		{"ReLU on H₁ + H₃/√6", "relu", cube, false},
		{"tanh on H₁ + H₂/√2", "tanh", square, false},
	}
	regimes = network.Map(pairs, func(p pair) string { return p.Name })
)

// The criteria of a large step.
const (
	beaten = "test error of a matching pair, below that of the best linear predictor"
	kept   = "test error of another pair, above it"
)

type cell struct{ Pair, Index int }

func cells(e props.Effort) []cell {
	var out []cell
	for p := range pairs {
		for i := range (props.Scale{Quick: 64, Standard: 96, Deep: 100}).At(e) {
			out = append(out, cell{p, i})
		}
	}
	return out
}

// measure returns the mean square over samples that are left out, for one network after one step along its gradient,
// over that of the best linear predictor on the same samples.
func measure(t *props.Trial, c cell) float64 {
	p := pairs[c.Pair]
	return p.error(t, p.Activation, props.Scale{Quick: 16, Standard: 20, Deep: 100}.At(t.Effort))
}

// measureExchanged is far off: in small networks.
func measureExchanged(t *props.Trial, c cell) float64 {
	p := pairs[c.Pair]
	return p.error(t, map[string]string{"relu": "tanh", "tanh": "relu"}[p.Activation], 12)
}

// error is that of one network in so many dimensions.
func (p pair) error(t *props.Trial, name string, size int) float64 {
	const ridge = 0.02
	s := network.Setup{Phi: 0.05, Psi: 0.1, Act: network.Named(name),
		Teacher: network.Teacher{Link: features.Series(p.Teacher...).Value}}
	step := s.Draw(t.Rand, int(math.Round(float64(size)/math.Sqrt(s.Phi))))
	n, d := step.X.Dims()
	fresh := features.Gaussian(t.Rand, n, d)
	y := features.Teacher{Direction: step.Target, Link: s.Teacher.Link}.Labels(t.Rand, fresh)
	w := mat.DenseCopyOf(step.W)
	w.Scale(2*math.Sqrt(float64(len(step.A))), step.Gradient(s.Act.Run))
	w.Add(w, step.W)
	left, err := features.LeaveOneOut(features.Overwrite(s.Act.Run, features.PreActivations(fresh, w)), y, ridge)
	if err != nil {
		panic(err)
	}
	linear := 0.0
	for i, yi := range y {
		rest := yi - p.Teacher[1]*floats.Dot(step.Target, fresh.RawRowView(i))
		linear += rest * rest / float64(n)
	}
	return left / linear
}

// margin is by how much errors are claimed to differ from τ² = 1. They differ by 0.2 and more.
const margin = 0.1

// errors is what the errors of matching pairs are claimed to be below, and the others above.
type errors float64

// conclude compares medians with the claim: a criterion accepts where the whole interval lies on the claimed side.
func conclude(r *props.Record, cells []cell, all []float64, claim errors) {
	factor := float64(claim)
	for k, p := range pairs {
		r.Regime(p.Name)
		var mine []float64
		for i, c := range cells {
			if c.Pair == k {
				mine = append(mine, all[i])
			}
		}
		iv := stat.Median(mine, stat.CriterionAlpha)
		if p.Matches {
			r.MeasuredBelow("test error over τ²", iv, 1)
			r.EstimateAtMost(beaten, iv, factor*(1-margin), factor*margin)
		} else {
			r.MeasuredAbove("test error over τ²", iv, 1)
			r.EstimateAtLeast(kept, iv, factor*(1+margin), factor*margin)
		}
	}
}
