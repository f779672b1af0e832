package emergence

import (
	"errors"

	"github.com/thm-suite/thm/theory"
)

// Fits is the claim emergence/fits: which second layers samples find on the features of each step.
var Fits = theory.Statement{
	Slug:     "emergence/fits",
	Title:    "A fitted second layer is accurate on the features after two steps, and not on those after one or none",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "The network and the two steps of emergence/learning over 4000 samples each, k = 3, 2·64 neurons, D and " +
		"λ as named below. The second layer that minimises the hinge loss on 1000 samples, of those whose outputs have " +
		"mean square at most 4 there, up to 0.1 by a certificate; its loss and error on 8000 fresh inputs.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates, at least k",
			Domain:  theory.IntegerBetween(3, 1000),
			Default: "30"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant ones, odd", Domain: theory.IntegerBetween(3, 9),
			Default: "3"},
		{Name: "m", Symbol: "m", Meaning: "number of neurons; as many mirrors", Domain: theory.IntegerBetween(8, 1000),
			Default: "64"},
		{Name: "uniform", Symbol: "λ", Meaning: "share of the inputs whose bits on A are uniform",
			Domain: &theory.Domain{Min: new(float64), Max: ptr(1), OpenMax: true}, Default: "0.5"},
	},
	Claim: "On the neurons after both steps its error is at most 0.01 and its loss at most 0.05. After the first step " +
		"alone (η₁ = 10⁻³) its loss is at least 0.7λ, where that of any affine function is at least λ; after a second " +
		"step of 10⁻³ in place of 1 as well. On the initial neurons it is at least λ, and its error at least 0.4λ.",
	TeX: `\min_a E \max\left(0, 1 - y \sum_i a_i \sigma(z_i)\right) \ge \lambda \text{ where all neurons are affine or ` +
		`dead}`,
	Assumptions: []theory.Assumption{
		{ID: "second-step", Text: "two steps are taken"},
		{ID: "large-second-step", Text: "η₂ = 1"},
		{ID: "structured", Text: "the bits on A are equal on part of the inputs: γ > 0"},
	},
	Source: paper.At("section 6 and the slides: classifiers on the features of each step"),
	Deviations: "The source reports accuracies of about 52 % after one step and about 100 % after two, without " +
		"saying how the classifier was trained. One that is fitted to the end is right on about 3/4 of the inputs " +
		"after one step: with a small η₁ the weights already point the right way, but no kink lies within the data.",
	Proof: "None is claimed for the bounds but for λ: a loss of at least λ for affine functions is " +
		"emergence/polynomials, and weights of the order η₁ leave every neuron with |b| > ‖w‖ affine or dead.",
	Tolerance: "Bounds that a finding states, chosen after runs: 14 of them had losses after the first step of 0.95 to " +
		"1.07 λ, and an earlier one 0.78 λ; on the initial neurons 1.17 to 1.34 λ and errors of 0.52 to 0.61 λ; after " +
		"both steps losses up to 0.008. A loss below λ is possible where neurons with |b| < ‖w‖ have a kink within the data.",
	Limits: "20 ≤ D ≤ 40, k = 3, 0.3 ≤ λ ≤ 0.6, fair bits, some seeds.",
	Cost:   "Every case trains a network and fits four classifiers.",
	Predict: func(v theory.Values) []theory.Quantity {
		optimum := PolynomialOptimum(v.Int("k"), 1, v.Float("uniform"))
		return []theory.Quantity{
			{Name: "initial", Symbol: "≥ λ", Value: optimum,
				Meaning: "loss on the initial neurons, at the default sizes"},
			{Name: "first", Symbol: "≥ λ", Value: optimum,
				Meaning: "loss after the first step, but for the noise of its inputs"},
			{Name: "second", Symbol: "0", Value: 0, Meaning: "loss after both steps, up to 0.05"},
		}
	},
	Violated: func(v theory.Values) error {
		if v.Int("k")%2 == 0 || v.Int("k") > v.Int("D") {
			return errors.New("emergence: k is odd and at most D")
		}
		return nil
	},
	RestsOn: []string{"emergence/classifier", "emergence/polynomials", "emergence/learning"},
}
