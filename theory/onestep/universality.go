package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Universality is the claim onestep/universality: when a Gaussian matrix may replace random features.
var Universality = theory.Statement{
	Slug:  "onestep/universality",
	Title: "Random features may be replaced by linear ones plus noise, but not at a finite step of second order",
	Plain: "Random features can be replaced by linear features plus noise, except at certain finite steps with " +
		"second-order terms.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "The setting of onestep/risk with unit rows and no intercept: ridge regression on F = F₀ + Σ_{k≤ℓ} " +
		"cₖ(c₁η)ᵏ(Xβ)^∘k(a^∘k)ᵀ, and on the same sum with F₀ᴳ = c₁XW₀ᵀ + c_{>1}Z in place of F₀ = σ(XW₀ᵀ), Z n×N with " +
		"independent standard normal entries; W₁ = W₀ + ηc₁aβᵀ. R = (F₀F₀ᵀ + λn)⁻¹, m₁ and m₂ are defined in " +
		"onestep/fixedpoint.",
	Params: RiskLimits.Params,
	Claim: "For both matrices tr R → m₁ and tr(XᵀRX)/d → m₂, with their derivatives in λ. The objective and the test " +
		"error have the same limits for both: on random features, after a step whose spikes outgrow all else, and at a " +
		"finite step if ℓ = 1, c₂ = 0 or c⋆₀ + 2c⋆₂ρ² = 0. At a finite step with ℓ = 2 or 3 and c₂ ≠ 0 the minimum in " +
		"[Risk.Errors] has one more vector for F₀, from c₂(|x|²/d − 1)1ᵀ, whose right vector is not orthogonal to a^∘2. If " +
		"c⋆₀ + 2c⋆₂ρ² ≠ 0, the objective is then larger for F₀. F₀ without that part has the limits of F₀ᴳ. For η ~ n^α " +
		"the features σ(XW₁ᵀ) have the same objective and test error as F up to o(1), with ℓ = 1 for 0 < α < 1/4 and ℓ = 2 " +
		"for 1/4 < α < 1/3.",
	TeX: `\lim L(F) - \lim L(F^{G}) = \lambda \, (Y - Y^{G}), \qquad F_0^{G} = c_1 X W_0^{\top} + c_{>1} Z`,
	Assumptions: []theory.Assumption{
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "a mean of σ gives F₀ a column of ones, which matters if " +
			"E y ≠ 0; onestep/risk has the intercept"},
		{ID: "rows", Text: "rows of W₀ have length one, and there is no intercept", NoControl: "onestep/risk treats " +
			"Gaussian rows and an intercept; see its reading any-rows"},
		{ID: "strong", Text: "with two terms and labels that have a part along u^∘2, the limits agree for spikes that " +
			"outgrow the rest of the features"},
		{ID: "terms", Text: "for σ(XW₁ᵀ), ℓ is the number of terms that belongs to α"},
		{ID: "proportional", Text: "n, d, N grow in proportion", NoControl: "this is the direction of the limit; φ and ψ " +
			"enter the closed forms"},
	},
	Source: paper.At("universality: F may be replaced by F_ℓ and F₀ by its Gaussian equivalent; for random features " +
		"Hu and Lu, arXiv 2009.07669"),
	Deviations: "The slides state the replacement for training and test error after the step. The exceptions are ours.",
	Proof: "Both resolvents have the same deterministic equivalents (Hu and Lu), so that errors can only differ through " +
		"parts of rank one, as in the proof of onestep/risk. F₀ contains c₂(|x|²/d − 1)1ᵀ, of norm √n·|c₂|√(2/ψ), whose " +
		"left vector is orthogonal to everything that is fitted. Alone it has no effect. Together with c₂(c₁η)²u^∘2(a^∘2)ᵀ " +
		"it has one, since cos²(1, a^∘2) = 1/3: weights along a^∘2 give the fit a part along |x|² − d. This effect " +
		"vanishes when the spike is so long that its weights tend to zero, and when the labels have no part along u^∘2, " +
		"which means c⋆₀ + 2c⋆₂ρ² = 0. The difference of σ(XW₁ᵀ) and F has the operator norm o(√n) by onestep/expansion, " +
		"and λ > 0 bounds R and RF, so that both errors move by o(1).",
	Tolerance: "Medians over independent networks with order-statistic intervals. For the replacement, the check " +
		"compares the errors of both matrices on the same samples, weights and labels, each divided by the value of " +
		"[Forms.Errors] for the traces of that matrix and the scalar products of these labels and spikes; their " +
		"difference; and the traces divided by m₁ and m₂. Errors divided by the value for their own traces would not " +
		"notice a different matrix. The traces do, and for the test error so do their derivatives, n tr R²/(tr R)² over " +
		"1+V and the same for m₂. Two sizes, one four times the other, remove the part of order 1/d as in onestep/risk, " +
		"and 0.6 % is allowed for the next order where the smaller size is √(nd) = 36. The effect of F₀'s own part is " +
		"compared with the claim at that d: |x|² − d has the squared cosine 1/d with the second power of Xβ and with that " +
		"of β⋆ᵀx, which is an effect of order d^(−1/2) and has the opposite sign at small d. The remainder is of order " +
		"1/d. As one more column, F₀'s own part lowers yᵀRy by m₁sL_te/n by fitting unrelated labels, s = m₁g/(1+e+m₁g), g " +
		"= 2c₂²/ψ. This amount, relative to the objective, is allowed, and twice that for the test error where no effect " +
		"is claimed. For σ(XW₁ᵀ) the deviation of the ratios at the larger size was measured; it is assumed to fall as " +
		"η²/n, the square of the remainder relative to F₀.",
	Cost: "Every sample is fitted twice, with the features and with their replacement, at two sizes.",
	Limits: "Four setups, √(nd) up to 144 at standard effort, displayed weights; λ from 0.3 to 1, and 0.01 at N = 6n, " +
		"where few eigenvalues are small, and m₁ and m₂ are within half a percent of their limits for λ → 0, which no " +
		"check here distinguishes from them. σ(XW₁ᵀ) has a quadratic activation with c₂/c₁ below 1/10 at n up to 175: the " +
		"remainder falls as η²/N, or n^(−0.4) at α = 0.3, and exceeds 5 % for larger c₂. A further setup shows the effect " +
		"of F₀'s own part; in the test suite it does so only where d is small and the effect has the opposite sign.",
	Readings: []theory.Reading{
		{
			ID:      "finite-step",
			Reading: "the replacement changes no limit at any step size",
			Locus: "slides of 23 March 2024, universality; the intervals of α exclude the step sizes at which it " +
				"fails, α = 1/4 for the second term",
			Correct: "At η of order N^(1/4), where the second spike is of order one, the objective is larger for F₀ " +
				"if c⋆₀ + 2c⋆₂ρ² ≠ 0.",
			Counterexample: "σ = z + (z²−1)/2, y = 0.3 + H₁ + 0.7H₂ + noise of variance 0.1, φ = ψ = 0.1, λ = 0.2, " +
				"ℓ = 2, η = 0.7N^(1/4), N = 300: the objective tends to 0.426 for F₀ and to 0.403 for F₀ᴳ, from " +
				"0.551 before the step",
		},
	},
	RestsOn:  []string{"onestep/risk", "onestep/fixedpoint", "onestep/expansion", "spectra/gaussianequivalence"},
	Violated: RiskLimits.Violated,
	Predict: func(v theory.Values) []theory.Quantity {
		r := RiskFrom(v)
		value := func(equivalent bool) Errors {
			r.Equivalent = equivalent
			e, err := r.Errors()
			if err != nil {
				return Errors{Objective: math.NaN(), Test: math.NaN()}
			}
			return e
		}
		own, gaussian := value(false), value(true)
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "objective", Symbol: "", Value: own.Objective, Meaning: "objective with F₀"},
			{Name: "equivalent", Symbol: "", Value: gaussian.Objective, Meaning: "objective with F₀ᴳ"},
			{Name: "test", Symbol: "L_te", Value: own.Test, Meaning: "test error with F₀", Nonnegative: true},
			{Name: "equivalent-test", Symbol: "", Value: gaussian.Test, Meaning: "test error with F₀ᴳ",
				Nonnegative: true},
		})
	},
}
