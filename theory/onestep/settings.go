package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Settings is the claim onestep/settings: the two experiments of the slides.
var Settings = theory.Statement{
	Slug:  "onestep/settings",
	Title: "A step beyond n^(1/4) helps a teacher with a square more than a linear one, at n from 48 to 500",
	Plain: "In experiments, a step larger than n^(1/4) lowers the error more for a target with a quadratic part " +
		"than for a linear one.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Ridge regression with λ = 0.01 on the features σ(XW₁ᵀ), W₁ = W₀ + ηc₁aβᵀ, η = n^α, of n fresh samples, n " +
		"= N, d = 0.6n, σ the centred ReLU. Setting 1: y = β⋆ᵀx + noise of variance 1. Setting 2: y = H₁ + H₂/√2 of β⋆ᵀx " +
		"without noise. L(α) is the mean square error over held-out samples.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n",
			Meaning: "samples and neurons", Domain: theory.IntegerBetween(10, 100000), Default: "500"},
		{Name: "alpha", Symbol: "α",
			Meaning: "exponent of the step size", Domain: theory.Between(-1, 0.5), Default: "0.4"},
	},
	Claim: "The median over networks of log L(0.5)/L(0.1) in Setting 2 is at most a quarter of g₂, the negative value " +
		"that the limits of onestep/risk with two terms give at that n. The median of its difference from Setting 1, with " +
		"the same weights, samples and β⋆, is at most a quarter of g₂ − g₁, which is negative as well.",
	TeX: `\log \frac{L_2(0.5)}{L_2(0.1)} \le \frac{g_2}{4} < 0, \qquad ` +
		`\log \frac{L_2(0.5)}{L_2(0.1)} - \log \frac{L_1(0.5)}{L_1(0.1)} \le \frac{g_2 - g_1}{4}`,
	Assumptions: []theory.Assumption{
		{ID: "square", Text: "the activation has a part of second order, c₂ ≠ 0"},
	},
	Source:     paper.At("figures of error against log η/log n, Settings 1 and 2"),
	Deviations: "The figures of the slides have no numbers: sizes, activation and penalty here are ours.",
	Proof: "None: this is an observation. According to the limits of onestep/risk with two terms at a finite step, L " +
		"changes from α = 0.1 to 0.5 by a factor of 0.83 in Setting 2 and 0.94 in Setting 1 at n = 500.",
	Tolerance: "The upper end of an order-statistic interval for the median over independent networks lies below the " +
		"bound; the claim is refuted when the lower end lies above. Logarithms are means over several networks each.",
	Limits:  "n up to 100 at standard effort, one activation, one penalty, displayed weights.",
	RestsOn: []string{"onestep/risk"},
	Predict: func(v theory.Values) []theory.Quantity {
		value := func(t Teacher) float64 { return SettingError(t, v.Float("n"), v.Float("alpha")) }
		return []theory.Quantity{
			{Name: "setting1", Symbol: "L(α)", Value: value(SettingTeachers[0]),
				Meaning: "test error in Setting 1 with two terms", Nonnegative: true},
			{Name: "setting2", Symbol: "L(α)", Value: value(SettingTeachers[1]),
				Meaning: "test error in Setting 2 with two terms", Nonnegative: true},
		}
	},
}

// SettingTeachers holds the teachers of Settings 1 and 2.
var SettingTeachers = [2]Teacher{
	{Coefficients: []float64{0, 1}, Noise: 1},
	{Coefficients: []float64{0, 1, math.Sqrt2 / 2}},
}

// SettingError returns the limit of the test error with two terms of the expansion at η = n^α.
func SettingError(t Teacher, n, alpha float64) float64 {
	e, err := Risk{Phi: 0.6, Psi: 0.6, Lambda: 0.01, Activation: Activation("relu"), Teacher: t, Terms: 2,
		Eta: math.Pow(n, alpha), Width: n}.Errors()
	if err != nil {
		return math.NaN()
	}
	return e.Test
}
