package tangent

import "github.com/thm-suite/thm/theory"

// Kernel is the claim tangent/kernel.
var Kernel = theory.Statement{
	Slug:  "tangent/kernel",
	Title: "Unstructured adaptation stretches the features along the minimum-norm interpolant",
	Plain: "When an unstructured adaptation of features is penalised, the optimum stretches them only along the " +
		"minimum-norm interpolant, which stays the same.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "Minimise ‖θ‖² + Σⱼ ω(σⱼ(M)), without ½ on ‖θ‖², over θ ∈ Rᵖ and M ∈ R^{p×p} such that ΦMθ = y, with " +
		"tangent features Φ (n×p, n ≤ p), labels y ≠ 0, and ω from one of four families (see ω under the symbols). " +
		"β̂ = Φ⁺y is the minimum-norm interpolant, v its length, u = β̂/v, and f̂ = φᵀβ̂. The kernel of M is K(x,x') " +
		"= φ(x)ᵀMMᵀφ(x'), and K₀ that of M = I.",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "length of the minimum-norm interpolant, √(yᵀK₀⁻¹y)",
			Domain: theory.Between(1e-100, 1e100), Default: "1"},
		{Name: "omega", Symbol: "ω", Meaning: "family of the penalty on singular values", Default: string(Quadratic),
			Domain: theory.OneOf(string(Quadratic), string(Absolute), string(Product), string(LogDet))},
		{Name: "factor", Symbol: "κ", Meaning: "factor in front of the penalty", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "Phi", Symbol: "Φ", Meaning: "tangent features, one sample per row", Shape: "n×p"},
		{Name: "y", Symbol: "y", Meaning: "labels, less the network's initial output", Shape: "n"},
		{Name: "M", Symbol: "M", Meaning: "transformation of the features", Shape: "p×p"},
		{Name: "theta", Symbol: "θ", Meaning: "parameters", Shape: "p"},
		{Name: "excess", Symbol: "δ",
			Meaning: "largest excess of the pair's cost over the optimum; 0 for a solution up to rounding"},
	},
	Claim: "For each of the four families ω the optimum is ω̃(v) = min over z ≥ 1 of ω(z) + v²/z², attained at z = s by " +
		"M = I + (s−1)uuᵀ and θ = β̂/s. Every solution has MMᵀ = I + (s²−1)uuᵀ and Mθ = β̂: the kernel becomes K₀(x,x') + " +
		"(s²−1)/v² · f̂(x)f̂(x'), its interpolant stays f̂, its alignment ⟨K, yyᵀ⟩/(‖K‖‖y‖²) is at least that of K₀, and M " +
		"is unique only up to an orthogonal factor on the right. For small δ, a feasible pair whose cost exceeds the " +
		"optimum by δ is within order √δ of such a solution.",
	TeX: `s = \operatorname{argmin}_{z \ge 1} \; \omega(z) + \frac{\lVert \hat{\beta} \rVert^2}{z^2}, \qquad ` +
		`K(x,x') = K_0(x,x') + \frac{s^2-1}{\lVert \hat{\beta} \rVert^2} \, \hat{f}(x) \hat{f}(x')`,
	Assumptions: []theory.Assumption{
		{ID: "minimum-at-one", Text: "ω(1) = 0 is the minimum of ω, which falls before 1 and rises after it"},
		{ID: "attained", Text: "ω(z) + v²/z² attains its minimum over z ≥ 1"},
		{ID: "strict",
			Text: "the minimum is attained at only one z, and ω > 0 except at 1 (for the uniqueness of the kernel)"},
		{ID: "unstructured", Text: "M ranges over all of R^{p×p}, and the penalty depends only on its singular values"},
		{ID: "rank", Text: "the features have rank n"},
	},
	Source: paper.At("Theorem 1"),
	Deviations: "Printed: the words around the displayed formulas of Theorem 1 (a solution M built from s and β̂, s the " +
		"minimiser over z ≥ 1, a kernel in closed form), the tilde penalties and ⊕ of Figure 2. Restored from these, " +
		"Figure 2 and the authors' code: the displayed formulas themselves, and that Σ ω runs over singular values. " +
		"Derived here: the closed forms of s, the value of the optimum, uniqueness up to an orthogonal factor, the " +
		"unchanged interpolant, the alignment, and the distance of near-solutions from solutions. The theorem's exact " +
		"hypotheses on ω were not available. The log-det family is not in the source.",
	Proof: "Let (θ, M) be feasible, β = Mθ and z = σ₁(M). Then ‖θ‖ ≥ ‖β‖/z and ‖β‖ ≥ v, so the objective is at least " +
		"ω(z) + v²/z², which for z < 1 exceeds its value at z = 1. The stated pair attains the minimum over z. " +
		"Equality forces z = s, the other singular values to be 1, ‖β‖ = v, hence β = β̂, and u to be the left " +
		"singular vector of z. With MMᵀ = I + (s²−1)uuᵀ, K⁻¹y = K₀⁻¹y/s², so the kernel's interpolant is unchanged; " +
		"the alignment grows with the weight of yyᵀ by the Cauchy–Schwarz inequality.",
	Tolerance: "The solution s − 1 of the scalar problem errs by a few roundings. For a stated solution the tolerance " +
		"counts every rounding of M and θ, of MMᵀ, the kernel and its alignment, and of their closed forms, at the size of " +
		"its terms. Costs err by the roundings of singular values, predictions by roundings times the condition number of " +
		"K_M, and β̂, from a factorisation of Φ itself, by roundings times the condition number of Φ. A feasible pair with " +
		"excess δ is within [Stretch.Spread] of MMᵀ, of order √δ. An optimiser's result is judged by its gradient and not " +
		"by its cost. Where zω'(z) does not decrease for z ≥ 1, all stationary points are solutions, and [Stretch.Near] " +
		"bounds the distance by a multiple of the gradient, which Newton's method reduces to rounding level.",
	Limits: "At most 6 features. If random restarts never beat the closed form, this is evidence about the optimiser as " +
		"much as about the minimum; the proof is the bound on the cost. Only penalties of the four families are " +
		"drawn. The predictor does not change, so a pass shows nothing about generalisation: only structure (blocks, " +
		"layers) changes the learnt function.",
	Readings: []theory.Reading{
		{
			ID: "existence",
			Reading: "A solution built from s = argmin_{z≥1} ω(z) + ‖β̂‖²/z² exists for every quasi-convex " +
				"ω with its minimum at 1.",
			Locus:   "Theorem 1, read without a growth condition on ω",
			Correct: "The minimum must be attained, which holds when ω is lower semicontinuous and unbounded.",
			Counterexample: "ω(z) = 1 − 1/z² for z ≥ 1, (z−1)² below, and v = 2: stretches cost 1 + 3/z², and the " +
				"infimum 1 is not attained.",
		},
		{
			ID: "one-kernel",
			Reading: "The adapted kernel is K₀ + (s²−1)/‖β̂‖²·f̂f̂ᵀ, one kernel for every quasi-convex ω " +
				"with its minimum at 1.",
			Locus: "Theorem 1, read as a statement about all solutions",
			Correct: "The solutions share a kernel where s is unique and ω > 0 except at 1; otherwise each minimiser has its " +
				"own.",
			Counterexample: "The same ω and v = 1: every stretch z ≥ 1 costs 1, and the kernel along the labels is " +
				"z² times the fixed one.",
		},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		s := stretchOf(v)
		return []theory.Quantity{
			{Name: "stretch", Symbol: "s", Value: s.Size(), Meaning: "largest singular value of M; the others are 1"},
			{Name: "optimum", Symbol: "ω̃(v)", Value: s.Optimum(), Meaning: "minimum of ‖θ‖² + Σ ω(σⱼ(M))"},
			{Name: "coefficient", Symbol: "c(v)", Value: s.Coefficient(),
				Meaning: "weight of yyᵀ in the adapted kernel, (s²−1)/v²"},
			{Name: "amplification", Symbol: "s²", Value: s.Amplification(),
				Meaning: "growth of the kernel along the labels"},
			{Name: "cost", Symbol: "‖θ‖²", Value: s.Cost(), Meaning: "squared length of the parameters, v²/s²"},
		}
	},
	Violated: func(v theory.Values) error { return stretchOf(v).Valid() },
}

// stretchOf returns the scalar problem for a user's parameters.
func stretchOf(v theory.Values) Stretch {
	return Stretch{Norm: v.Float("v"), Family: Family(v.Choice("omega")), Factor: v.Float("factor")}
}
