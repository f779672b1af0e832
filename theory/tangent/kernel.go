package tangent

import "github.com/thm-suite/thm/theory"

// Kernel says what features become when they are adapted without structure: they are stretched along one direction,
// that of the minimum-norm interpolant, and the predictor does not move.
//
// # Setting
//
// Features Φ (n×p) of rank n, labels y ∈ Rⁿ, y ≠ 0. Minimise ‖θ‖² + Σⱼ ω(σⱼ(M)) over θ ∈ Rᵖ and M ∈ R^{p×p} such that
// ΦMθ = y. There is no ½ on ‖θ‖². The kernel of M is K_M(x, x') = φ(x)ᵀMMᵀφ(x').
//
// # Claim
//
// Let β̂ = Φ⁺y, v = ‖β̂‖, u = β̂/v, and let s minimise ω(z) + v²/z² over z ≥ 1. Then M̂ = I + (s−1)uuᵀ and θ̂ = β̂/s are a
// solution, the optimum is ω̃(v) = ω(s) + v²/s², and K(x, x') = K₀(x, x') + c(v)·f̂(x)f̂(x') with f̂(x) = φ(x)ᵀβ̂ and
// c(v) = (s²−1)/v². On the training points K = K₀ + c(v)yyᵀ. Where s is unique and ω > 0 off 1, every solution has
// MMᵀ = I + (s²−1)uuᵀ, hence this kernel and the predictor f̂; M itself is known only up to M → MQ with QᵀQ = I.
//
// Proof. Let (θ, M) be feasible, β = Mθ and z = σ₁(M). Then ‖θ‖ ≥ ‖β‖/z and ‖β‖ ≥ v, so the objective is at least
// ω(z) + v²/z², which for z < 1 exceeds its value at z = 1. The stated pair attains the minimum over z.
// Two consequences: K⁻¹y = K₀⁻¹y/s², so the kernel's interpolant is the old one; and the alignment
// ⟨K, yyᵀ⟩/(‖K‖‖y‖²) never drops, by the inequality of Cauchy and Schwarz.
//
// # Numerical form
//
// The scalar problem is solved for s − 1 to a few roundings. Objective and kernel of a given M err by roundings times
// the condition number of K_M. A near-solution whose objective is at most δ above the optimum lies within
// [Stretch.Spread] of MMᵀ, which is of order √δ.
//
// # Source
//
// Theorem 1, with the tilde penalties and the symbol ⊕ of Figure 2. The displayed formulas are restored from the text
// around them, the figure and the authors' code; the proof is the one above.
var Kernel = theory.Statement{
	Slug:     "tangent/kernel",
	Title:    "Unstructured adaptation stretches the features along the minimum-norm interpolant",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "Minimise ‖θ‖² + Σⱼ ω(σⱼ(M)) over θ ∈ Rᵖ and M ∈ R^{p×p} such that ΦMθ = y, with tangent features Φ (n×p) and " +
		"labels y. β̂ = Φ⁺y is the minimum-norm interpolant, v its length, u = β̂/v. The kernel of M is φ(x)ᵀMMᵀφ(x').",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "length of the minimum-norm interpolant, √(yᵀK₀⁻¹y)", Domain: theory.Between(1e-100, 1e100), Default: "1"},
		{Name: "omega", Symbol: "ω", Meaning: "family of the penalty on singular values", Default: string(Quadratic),
			Domain: theory.OneOf(string(Quadratic), string(Absolute), string(Product), string(LogDet))},
		{Name: "factor", Symbol: "κ", Meaning: "factor in front of the penalty", Domain: theory.Between(1e-6, 1e6), Default: "1"},
		{Name: "Phi", Symbol: "Φ", Meaning: "tangent features, one sample per row", Shape: "n×p"},
		{Name: "y", Symbol: "y", Meaning: "labels, less the network's initial output", Shape: "n"},
		{Name: "M", Symbol: "M", Meaning: "transformation of the features", Shape: "p×p"},
		{Name: "theta", Symbol: "θ", Meaning: "parameters", Shape: "p"},
	},
	Claim: "The optimum is ω̃(v) = min over z ≥ 1 of ω(z) + v²/z², attained at z = s by M = I + (s−1)uuᵀ and θ = β̂/s. Every " +
		"solution has MMᵀ = I + (s²−1)uuᵀ: the kernel becomes K₀(x,x') + (s²−1)/v² · f̂(x)f̂(x'), its interpolant f̂ = φᵀβ̂ " +
		"stays, its alignment with yyᵀ never drops, and M is unique only up to an orthogonal factor on the right.",
	TeX: `s = \operatorname{argmin}_{z \ge 1} \; \omega(z) + \frac{\lVert \hat{\beta} \rVert^2}{z^2}, \qquad ` +
		`K(x,x') = K_0(x,x') + \frac{s^2-1}{\lVert \hat{\beta} \rVert^2} \, \hat{f}(x) \hat{f}(x')`,
	Assumptions: []theory.Assumption{
		{ID: "minimum-at-one", Text: "ω(1) = 0 is the minimum of ω, which falls before 1 and rises after it"},
		{ID: "attained", Text: "ω(z) + v²/z² attains its minimum over z ≥ 1"},
		{ID: "strict", Text: "the minimum is attained at one z only, and ω > 0 off 1 (for the uniqueness of the kernel)"},
		{ID: "unstructured", Text: "M ranges over all of R^{p×p}, and is penalised through its singular values only"},
		{ID: "rank", Text: "the features have rank n", NoControl: "with dependent rows some labels cannot be interpolated, and there is nothing to minimise"},
	},
	Source: paper.At("Theorem 1"),
	Deviations: "The displayed formulas of the theorem are restored from its surviving text (M built from s and β̂, s the minimiser over z ≥ 1), from " +
		"Figure 2 and from the authors' code, and proved here. The optimum, the uniqueness up to an orthogonal factor and the " +
		"invariance of the predictor are derived here, as are the closed forms of s. The invariance limits what the theorem can explain: unstructured adaptation changes the " +
		"kernel and not the function that is learnt; only structure (blocks, layers) changes the function. The theorem's exact hypotheses on ω " +
		"are not known to us: the errata are no quotations but readings that its surviving words allow, each with the reading under its locus.",
	Errata: []theory.Erratum{
		{
			ID:             "existence",
			Printed:        "A solution built from s = argmin_{z≥1} ω(z) + ‖β̂‖²/z² exists for every quasi-convex ω with its minimum at 1.",
			Locus:          "Theorem 1, read without a growth condition on ω",
			Correct:        "The minimum must be attained; it is when ω is lower semicontinuous and unbounded.",
			Counterexample: "ω(z) = 1 − 1/z² for z ≥ 1, (z−1)² below, and v = 2: stretches cost 1 + 3/z², and the infimum 1 is not attained.",
		},
		{
			ID:             "one-kernel",
			Printed:        "The adapted kernel is K₀ + (s²−1)/‖β̂‖²·f̂f̂ᵀ, one kernel for every quasi-convex ω with its minimum at 1.",
			Locus:          "Theorem 1, read as a statement about all solutions",
			Correct:        "The solutions share a kernel where s is unique and ω > 0 off 1; otherwise each minimiser has its own.",
			Counterexample: "The same ω and v = 1: every stretch z ≥ 1 costs 1, and the kernel along the labels is z² times the fixed one.",
		},
		{
			ID:             "uniqueness",
			Printed:        "The joint optimisation has the solution M = I + (s−1)β̂β̂ᵀ/‖β̂‖².",
			Locus:          "Theorem 1, read as if the solution were the only one",
			Correct:        "It has that solution and all (MQ, Qᵀθ) with orthogonal Q; MMᵀ, the kernel and the predictor are unique.",
			Counterexample: "Random restarts end at matrices M that differ by order one and share MMᵀ.",
		},
		{
			ID:             "minimum-elsewhere",
			Printed:        "s is the minimiser over z ≥ 1, also for weight decay on M, ω(z) = z².",
			Locus:          "Theorem 1, read without the minimum of ω at 1",
			Correct:        "Over z ≥ 1 the minimum is right only when ω has its minimum at 1. For ω(z) = z² the optimum is 2v, at σ₁ = √v with all other singular values zero.",
			Counterexample: "p = 1, v = 1/4: the minimum over z ≥ 1 is 1 + v² = 1.0625, and M = θ = 1/2 costs 0.5.",
		},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Stretch{Norm: v.Float("v"), Family: Family(v.Choice("omega")), Factor: v.Float("factor")}
		return []theory.Quantity{
			{Name: "stretch", Symbol: "s", Value: s.Size(), Meaning: "largest singular value of M; the others are 1"},
			{Name: "optimum", Symbol: "ω̃(v)", Value: s.Optimum(), Meaning: "least value of ‖θ‖² + Σ ω(σⱼ(M))"},
			{Name: "coefficient", Symbol: "c(v)", Value: s.Coefficient(), Meaning: "weight of yyᵀ in the adapted kernel, (s²−1)/v²"},
			{Name: "amplification", Symbol: "s²", Value: s.Amplification(), Meaning: "growth of the kernel along the labels"},
			{Name: "cost", Symbol: "‖θ‖²", Value: s.Cost(), Meaning: "squared length of the parameters, v²/s²"},
		}
	},
}
