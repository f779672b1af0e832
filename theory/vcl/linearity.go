package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Linearity is the claim vcl/linearity.
var Linearity = theory.Statement{
	Slug:  "vcl/linearity",
	Title: "Target linearity between two sharp bounds in the similarity of targets and Gram matrix",
	Plain: "A ridge regression's fit on a layer lies between two sharp bounds set by how similar the targets and the " +
		"Gram matrix are.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "Hidden states in the columns of H (d×N), targets Y of length N, λ > 0. Ridge regression without " +
		"intercept, Ŷ = Hᵀ(HHᵀ+λI)⁻¹HY, has the target linearity T = 1 − ‖Y−Ŷ‖²/e₀ with e₀ = ‖Y−Ȳ‖² > 0; e₁ = ‖Y‖², " +
		"S = YᵀHᵀHY, μ = λ_max(HᵀH) > 0.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Inside(0, 1e100), Default: "1"},
		{Name: "top", Symbol: "μ", Meaning: "largest eigenvalue of HᵀH", Domain: theory.Inside(0, 1e100),
			Default: "10"},
		{Name: "similarity", Symbol: "S/(μe₁)", Meaning: "similarity of targets and Gram matrix, as a share of the " +
			"largest possible", Domain: theory.Between(0, 1), Default: "0.5"},
		{Name: "offset", Symbol: "e₁/e₀", Meaning: "squared norm of the targets over that of the centred targets",
			Domain: theory.Between(1, 1e100), Default: "1"},
		{Name: "H", Symbol: "H", Meaning: "hidden states, one sample per column", Shape: "d×N"},
		{Name: "Y", Symbol: "Y", Meaning: "targets", Shape: "N"},
		{Name: "fitted", Symbol: "Ŷ", Meaning: "fitted values of the regression", Shape: "N"},
	},
	Claim: "$1 − (e₁/e₀)[1 − (S/(μe₁))(1 − (λ/(λ+μ))²)] ≤ T ≤ 1 − (e₁/e₀)λ²/(λ+S/e₁)²$. The first is attained where HᵀH " +
		"has no eigenvalues other than 0 and μ, the second where Y is an eigenvector of HᵀH. The source's lower bound with " +
		"its best constants, 1 − C/S with C = e₁²(2λ+c₁²)²/(4λe₀) and c₁ = ‖H‖_F, is at most 1 − 2e₁/e₀ where S > 0.",
	TeX: `1 - \frac{e_1}{e_0} \left[ 1 - \frac{S}{\mu e_1} \left( 1 - \frac{\lambda^2}{(\lambda+\mu)^2} \right) ` +
		`\right] \le T \le 1 - \frac{e_1}{e_0} \frac{\lambda^2}{(\lambda + S/e_1)^2}`,
	Assumptions: []theory.Assumption{
		{ID: "top", Text: "μ is at least the largest eigenvalue of HᵀH"},
		{ID: "no-intercept", Text: "the regression has no intercept, and e₁ is computed from the targets it is given"},
		{ID: "same-penalty", Text: "the bounds use the penalty of the regression, and λ > 0"},
	},
	Source: successor.At("Theorem 2' (appendix)"),
	Deviations: "The source prints the third bound, for the similarity S(G) of a layer's output, ‖W‖ ≤ c₀ and S ≥ " +
		"S(G)/c₀², with C = e₁²c₀²(2λ+c₁²)²/(4λe₀) and c₁ ≥ ‖H‖_F; the first two are derived here. Its constants are " +
		"best for W = I and c₀ = 1.",
	Proof: "With HᵀH = Σ μᵢvᵢvᵢᵀ and weights pᵢ = (vᵢ·Y)²/e₁ one has ‖Y−Ŷ‖²/e₁ = Σ pᵢ f(μᵢ), f(x) = λ²/(λ+x)², and Σ " +
		"pᵢμᵢ = S/e₁. f is convex: Jensen's inequality is the upper bound on T, the chord from 0 to μ the lower one. " +
		"C/S ≥ 2e₁/e₀ since (2λ+c₁²)² ≥ 8λc₁² and S ≤ c₁²e₁; and S(G)/c₀² ≤ S.",
	Tolerance: "Solving with HHᵀ + λI by Cholesky's factorisation moves Ŷ by at most δ = (4d²+2N+20)·u·κ‖Y‖, κ = 1 + " +
		"μ/λ, and 1 − T by (2‖Y−Ŷ‖δ + δ²)/e₀. Eigenvalues and sums add (8d²+4N+40)·u of 1 − T's bounds.",
	Limits: "Regressions with at most 8 features and 22 samples, λ within 10⁻³ and 10³ of the trace of HHᵀ, and no " +
		"multi-class targets, for which T is defined by a sum over the classes.",
	Readings: []theory.Reading{
		{ID: "norm-not-squared", Reading: "the bound with e₁ = ‖Y‖₂ in place of ‖Y‖₂²",
			Locus:   "Theorem 2', main text, where the square is missing; the appendix has it",
			Correct: "e₁ = ‖Y‖₂², as in the appendix",
			Counterexample: "H = (1, 0), W = 1, Y = (4, −4), λ = 1: T = 0.375, the bound with e₁ = ‖Y‖ says T ≥ 1 − " +
				"2.25/16 = 0.859"},
		{ID: "vacuous", Reading: "T ≥ 1 − C/S(G) says more than T ≥ 1 − e₁/e₀, which needs no hypothesis, where S(G) " +
			"is large", Locus: "Theorem 2' (appendix)",
			Correct: "the bound is true but weaker: C/S ≥ 2e₁/e₀ always",
			Counterexample: "random H, Y and λ at their best constants: the printed bound stays below 1 − 2e₁/e₀ on " +
				"every draw"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		f := LinearFit{Lambda: v.Float("lambda"), Top: v.Float("top"), E1: v.Float("offset"), E0: 1,
			Similarity: v.Float("similarity") * v.Float("top") * v.Float("offset")}
		return []theory.Quantity{
			{Name: "lower", Symbol: "T ≥", Value: f.Lower(), Meaning: "lower bound on the target linearity",
				Bound: "≥"},
			{Name: "upper", Symbol: "T ≤", Value: f.Upper(), Meaning: "upper bound on the target linearity",
				Bound: "≤"},
		}
	},
}

// LinearFit describes a ridge regression by the quantities in the bounds.
type LinearFit struct {
	Lambda     float64 // λ
	Top        float64 // μ = λ_max(HᵀH)
	Similarity float64 // S = YᵀHᵀHY
	E1         float64 // ‖Y‖²
	E0         float64 // ‖Y − Ȳ‖²
}

// Valid names the violated hypothesis.
func (f LinearFit) Valid() error {
	return cmp.Or(
		theory.Require(f.Lambda > 0, "vcl: the penalty must be positive"),
		theory.Require(f.Top > 0, "vcl: the largest eigenvalue must be positive"),
		theory.Require(f.E0 > 0 && f.E1 > 0, "vcl: the targets must not be constant"),
		theory.Require(f.Similarity >= 0, "vcl: a similarity must not be negative"),
	)
}

// Lower returns 1 − (e₁/e₀)[1 − (S/(μe₁))(1 − (λ/(λ+μ))²)].
func (f LinearFit) Lower() float64 {
	if f.Valid() != nil {
		return math.NaN()
	}
	rest := f.Lambda / (f.Lambda + f.Top)
	return 1 - f.E1/f.E0*(1-f.Similarity/(f.Top*f.E1)*(1-rest*rest))
}

// Upper returns 1 − (e₁/e₀)·λ²/(λ+S/e₁)².
func (f LinearFit) Upper() float64 {
	if f.Valid() != nil {
		return math.NaN()
	}
	rest := f.Lambda / (f.Lambda + f.Similarity/f.E1)
	return 1 - f.E1/f.E0*rest*rest
}

// PrintedLower returns the bound 1 − C/S of Theorem 2', C = e²c₀²(2λ+c₁²)²/(4λe₀), for ‖W‖ ≤ c₀ and ‖H‖_F ≤ c₁, where S
// is the similarity of the layer's output and e either reading of e₁.
func (f LinearFit) PrintedLower(e, c0, c1, similarity float64) float64 {
	if f.Valid() != nil || !(similarity > 0) {
		return math.NaN()
	}
	s := 2*f.Lambda + c1*c1
	return 1 - e*e*c0*c0*s*s/(4*f.Lambda*f.E0)/similarity
}
