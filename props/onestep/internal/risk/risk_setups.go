package risk

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// setup is a network with a teacher, ridge regression on its features, and the errors that are looked at.
type setup struct {
	Name  string // the regime
	Act   network.Activation
	Risk  theory.Risk // after the step, with strong spikes
	SD    spread
	Size  float64           // over the size of the other setups
	Steps []float64         // further step sizes over N^(1/4), at which spikes of the second order are of order one
	Other map[string]string // by the case, a regression among [others] that it is told from here
}

// spread are standard deviations in one cell, at the sizes of standard effort: of errors and of the training error over
// what is claimed, of the four traces over their limits, and of the squared cosine of β with β⋆. Where a law has long
// tails they belong to a normal law that has as much beyond the margin, see [props.Limit].
type spread struct {
	Random, Strong, Cross float64
	Traces                [4]float64
	Alignment             float64
}

// setups have both settings of the slides, teachers of third order and with a mean, rows of W₀ on the sphere and
// Gaussian ones, N below, at and above n, d above n and an odd activation. Penalties are a good part of the mean
// eigenvalue (φ/ψ)E σ², where limits are neither those of no penalty nor of no features; a small one is tried where N
// is well below n. At N = n small ones make traces scatter.
var setups = []setup{
	of("linear teacher", "phase-sine", theory.Risk{Phi: 0.5, Psi: 0.5, Lambda: 0.4, Terms: 1,
		Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}},
		spread{0.01, 0.013, 0.004, [4]float64{0.008, 0.016, 0.013, 0.024}, 0.012}, 0.6).
		against(map[string]string{random: "all of it noise", strong: "no step", finite: "strong"}),
	of("nonlinear teacher, E y = 0", "sincos", theory.Risk{Phi: 0.4, Psi: 0.6, Lambda: 0.6, Terms: 2,
		Teacher: theory.Teacher{Coefficients: []float64{0, 1, math.Sqrt(0.5)}}},
		spread{0.015, 0.022, 0.0095, [4]float64{0.005, 0.017, 0.008, 0.026}, 0.0135}, 0.6).
		against(map[string]string{random: "penalty over n"}),
	of("odd activation, ℓ = 3", "tanh", theory.Risk{Phi: 0.4, Psi: 0.3, Lambda: 0.4, Terms: 3,
		Teacher: theory.Teacher{Coefficients: []float64{0, 0.8, 0.3, 0.2}, Noise: 0.2}},
		spread{0.013, 0.0265, 0.0235, [4]float64{0.003, 0.009, 0.005, 0.014}, 0.0115}).
		larger(1.25), // leverages of u³ are large
	of("Gaussian rows of W₀, E y ≠ 0", "quadratic", theory.Risk{Phi: 0.5, Psi: 0.3, Lambda: 1, Terms: 2,
		GaussianRows: true, Teacher: theory.Teacher{Coefficients: []float64{0.8, 1, math.Sqrt(0.5)}}},
		spread{0.0255, 0.018, 0.0125, [4]float64{0.013, 0.022, 0.019, 0.029}, 0.0235}).larger(1.1).
		against(map[string]string{random: "unit rows"}),
	of("terms of the true gradient, E y ≠ 0", "sincos", theory.Risk{Phi: 0.5, Psi: 0.5, Lambda: 1, Terms: 2,
		Trained: true, Teacher: theory.Teacher{Coefficients: []float64{0.5, 1}, Noise: 0.5}},
		spread{0.029, 0.015, 0.004, [4]float64{0.006, 0.015, 0.01, 0.024}, 0.0145}).
		against(map[string]string{strong: "displayed"}),
	of("intercept, d > n, E y ≠ 0", "relu", theory.Risk{Phi: 1.5, Psi: 2, Lambda: 0.3, Terms: 2, Intercept: true,
		Teacher: theory.Teacher{Coefficients: []float64{0.5, 1, math.Sqrt(0.5)}}},
		spread{0.012, 0.021, 0.0215, [4]float64{0.008, 0.015, 0.0125, 0.022}, 0.021}),
	of("small penalty, N = n/2", "phase-sine", theory.Risk{Phi: 0.25, Psi: 0.5, Lambda: 0.01, Terms: 1,
		Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}},
		spread{0.016, 0.02, 0.007, [4]float64{0.0015, 0.0245, 0.0005, 0.026}, 0.0105}).larger(1.1),
}

func of(name, activation string, r theory.Risk, sd spread, steps ...float64) setup {
	act := network.Named(activation)
	r.Activation, r.Eta = act.Closed, math.Inf(1)
	return setup{Name: name, Act: act, Risk: r, SD: sd, Size: 1, Steps: steps}
}

// larger makes the networks of a setup larger by a factor.
func (s setup) larger(factor float64) setup {
	s.Size = factor
	return s
}

// sizes returns the sizes √(nd) at an effort, the smaller one first.
func (s setup) sizes(e props.Effort) (small, large int) {
	size := int(math.Round(s.Size * float64(base.At(e))))
	return size, 4 * size
}

// against names regressions that are told from those of the cases here.
func (s setup) against(others map[string]string) setup {
	s.Other = others
	return s
}

// regimes are their names.
var regimes = network.Map(setups, func(s setup) string { return s.Name })

// cases returns the features that are regressed in a setup, in a network of the given width: random features, the
// features after a strong step, and the features after finite steps.
func (s setup) cases(width int) map[string]theory.Risk {
	initial := s.Risk
	initial.Terms = 0
	out := map[string]theory.Risk{random: initial, strong: s.Risk}
	for _, step := range s.Steps {
		r := s.Risk
		r.Width, r.Eta = float64(width), step*math.Pow(float64(width), 0.25)
		out[finite] = r
	}
	return out
}

// The cases.
const (
	random = "random features"
	strong = "a strong step"
	finite = "a finite step"
)
