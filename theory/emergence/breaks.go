package emergence

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Breaks is the claim emergence/breaks: which parts of the source's recipe make the features emerge.
var Breaks = theory.Statement{
	Slug:     "emergence/breaks",
	Title:    "What breaks the emergence of the feature, and what does not",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Parity of k = 3 of D = 30 bits under D_A(1/2), fair bits outside A. 2·32 paired neurons in the " +
		"source's initial scales, two steps over 4000 fresh samples each with noise k^(−3/2) and λ_w = 1/(2η), η₁ = " +
		"10⁻³, η₂ = 1; or one of these left out. u = Σ_A Mⱼ/√k.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates, at least k",
			Domain:  theory.IntegerBetween(3, 1000),
			Default: "30"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant ones, odd", Domain: theory.IntegerBetween(3, 15),
			Default: "3"},
		{Name: "n", Symbol: "n", Meaning: "samples in each step", Domain: theory.IntegerBetween(100, 1e6),
			Default: "4000"},
		{Name: "m", Symbol: "m", Meaning: "number of neurons; as many mirrors", Domain: theory.IntegerBetween(8, 1000),
			Default: "32"},
	},
	Claim: "The median of |cos(w, u)| over the neurons is at least 0.95 after the first step and 0.97 after the " +
		"second, and no neuron is dead. Without forgetting (λ_w = 0, η = 10⁻³ twice) it is at most 0.3 after both. " +
		"Without noise a neuron gets a second gradient of exactly zero if b < −‖w‖, and none that is zero if ‖w‖ < b < " +
		"1 − ‖w‖, b and w after the first step; the first step aligns as before. Without mirrors the median is at most " +
		"0.97 after the first step, and at least 0.97 after the second. On uniform inputs all neurons end on one " +
		"line, with a mean |cos(wᵢ, wⱼ)| of at least 0.97, which is not u: |cos(w, u)| is at most 0.9.",
	TeX: `\operatorname{med}_i \left| \cos(w_i, u) \right| \ge 0.97 \text{ after two steps}`,
	Assumptions: []theory.Assumption{
		{ID: "forgetting", Text: "λ_w = 1/(2η) in both steps"},
		{ID: "noise", Text: "noise is injected"},
		{ID: "paired", Text: "neurons come with mirrors: the network is 0 before the first step"},
		{ID: "structured", Text: "the bits on A are equal on part of the inputs: γ > 0"},
	},
	Source: paper.At("section 5 and the slides: step-wise emergence"),
	Deviations: "The source says that all neurons converge. They do up to sign and the noise of sampling, whose law " +
		"is emergence/sampling, and only with injected noise: without it those with b < 0, about half, are dead.",
	Proof: "None is claimed for the bounds, but for the two about zero gradients: ‖x‖ = 1 when all bits have mean " +
		"1/2, so that |z − b| ≤ ‖w‖, and the gate is closed for z < 0; where 0 < z < 1 on all inputs the gradient is −a " +
		"times the mean of yx. On uniform inputs the line is that of the mean of yx over the samples, which is " +
		"isotropic: |cos| > 0.9 has probability below (1 − 0.81)^((D−1)/2), 3·10⁻¹¹.",
	Tolerance: "Bounds that a finding states: between what the recipe and its variants give, with room for a run's " +
		"scatter.",
	Limits: "One size and some seeds.",
	Cost:   "Every case takes ten steps of a network.",
	Predict: func(v theory.Values) []theory.Quantity {
		m := Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: 0.5, Uniform: 0.5}
		d := Direction{Mixture: m, Samples: v.Int("n"), Rho: 1}
		return []theory.Quantity{
			{Name: "second", Symbol: "|cos| after step 2", Value: d.Cosine(), Meaning: "median, by the recipe"},
			{Name: "kept", Symbol: "|cos| without forgetting", Value: 0.6744897501960817 / math.Sqrt(v.Float("D")),
				Meaning: "median, as at the start: of a Gaussian over √D"},
			{Name: "dead", Symbol: "Pr[b < 0]", Value: 0.5, Meaning: "share of dead neurons without noise"},
			{Name: "line", Symbol: "mean |cos(wᵢ, wⱼ)|", Value: 1,
				Meaning: "on uniform inputs: one line, which is not u"},
		}
	},
	Violated: func(v theory.Values) error {
		if v.Int("k")%2 == 0 || v.Int("k") > v.Int("D") {
			return errors.New("emergence: k is odd and at most D")
		}
		return nil
	},
	RestsOn: []string{"emergence/sampling", "emergence/secondstep"},
}
