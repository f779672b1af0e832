package universality

import (
	"math"

	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// setup is a network with a teacher, and the terms of a strong and of a finite step.
type setup struct {
	Name   string // the regime
	Act    network.Activation
	Risk   theory.Risk
	Finite int     // terms at a finite step
	Step   float64 // its size over N^(1/4)

	// Standard deviations, for the objective and the test error of one network of √(nd) = 160, of what the
	// replacement changes.
	Replaced [2]float64
}

// setups have labels with a mean, a nonlinear teacher, an odd activation, and d on both sides of n. In the first one
// F₀'s own part matters at a finite step.
var setups = []setup{
	{Name: "two terms, E y ≠ 0", Act: network.Series(0, 1, 0.5),
		Risk: strongStep(theory.Risk{Phi: 0.2, Psi: 0.2, Lambda: 0.2, Terms: 2,
			Teacher: theory.Teacher{Coefficients: []float64{0.3, 1, 0.7}, Noise: 0.1}}), Finite: 2, Step: 0.7,
		Replaced: [2]float64{0.058, 0.08}},
	{Name: "odd activation, ℓ = 3", Act: network.Named("tanh"),
		Risk: strongStep(theory.Risk{Phi: 0.8, Psi: 0.4, Lambda: 0.05, Terms: 3,
			Teacher: theory.Teacher{Coefficients: []float64{0, 0.8, 0.3, 0.2}, Noise: 0.04}}), Finite: 2, Step: 1,
		Replaced: [2]float64{0.034, 0.061}},
	{Name: "one term, d > n", Act: network.Named("sincos"),
		Risk: strongStep(theory.Risk{Phi: 1.5, Psi: 2, Lambda: 0.1, Terms: 1,
			Teacher: theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}}), Finite: 1, Step: 0.6,
		Replaced: [2]float64{0.063, 0.08}},
}

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
