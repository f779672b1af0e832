package risk

import (
	"math"

	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// setup is a network with a teacher, ridge regression on its features, and the errors that are looked at.
type setup struct {
	Name string // the regime
	Act  network.Activation
	Risk theory.Risk // after the step, with strong spikes
	// Standard deviations in one cell, at the size of standard effort: of an error over the claim for random features
	// and after a step, of the training error over what the test error says of it, and of the traces.
	SD    [2]float64
	Cross float64
	Trace [4]float64
	Steps []float64 // further step sizes over N^(1/4), at which spikes of the second order are of order one
}

// setups have both settings of the slides, teachers of third order and with a mean, rows of W₀ on the sphere and
// Gaussian ones, N below, at and above n, d above n and an odd activation.
var setups = []setup{
	of("linear teacher", "phase-sine", theory.Risk{Phi: 0.5, Psi: 0.5, Lambda: 0.1, Terms: 1,
		Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}}, [2]float64{0.0125, 0.038}, 0.0063, 0.6),
	of("nonlinear teacher, E y = 0", "sincos", theory.Risk{Phi: 0.3, Psi: 0.4, Lambda: 0.3, Terms: 2,
		Teacher: theory.Teacher{Coefficients: []float64{0, 1, math.Sqrt(0.5)}}}, [2]float64{0.0135, 0.09}, 0.017, 0.6),
	of("odd activation, ℓ = 3", "tanh", theory.Risk{Phi: 0.8, Psi: 0.4, Lambda: 0.05, Terms: 3,
		Teacher: theory.Teacher{Coefficients: []float64{0, 0.8, 0.3, 0.2}, Noise: 0.04}}, [2]float64{0.066, 0.085}, 0.055),
	of("Gaussian rows of W₀, E y ≠ 0", "quadratic",
		theory.Risk{Phi: 0.3, Psi: 0.2, Lambda: 0.3, Terms: 2, GaussianRows: true,
			Teacher: theory.Teacher{Coefficients: []float64{1, 1, math.Sqrt(0.5)}}}, [2]float64{0.06, 0.105}, 0.035),
	of("terms of the true gradient, E y ≠ 0", "sincos",
		theory.Risk{Phi: 0.5, Psi: 0.5, Lambda: 1, Terms: 2, Trained: true,
			Teacher: theory.Teacher{Coefficients: []float64{0.7, 1}, Noise: 0.1}}, [2]float64{0.06, 0.09}, 0.03),
	of("intercept, d > n, E y ≠ 0", "relu", theory.Risk{Phi: 1.5, Psi: 2, Lambda: 0.05, Terms: 2, Intercept: true,
		Teacher: theory.Teacher{Coefficients: []float64{0.5, 1, math.Sqrt(0.5)}}}, [2]float64{0.048, 0.075}, 0.032),
}

func of(name, activation string, r theory.Risk, sd [2]float64, cross float64, steps ...float64) setup {
	act := network.Named(activation)
	r.Activation, r.Eta = act.Closed, math.Inf(1)
	traces := [4]float64{0.026, 0.06, 0.042, 0.09}
	if r.GaussianRows {
		traces = [4]float64{0.045, 0.045, 0.085, 0.08}
	}
	return setup{Name: name, Act: act, Risk: r, SD: sd, Cross: cross, Trace: traces, Steps: steps}
}

// regimes are their names.
var regimes = network.Map(setups, func(s setup) string { return s.Name })

// by finds a setup by its name.
func by(name string) setup {
	for _, s := range setups {
		if s.Name == name {
			return s
		}
	}
	panic("risk: no setup is called " + name)
}

// cases are what is regressed in a setup, in a network of N neurons: random features, the features after a strong step,
// and those after finite steps.
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
