package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/spectra"
)

// Learnable is the claim onestep/learnable: the teachers that random features and one step can learn.
var Learnable = theory.Statement{
	Slug: "onestep/learnable",
	Title: "Random features and steps of constant size learn only the linear part, large steps also what their powers " +
		"match",
	Plain: "Random features and a step of constant size learn no more than the target's linear part; a large step " +
		"can learn more.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "The setting of onestep/risk with rows of W₀ of length one and no intercept: ridge regression on n fresh " +
		"samples, test error with the noise of y, n, d, N → ∞ in proportion. τ² = E y² − c⋆₁² is the error of the best " +
		"predictor of the population that is linear in x, without a constant; c⋆₁ > 0. The network of a large step is f = " +
		"N^(−1/2)aᵀσ(Wx) after a step η = 2√N along its true gradient, with n = 20d = 2N and λ = 0.02; its error is the " +
		"mean square over held-out samples, divided by the mean square error of c⋆₁β⋆ᵀx on the same samples.",
	Params: []theory.Param{
		phi,
		{Name: "psi", Symbol: "ψ", Meaning: "d/N", Domain: theory.Between(0.01, 100), Default: "0.2"},
		{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Between(1e-4, 1e4), Default: "1.5"},
		{Name: "activation", Symbol: "σ", Meaning: "activation", Domain: theory.OneOf(activationNames()...),
			Default: "tanh"},
		{Name: "linear", Symbol: "c⋆₁",
			Meaning: "linear coefficient of the teacher", Domain: theory.Between(0.01, 100), Default: "1"},
		restEnergy,
		{Name: "eta", Symbol: "η", Meaning: "step size of order one", Domain: theory.Between(0, 1e6), Default: "8"},
	},
	Claim: "For every φ, ψ, λ, σ and step size η of order one: $L_te(0) ≥ L_te(η) ≥ c⋆₁²(1−ρ²)B + τ²(1+V) ≥ τ²$, where " +
		"L_te(0) is the limit of the test error of random features and L_te(η) is the limit after the step. After the " +
		"large step the median over networks of the divided error is below 0.97 for ReLU on H₁ + H₂/√2 and for tanh on " +
		"H₁ + H₃/√6, and above 1.03 when the two teachers are exchanged.",
	TeX: `L_{\mathrm{te}}(0) \ge L_{\mathrm{te}}(\eta) \ge c_{\star 1}^2 (1 - \rho^2) B + \tau^2 (1 + V) \ge \tau^2`,
	Assumptions: []theory.Assumption{
		{ID: "constant-step", Text: "the step is of order one; a step of order √N learns more"},
		{ID: "no-constant", Text: "rows of W₀ have length one and there is no intercept: otherwise the mean of the " +
			"labels is learned as well"},
		{ID: "fresh", Text: "the held-out samples are independent of those of the step"},
		{ID: "matching", Text: "the coefficient of the activation that matches the nonlinear part of the teacher differs " +
			"from 0"},
	},
	Source: paper.At("slides on random features and on one step of order one and of order √n; Ba, Erdogdu, Suzuki, " +
		"Wang, Wu, Yang, arXiv 2205.01445, abstract"),
	Deviations: "The chain of inequalities is ours. The sources say that a step of order one cannot beat the best " +
		"linear model, and that larger steps can for certain teachers.",
	Proof: "L_te is −Y′/m₁² of onestep/risk, and the step lowers Y by g, g = c⋆₁⁴/(b²/m₂ + (1+e)/(c₁⁴η²m₂²)). −g′ ≥ 0 " +
		"since 1/m₂ grows with λ and so does (1+e)/m₂², by |e′|/(1+e) ≤ |m₂′|/m₂ of onestep/fixedpoint. As η grows −g′/m₁² " +
		"grows to c⋆₁²ρ²B. V ≥ 0, B ≥ 0. The statement about large steps has no proof.",
	Tolerance: "Inequalities between closed forms: 512 roundings of the larger side. Networks: the end of an " +
		"order-statistic interval for the median of the mean square over held-out samples lies on the claimed side of τ². " +
		"Each network counts with its own error or with the extrapolation in 1/d from it and networks of a quarter of its " +
		"size, whichever is less favourable to the claim.",
	Limits: "Networks have d = 5 and 20 at standard effort, n = 20d = 2N, two activations and two teachers. τ² is the " +
		"error of the best linear predictor of the population, not of a fitted one.",
	Readings: []theory.Reading{{
		ID: "linear-regression",
		Reading: "after one step of order one the test error is still worse than that of linear regression on the " +
			"samples",
		Locus: "slides of 23 March 2024, one gradient step: performance is still worse than linear regression",
		Correct: "It is worse than the best linear predictor of the population. The step has seen n samples of its " +
			"own, and can beat ridge regression with the best penalty on the n samples of the second stage.",
		Counterexample: "tanh, φ = 1/2, ψ = 1/5, y = z + noise of variance 1, λ = 1.5, η = 8: 1.314; ridge " +
			"regression with the best penalty has √2 on n samples, and 1.236 on 2n",
	}},
	RestsOn: []string{"onestep/risk", "onestep/fixedpoint"},
	Violated: func(v theory.Values) error {
		_, err := learnableFrom(v).Errors()
		return err
	},
	Predict: func(v theory.Values) []theory.Quantity {
		r := learnableFrom(v)
		start, one, strong := r, r, r
		start.Terms, strong.Eta = 0, math.Inf(1)
		value := func(r Risk) float64 {
			e, err := r.Errors()
			if err != nil {
				return math.NaN()
			}
			return e.Test
		}
		square := r.Teacher.Coefficient(1) * r.Teacher.Coefficient(1)
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "before", Symbol: "L_te(0)", Value: value(start), Meaning: "test error of random features"},
			{Name: "after", Symbol: "L_te(η)", Value: value(one), Meaning: "test error after the step"},
			{Name: "strong", Symbol: "L_te(∞)", Value: value(strong), Meaning: "limit of that error for large η of order one"},
			{Name: "best", Symbol: "τ²", Value: r.Teacher.Noise, Meaning: "error of the best linear predictor"},
			{Name: "ridge", Symbol: "", Value: TunedRidge(r.Phi, square, r.Teacher.Noise),
				Meaning: "test error of ridge regression on the samples with the best penalty"},
			{Name: "double", Symbol: "", Value: TunedRidge(r.Phi/2, square, r.Teacher.Noise),
				Meaning: "the same on 2n samples"},
		})
	},
}

// learnableFrom returns the regression at a user's parameters.
func learnableFrom(v theory.Values) Risk {
	return Risk{Phi: v.Float("phi"), Psi: v.Float("psi"), Lambda: v.Float("lambda"),
		Activation: Activation(v.Choice("activation")),
		Teacher:    Teacher{Coefficients: []float64{0, v.Float("linear")}, Noise: v.Float("rest")}, Terms: 1,
		Eta: v.Float("eta"), Width: 1}
}

// TunedRidge returns the test error of ridge regression on samples x ~ N(0, I) with the best penalty, l = φτ²/c² for
// the mean square, in the limit d/n → φ, for a linear teacher of energy c² and noise of variance τ²: τ²(1 + φm) with m
// = lim (1/d)tr(XᵀX/n + l)⁻¹.
func TunedRidge(phi, square, noise float64) float64 {
	if !(phi > 0 && square > 0 && noise > 0) {
		return math.NaN()
	}
	m, _ := spectra.MP{Gamma: phi}.Stieltjes(phi * noise / square)
	return noise * (1 + phi*m)
}
