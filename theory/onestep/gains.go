package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Gains is the claim onestep/gains: the sign and the size of the gain of a step, in the limit.
var Gains = theory.Statement{
	Slug: "onestep/gains",
	Title: "A strong step lowers the errors if and only if the labels have a linear part, and its second term if they " +
		"have a square",
	Plain: "A strong step lowers the errors if and only if the labels have a linear part; an explicit condition " +
		"decides for its second term.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "The limits of onestep/risk for rows of W₀ of length one, c₁ ≠ 0, strong terms and, unless stated " +
		"otherwise, the displayed weights. A gain is the decrease of the objective, of the training error or of the test " +
		"error. s² = φ E y²(E σ′² − c₁²), b² = c⋆₁² + φ E y², ρ² = c⋆₁²/b².",
	Params: RiskLimits.Params,
	Claim: "The first term of the step lowers the errors if and only if c⋆₁ ≠ 0. The second then lowers them further, " +
		"without an intercept, if and only if c₂ ≠ 0 and c⋆₀ + 2c⋆₂ρ² ≠ 0; with an intercept, if and only if c₂c⋆₁c⋆₂ ≠ 0. " +
		"The rest is without an intercept. The first term never lowers the test error by more than Bc⋆₁², nor the second " +
		"by more than (1+V)(c⋆₀² + 2c⋆₂²). If E y = 0 and c₂ ≠ 0, the second term of the true gradient lowers the " +
		"objective by m₁λQ and the test error by (1+V)Q, Q = 4/(2 + (1 + s²/(c₁²b²))²)·c⋆₂²ρ⁴; with the displayed weights " +
		"the quotient in Q becomes 4/3, which is no less. At a finite step, the decrease by the first term grows with |η| " +
		"if c⋆₁ ≠ 0.",
	TeX: `\Delta_{\mathrm{te}}^{(2)} - \Delta_{\mathrm{te}}^{(1)} = ` +
		`\frac{4 (1+V) c_{\star 2}^2 \rho^4}{2 + (1 + s^2/(c_1^2 b^2))^2} \le \tfrac{4}{3} (1+V) c_{\star 2}^2 \rho^4`,
	Assumptions: []theory.Assumption{
		{ID: "linear-part", Text: "c⋆₁ ≠ 0, where a gain is claimed"},
		{ID: "unit-rows", Text: "rows of W₀ have length one"},
		{ID: "strong", Text: "the terms outgrow the rest of the features", NoControl: "onestep/risk has finite steps and a " +
			"control for them; the last sentence is about them"},
	},
	Source: paper.At("Δ_tr and Δ_te > 0 in the theorem on training and test error, whose values and conditions " +
		"are ours"),
	Deviations: "The slides state Δ > 0 without a condition. With c⋆₁ = 0 the step has no direction, and Δ = 0 " +
		"in the limit.",
	Proof: "By the closed forms of onestep/risk, the second term adds to the span of the left vectors the part of c₁²u² " +
		"+ s² that is orthogonal to u, (c₁²b² + s²)H₀ + c₁²b²H₂; the gain is m₁ times the squared projection of the labels " +
		"onto it, and a projection is no longer than the projected vector. For the displayed weights s = 0.",
	Tolerance: "A few hundred roundings of terms below λm₁E y². A gain that is claimed to be 0 lies below this " +
		"tolerance, and a gain that is claimed to be positive lies above; labels, activations and aspect ratios are drawn " +
		"so that it is far above.",
	Limits:   "Consequences of the limits alone: no network is drawn. ℓ ≤ 2.",
	RestsOn:  []string{"onestep/risk", "onestep/fixedpoint"},
	Violated: RiskLimits.Violated,
	Predict: func(v theory.Values) []theory.Quantity {
		r := RiskFrom(v)
		r.Eta, r.GaussianRows = math.Inf(1), false
		var test, objective [3]float64
		for l := range test {
			r.Terms = l
			e, err := r.Errors()
			if err != nil {
				e.Test, e.Objective = math.NaN(), math.NaN()
			}
			test[l], objective[l] = e.Test, e.Objective
		}
		return []theory.Quantity{
			{Name: "train1", Symbol: "Δ_tr", Value: objective[0] - objective[1], Meaning: "gain in the " +
				"objective, ℓ = 1"},
			{Name: "train2", Symbol: "", Value: objective[0] - objective[2], Meaning: "the same for ℓ = 2"},
			{Name: "test1", Symbol: "Δ_te", Value: test[0] - test[1], Meaning: "gain in the test error, ℓ = 1"},
			{Name: "test2", Symbol: "", Value: test[0] - test[2], Meaning: "the same for ℓ = 2"},
		}
	},
}

// SecondGain returns the gain of the second strong term in the test error over 1+V, which is also its gain in the
// objective over λm₁, for labels without a mean, rows of length one and no intercept: 4c⋆₂²ρ⁴/(2 + (1 + s²/(c₁²b²))²),
// where s² is 0 for the displayed weights. It is 0 if c₂ = 0.
func (r Risk) SecondGain() float64 {
	step := r.step()
	if r.Valid() != nil || step.Mean != 0 || r.GaussianRows || r.Intercept {
		return math.NaN()
	}
	if r.Activation.Coefficient(2) == 0 {
		return 0
	}
	ratio := 0.0
	if r.Trained {
		c1 := r.Activation.Coefficient(1)
		ratio = step.Noise() / math.Pow(c1*step.Length(), 2)
	}
	gain := 2 * r.Teacher.Coefficient(2) * math.Pow(step.Alignment(), 2)
	return gain * gain / (2 + (1+ratio)*(1+ratio))
}
