package universality

import (
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// setup is a network with a teacher, and the terms of a strong and of a finite step.
type setup struct {
	Name   string // the regime
	Act    network.Activation
	Risk   theory.Risk
	Finite int     // terms at a finite step
	Step   float64 // its size over N^(1/4)

	// Standard deviations in one cell, at the sizes of standard effort: of what the replacement changes in the
	// objective and the test error, and of what concludeTraces compares.
	Replaced [2]float64
	Traces   [4]float64
}

// setups have labels with a mean, a nonlinear teacher, an odd activation, and d on both sides of n. Penalties are a
// good part of the mean eigenvalue (φ/ψ)E σ², as in onestep/risk; a small one is tried where N is well above n.
var setups = []setup{
	{Name: "two terms, E y ≠ 0", Act: network.Series(0, 1, 0.5),
		Risk: strongStep(theory.Risk{Phi: 0.4, Psi: 0.4, Lambda: 1, Terms: 2,
			Teacher: theory.Teacher{Coefficients: []float64{0.3, 1, 0.7}, Noise: 0.1}}), Finite: 2, Step: 0.7,
		Replaced: [2]float64{0.015, 0.0215}, Traces: [4]float64{0.008, 0.017, 0.005, 0.013}},
	{Name: "odd activation, ℓ = 3", Act: network.Named("tanh"),
		Risk: strongStep(theory.Risk{Phi: 0.5, Psi: 0.4, Lambda: 0.3, Terms: 3,
			Teacher: theory.Teacher{Coefficients: []float64{0, 0.8, 0.3, 0.2}, Noise: 0.2}}), Finite: 2, Step: 1,
		Replaced: [2]float64{0.007, 0.014}, Traces: [4]float64{0.004, 0.014, 0.003, 0.011}},
	{Name: "one term, d > n", Act: network.Named("sincos"),
		Risk: strongStep(theory.Risk{Phi: 1.5, Psi: 2, Lambda: 1, Terms: 1,
			Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}}), Finite: 1, Step: 0.6,
		Replaced: [2]float64{0.01, 0.019}, Traces: [4]float64{0.008, 0.015, 0.005, 0.009}},
	{Name: "small penalty, N = 6n", Act: network.Named("phase-sine"),
		Risk: strongStep(theory.Risk{Phi: 1, Psi: 1. / 6, Lambda: 0.01, Terms: 1,
			Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}}), Finite: 1, Step: 0.6,
		Replaced: [2]float64{0.011, 0.022}, Traces: [4]float64{0.018, 0.017, 0.011, 0.015}},
}

// alone is the one in which F₀'s own part is looked at, where it matters at a finite step.
var alone = setup{Act: network.Series(0, 1, 0.5),
	Risk: strongStep(theory.Risk{Phi: 0.2, Psi: 0.2, Lambda: 0.2, Terms: 2,
		Teacher: theory.Teacher{Coefficients: []float64{0.3, 1, 0.7}, Noise: 0.1}}), Finite: 2, Step: 0.7}

func strongStep(r theory.Risk) theory.Risk {
	r.Eta = math.Inf(1)
	return r
}

// regimes are their names.
var regimes = network.Map(setups, func(s setup) string { return s.Name })

// The cases.
const (
	random = "random features"
	strong = "a strong step"
	finite = "a finite step"
)

var cases = []string{random, strong, finite}

// risk is a case in a network of N neurons.
func (s setup) risk(name string, width int) theory.Risk {
	r := s.Risk
	r.Activation = s.Act.Closed
	switch name {
	case random:
		r.Terms = 0
	case finite:
		r.Terms, r.Width, r.Eta = s.Finite, float64(width), s.Step*math.Pow(float64(width), 0.25)
	}
	return r
}
