package learnable

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
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
	unseen = "cosine of the samples of the step and of the test, across β⋆"
)

type cell struct{ Pair, Index int }

// cells are more for the last pair, which is nearest to one. With as many the interval for its median ends six standard
// deviations away.
func cells(e props.Effort) []cell {
	var out []cell
	for p, pair := range pairs {
		count := props.Scale{Quick: 80, Standard: 160, Deep: 160}
		switch {
		case p == len(pairs)-1:
			count = props.Scale{Quick: 112, Standard: 160, Deep: 160}
		case pair.Matches && pair.Activation == "tanh": // errors scatter most
			count.Standard, count.Deep = 192, 192
		}
		for i := range count.At(e) {
			out = append(out, cell{p, i})
		}
	}
	return out
}

// tested are networks on samples that are left out.
type tested struct {
	Error float64 // mean square over the mean square of the best linear predictor on the same samples
	Small float64 // the same in a quarter of the dimensions, on average
	Seen  float64 // cosine of what Xᵀy has across β⋆ for the samples of the step and for these
}

// fewer is the number of networks in a quarter of the dimensions that a cell has.
const fewer = 2

// limit takes out what is of order 1/d.
func (m tested) limit() float64 { return network.Extrapolated(4, m.Error, m.Small) }

// sampled are the samples of a test.
type sampled func(t *props.Trial, step network.Sample, link func(float64) float64) (x *mat.Dense, y []float64)

func fresh(t *props.Trial, step network.Sample, link func(float64) float64) (*mat.Dense, []float64) {
	n, d := step.X.Dims()
	x := features.Gaussian(t.Rand, n, d)
	return x, features.Teacher{Direction: step.Target, Link: link}.Labels(t.Rand, x)
}

func measure(t *props.Trial, c cell) tested {
	p := pairs[c.Pair]
	return p.both(t, p.Activation, props.Scale{Quick: 16, Standard: 20, Deep: 100}.At(t.Effort), fresh)
}

// measureExchanged is far off: in small networks.
func measureExchanged(t *props.Trial, c cell) tested {
	p := pairs[c.Pair]
	return p.both(t, map[string]string{"relu": "tanh", "tanh": "relu"}[p.Activation], 12, fresh)
}

func measureSeen(t *props.Trial, c cell) tested {
	p := pairs[c.Pair]
	return p.both(t, p.Activation, 12, func(_ *props.Trial, step network.Sample, _ func(float64) float64) (*mat.Dense,
		[]float64) {
		return step.X, step.Y
	})
}

// both takes one network of the given size, and some of a quarter of it.
func (p pair) both(t *props.Trial, name string, size int, of sampled) tested {
	out := p.test(t, name, size, of)
	for range fewer {
		out.Small += p.test(t, name, size/4, of).Error / fewer
	}
	return out
}

// test takes one step along the gradient, with one network of the given size.
func (p pair) test(t *props.Trial, name string, size int, of sampled) tested {
	const ridge = 0.02
	s := network.Setup{Phi: 0.05, Psi: 0.1, Act: network.Named(name),
		Teacher: network.Teacher{Link: features.Series(p.Teacher...).Value}}
	step := s.Draw(t.Rand, int(math.Round(float64(size)/math.Sqrt(s.Phi))))
	x, y := of(t, step, s.Teacher.Link)
	w := algebra.Sum(algebra.Scaled(2*math.Sqrt(float64(len(step.A))), step.Gradient(s.Act.Run)), step.W)
	left := must.Get(features.LeaveOneOut(features.Overwrite(s.Act.Run, features.PreActivations(x, w)), y, ridge))
	linear := 0.0
	for i, yi := range y {
		rest := yi - p.Teacher[1]*floats.Dot(step.Target, x.RawRowView(i))
		linear += rest * rest / float64(len(y))
	}
	return tested{Error: left / linear, Seen: network.Cosine(across(step.Beta, step.Target),
		across(network.Correlate(x, y), step.Target))}
}

// across returns the part of v that is orthogonal to a unit vector.
func across(v, unit []float64) []float64 {
	out := slices.Clone(v)
	floats.AddScaled(out, -floats.Dot(v, unit), unit)
	return out
}

// minEffect is by how much errors are claimed to differ from τ² = 1. They differ by 0.2 and more.
const minEffect = 0.03

// errors is a bound: the errors of matching pairs are claimed to lie below it, and the others above.
type errors float64

// conclude compares medians with the claim: a criterion accepts where the whole interval lies on the claimed side. The
// parts of two independent samples across β⋆ have the cosine of a direction with a fixed one, whose mean square is
// 1/(d − 1), with d = 12 the smallest it is taken at. A tenth of the cosine of equal samples does not matter.
func conclude(r *props.Record, cells []cell, all []tested, claim errors) {
	factor := float64(claim)
	seen := network.Map(all, func(m tested) float64 { return m.Seen })
	r.EqualsAbsolutely(unseen, stat.Median(seen, stat.CriterionAlpha), 0, 0.1+stat.MedianMargin(stat.NormalTail,
		1/math.Sqrt(11), len(seen), stat.CriterionAlpha, stat.CriterionUndecided))
	for k, p := range pairs {
		r.Regime(p.Name)
		var mine []float64
		for i, c := range cells {
			if c.Pair != k {
				continue
			}
			// The worse of the larger network and of what both sizes extrapolate to.
			if p.Matches {
				mine = append(mine, max(all[i].Error, all[i].limit()))
			} else {
				mine = append(mine, min(all[i].Error, all[i].limit()))
			}
		}
		iv := stat.Median(mine, stat.CriterionAlpha)
		if p.Matches {
			r.MeasuredBelow("test error over τ²", iv, 1)
			r.Effect(beaten, iv, factor, factor*(1-minEffect))
		} else {
			r.MeasuredAbove("test error over τ²", iv, 1)
			r.Effect(kept, iv, factor, factor*(1+minEffect))
		}
	}
}
