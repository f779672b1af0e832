package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// RiskLimits is the claim onestep/risk: the errors of ridge regression on random features, and the gain of one step.
var RiskLimits = theory.Statement{
	Slug:  "onestep/risk",
	Title: "Limits of the training and test error of ridge regression after one large step",
	Plain: "The training and test errors of ridge regression after one large gradient step tend to explicit " +
		"limits.",
	Kind:     theory.Limit,
	Standing: theory.Theorem,
	Setting: "Features F = F₀ + Σ_{k≤ℓ} cₖ(c₁η)ᵏ(Xβ)^∘k(a^∘k)ᵀ, n×N, on n fresh samples X, F₀ = σ(XW₀ᵀ), β = X̃ᵀỹ/n of " +
		"the n samples of the step; E σ(Z) = 0; ridge regression min over a of (1/n)‖y − Fa‖² + λ‖a‖², with an unpenalised " +
		"intercept where stated. The test error is E(y − f(x)ᵀâ)² with the noise of y. y = Σ c⋆ⱼHⱼ(β⋆ᵀx) + noise, τ² = E " +
		"y² − c⋆₁², ρ² = c⋆₁²/(c⋆₁² + φ E y²); m₁, m₂, B and V are those of onestep/fixedpoint. n, d, N → ∞ with d/n → φ, " +
		"d/N → ψ.",
	Params: []theory.Param{
		phi, psi, ridge, activation,
		{Name: "mean", Symbol: "c⋆₀", Meaning: "mean of the labels", Domain: theory.Between(-100, 100), Default: "0"},
		teacherLinear,
		{Name: "square", Symbol: "c⋆₂",
			Meaning: "second coefficient of the teacher", Domain: theory.Between(-100, 100), Default: "0.7071068"},
		{Name: "cube", Symbol: "c⋆₃",
			Meaning: "third coefficient of the teacher", Domain: theory.Between(-100, 100), Default: "0"},
		{Name: "noise", Symbol: "σ_ε²",
			Meaning: "variance of the label noise", Domain: theory.Between(0, 1e4), Default: "0"},
		{Name: "terms", Symbol: "ℓ",
			Meaning: "terms of the expansion", Domain: theory.IntegerBetween(0, 3), Default: "2"},
		{Name: "eta", Symbol: "η",
			Meaning: "step size; 0 is the limit of strong spikes", Domain: theory.Between(0, 1e6), Default: "0"},
		{Name: "N", Symbol: "N",
			Meaning: "neurons, for a step of finite size", Domain: theory.IntegerFrom(1), Default: "2000"},
		{Name: "rows", Symbol: "W₀",
			Meaning: "law of the rows of W₀", Domain: theory.OneOf("sphere", "Gaussian"), Default: "sphere"},
		{Name: "weights", Symbol: "W₁",
			Meaning: "weights after the step", Domain: theory.OneOf("displayed", "gradient"),
			Default: "displayed"},
		{Name: "intercept", Symbol: "1",
			Meaning: "intercept without a penalty", Domain: theory.OneOf("no", "yes"), Default: "no"},
	},
	Claim: "On random features, before the step, the objective tends to λ(c⋆₁²m₂ + τ²m₁) and the test error to c⋆₁²B + " +
		"τ²(1+V): the nonlinear part of the labels acts as noise. The training error is (λm₁)² times the test error, and " +
		"tr(F₀F₀ᵀ + λn)⁻¹ → m₁. After the step, with strong spikes, unit rows and no intercept, the first term lowers the " +
		"objective by λm₂c⋆₁²ρ² and the test error by Bc⋆₁²ρ². The second, if c₂ ≠ 0, lowers them by (λm₁/3)(c⋆₀ + " +
		"2c⋆₂ρ²)² and ((1+V)/3)(c⋆₀ + 2c⋆₂ρ²)²; in the objective that is (4/3)λm₁c⋆₂²ρ⁴ if E y = 0, and with an intercept " +
		"it is 2λm₁c⋆₂²ρ⁴. For unit rows, with or without an intercept, a further strong term never increases an error. At " +
		"a finite step the first term lowers the objective by λm₂²c⋆₁⁴/(m₂b² + (1+e)/(c₁²η)²), b² = c⋆₁² + φ E y². In all " +
		"cases, including Gaussian rows, third terms and finite steps, the objective tends to λ times the minimum in " +
		"[Risk.Errors].",
	TeX: `L_{\mathrm{te}} \to c_{\star 1}^2 B (1 - \rho^2) + \tau^2 (1+V) - \tfrac{1}{3} (1+V) (c_{\star 0} + 2 ` +
		`c_{\star 2} ` +
		`\rho^2)^2, \qquad \ell = 2`,
	Assumptions: []theory.Assumption{
		{ID: "fresh-sample", Text: "regression uses samples that the step has not seen"},
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "a mean of σ gives the features a column of ones with a weak " +
			"penalty, which matters only if E y ≠ 0; the intercept shows its effect"},
		{ID: "unit-rows",
			Text: "rows of W₀ have length one where stated: Gaussian rows give F₀ the left vector 1"},
		{ID: "strong", Text: "spikes outgrow the rest of the features, as they do inside the interval of α"},
		{ID: "displayed", Text: "unless stated otherwise, the left vectors are powers of Xβ, as for the displayed weights"},
	},
	Source: paper.At("theorem on training and test error, ℓ = 1 and ℓ = 2; general ℓ, finite steps, Gaussian rows, " +
		"the intercept, the mean of the labels and the formulas for Δ are ours"),
	Deviations: "The slides do not print the decrease of the errors, which is ours and agrees with our recollection of " +
		"the paper. The step and the regression have different samples, where the slides have one symbol. The training " +
		"error of the source includes the penalty; it is called the objective here. Errors are computed on the features' " +
		"expansion, which onestep/universality compares with networks.",
	Proof: "Woodbury's identity reduces the resolvent of F to the resolvent of F₀, whose quadratic forms at powers of " +
		"Xβ and labels are m₂ in the linear direction and m₁ in all others. F₀ itself has a part of rank one, c₂(|x|²/d − " +
		"1)1ᵀ, whose right vector is not orthogonal to a^∘2, so it contributes at a finite step. The test error is the " +
		"error on a held-out sample, whose residual is (Ry)ᵢ/Rᵢᵢ with Rᵢᵢ → m₁/n; and ‖Ry‖² is minus the derivative of " +
		"yᵀRy with respect to λn.",
	Tolerance: "Identities between closed forms: a few hundred roundings of terms below λm₁E y². Limits are medians " +
		"over independent networks with order-statistic intervals. The traces m₁, m₂ and their derivatives are compared " +
		"with those of sampled features at the φ and ψ of each sample, m₂ with n tr(XᵀRX)/|X|². Errors are compared with " +
		"the minimum in [Forms.Errors] for the traces of the same features and the scalar products of the same labels and " +
		"spikes. Quadrature checks that the limits are this minimum at the population's scalar products, and the squared " +
		"cosine of β with β⋆ is compared with ρ². Each network has two sizes, one four times the other: in (4V − v)/3 the " +
		"part of order 1/d cancels, and 0.6 % is allowed for the next order where the smaller size is √(nd) = 36. Errors " +
		"are means over pairs of opposite teachers, with orthogonal directions and noise.",
	Limits: "Seven setups: φ from 0.25 to 1.5, ψ from 0.3 to 2, √(nd) up to 180 at standard effort, teachers of degree " +
		"three and less, λ from 0.3 to 1, which is a large fraction of the mean eigenvalue of F₀F₀ᵀ/n. Smaller λ make " +
		"traces scatter more, least so for N well below n; there λ = 0.01 is tried at N = n/2. Strong spikes are columns " +
		"without a penalty, and the spikes of the true gradient are its means P_k(Xβ) of onestep/expansion, ℓ = 2. For the " +
		"network itself after a step ~ N^(1/4) along its gradient the difference in the objective can have the opposite " +
		"sign up to n near 1000: rows of W₁ have the squared length 1 + η²a_j²s², which tends to one only as N^(−1/2). " +
		"Heavy Hermite tails and λ → 0 at N near n are not tried. Each link has its own resolution: traces, ρ², and errors " +
		"for given traces and scalar products. An error in a limit could go unnoticed up to the order of their sum.",
	Cost: "Regressions of all teachers on hundreds of networks; a second size removes the part of order 1/d.",
	Readings: []theory.Reading{
		{
			ID:      "one-sample",
			Reading: "the errors are those of a regression on the step's own samples",
			Locus:   "slides of 23 March 2024, which use one symbol for both samples",
			Correct: "They are those of fresh samples. On the step's own samples the training error is smaller.",
			Counterexample: "√e(sin z + cos z) − 1, φ = ψ = 1/2, λ = 0.1, Setting 1, ℓ = 1: the objective tends to " +
				"0.239 on the step's samples and to 0.310 on fresh ones",
		},
		{
			ID:      "any-rows",
			Reading: "the limits hold for W₀ with independent N(0, 1/d) entries",
			Locus:   "slides of 23 March 2024, which define W₀ so",
			Correct: "Not if c₂ ≠ 0 and the spikes of the step, or the labels, have a part along the vector 1.",
			Counterexample: "centred ReLU, φ = 0.1, ψ = 0.2, λ = 0.05, Setting 2, ℓ = 2: the test error tends to " +
				"0.50 for Gaussian rows and to 0.70 for unit rows",
		},
	},
	RestsOn:  []string{"onestep/fixedpoint", "onestep/expansion", "onestep/spike"},
	Violated: func(v theory.Values) error { _, err := RiskFrom(v).Errors(); return err },
	Predict: func(v theory.Values) []theory.Quantity {
		r := RiskFrom(v)
		e, err := r.Errors()
		if err != nil {
			e = Errors{Objective: math.NaN(), Train: math.NaN(), Test: math.NaN()}
		}
		before := r
		before.Terms = 0
		start, err := before.Errors()
		if err != nil {
			start.Test = math.NaN()
		}
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "objective", Symbol: "", Value: e.Objective, Meaning: "(1/n)‖y − Fâ‖² + λ‖â‖²"},
			{Name: "train", Symbol: "", Value: e.Train, Meaning: "training error", Nonnegative: true},
			{Name: "test", Symbol: "L_te", Value: e.Test, Meaning: "test error", Nonnegative: true},
			{Name: "before", Symbol: "", Value: start.Test, Meaning: "test error of random features", Nonnegative: true},
			{Name: "residual", Symbol: "", Value: max(e.Residual, e.Resolvent.Residual, e.Resolvent.DResidual),
				Meaning: "relative residual of the equations"},
		}, "residual")
	},
}

// RiskFrom returns the regression at a user's parameters.
func RiskFrom(v theory.Values) Risk {
	r := Risk{Phi: v.Float("phi"), Psi: v.Float("psi"), Lambda: v.Float("lambda"),
		Activation: Activation(v.Choice("activation")),
		Teacher: Teacher{Coefficients: []float64{v.Float("mean"), v.Float("linear"), v.Float("square"),
			v.Float("cube")},
			Noise: v.Float("noise")},
		Terms: v.Int("terms"), Eta: v.Float("eta"), Width: v.Float("N"),
		GaussianRows: v.Choice("rows") == "Gaussian", Trained: v.Choice("weights") == "gradient",
		Intercept: v.Choice("intercept") == "yes"}
	if r.Eta == 0 {
		r.Eta = math.Inf(1)
	}
	return r
}
