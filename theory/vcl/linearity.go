package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Linearity bounds from both sides how well ridge regression on hidden states explains the targets, by their similarity.
//
// # Setting
//
// Hidden states in the columns of H (d×N), targets Y of length N, λ > 0, no intercept. Ŷ = Hᵀ(HHᵀ+λI)⁻¹HY, the target
// linearity is T = 1 − ‖Y−Ŷ‖²/e₀ with e₀ = ‖Y−Ȳ‖²; e₁ = ‖Y‖², S = YᵀHᵀHY, μ = λ_max(HᵀH).
//
// # Claim
//
//	1 − (e₁/e₀)[1 − (S/(μe₁))(1 − (λ/(λ+μ))²)] ≤ T ≤ 1 − (e₁/e₀)·λ²/(λ+S/e₁)².
//
// With HᵀH = Σ μᵢvᵢvᵢᵀ and weights pᵢ = (vᵢ·Y)²/e₁ one has ‖Y−Ŷ‖²/e₁ = Σ pᵢ f(μᵢ), f(x) = λ²/(λ+x)², and Σ pᵢμᵢ = S/e₁. f is
// convex: Jensen's inequality is the upper bound on T, the chord from 0 to μ the lower one. The first is attained when Y is
// an eigenvector, the second when all eigenvalues on Y are 0 or μ.
//
// For a layer z = Wh on these states, G = HᵀWᵀWH and S(G) = YᵀGY = ‖WHY‖², so S ≥ S(G)/‖W‖². A step W⁺ = W − γ∇ changes it by
// ΔS(G) = −2γ(WHY)·(∇HY) + γ²‖∇HY‖² exactly, where (WHY)·(∇HY) = Σ (∇_hᵢ·HY)(hᵢ·HY) by vcl/equation.
//
// # Numerical form
//
// Solving with HHᵀ + λI by Cholesky's factorisation errs by at most 4d²·u·κ relative to ‖Y‖, κ = 1 + μ/λ, and T is that error
// times 2e₁/e₀. μ comes from an eigenvalue routine with d·u·μ. The slack is (8d² + 4N + 40)·u·κ·e₁/e₀. Changes of S on
// integers are exact.
//
// # Source
//
// Theorem 2' of the successor, whose bound is vacuous; the bounds above replace it.
var Linearity = theory.Statement{
	Slug:     "vcl/linearity",
	Title:    "Target linearity between two sharp bounds in the similarity of targets and Gram matrix",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "Ridge regression without intercept of targets Y on hidden states in the columns of H, penalty λ; T = 1 − ‖Y−Ŷ‖²/e₀, " +
		"e₀ = ‖Y−Ȳ‖², e₁ = ‖Y‖², S = YᵀHᵀHY, μ = λ_max(HᵀH).",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "ridge penalty", Domain: theory.Above(0), Default: "1"},
		{Name: "top", Symbol: "μ", Meaning: "largest eigenvalue of HᵀH", Domain: theory.Above(0), Default: "10"},
		{Name: "similarity", Symbol: "S/(μe₁)", Meaning: "similarity of targets and Gram matrix, as a share of the largest possible", Domain: theory.Between(0, 1), Default: "0.5"},
		{Name: "offset", Symbol: "e₁/e₀", Meaning: "squared norm of the targets over that of the centred targets", Domain: theory.AtLeast(1), Default: "1"},
	},
	Claim: "1 − (e₁/e₀)[1 − (S/(μe₁))(1 − (λ/(λ+μ))²)] ≤ T ≤ 1 − (e₁/e₀)λ²/(λ+S/e₁)².",
	TeX: `1 - \frac{e_1}{e_0} \left[ 1 - \frac{S}{\mu e_1} \left( 1 - \frac{\lambda^2}{(\lambda+\mu)^2} \right) \right] \le T \le ` +
		`1 - \frac{e_1}{e_0} \frac{\lambda^2}{(\lambda + S/e_1)^2}`,
	Assumptions: []theory.Assumption{
		{ID: "top", Text: "μ is at least the largest eigenvalue of HᵀH"},
		{ID: "no-intercept", Text: "the regression has no intercept, and e₁ is that of the targets it is given"},
		{ID: "same-penalty", Text: "the bounds use the penalty of the regression, and λ > 0"},
		{ID: "only-use", Text: "z = Wh is the only use of h (for the change of S by the gradients in the hidden states)"},
		{ID: "plain-descent", Text: "the layer takes a plain gradient step (for the change of S only)"},
	},
	Source:     successor.At("Theorem 2' (appendix), Proposition on the surrogate"),
	Deviations: "The source prints a lower bound that never exceeds the trivial one; the two bounds and the exact change of S are derived here.",
	Errata: []theory.Erratum{
		{ID: "vacuous", Printed: "T ≥ 1 − C/S(G) with C = e₁²c₀²(2λ+c₁²)²/(4λe₀), as a bound that grows with S", Locus: "Theorem 2'",
			Correct:        "C/S ≥ 2e₁/e₀ always, since (2λ+c₁²)² ≥ 8λc₁² and S ≤ c₀²c₁²e₁: weaker than T ≥ 1 − e₁/e₀, which needs no hypothesis",
			Counterexample: "random H, W, Y and λ at their best constants: the printed bound stays below 1 − 2e₁/e₀ on every draw"},
		{ID: "norm-not-squared", Printed: "e₁ = ‖Y‖₂ in Theorem 2'", Locus: "main text",
			Correct:        "e₁ = ‖Y‖₂², as in the appendix",
			Counterexample: "H = (1, 0), W = 1, Y = (4, −4), λ = 1: T = 0.375, the bound with e₁ = ‖Y‖ says T ≥ 1 − 2.25/16 = 0.859"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		f := LinearFit{Lambda: v.Float("lambda"), Top: v.Float("top"), E1: v.Float("offset"), E0: 1,
			Similarity: v.Float("similarity") * v.Float("top") * v.Float("offset")}
		return []theory.Quantity{
			{Name: "lower", Symbol: "T ≥", Value: f.Lower(), Meaning: "lower bound on the target linearity"},
			{Name: "upper", Symbol: "T ≤", Value: f.Upper(), Meaning: "upper bound on the target linearity"},
		}
	},
}

// LinearFit is a ridge regression seen through what the bounds need.
type LinearFit struct {
	Lambda     float64 // λ
	Top        float64 // μ = λ_max(HᵀH)
	Similarity float64 // S = YᵀHᵀHY
	E1         float64 // ‖Y‖²
	E0         float64 // ‖Y − Ȳ‖²
}

// Valid names the violated hypothesis.
func (f LinearFit) Valid() error {
	switch {
	case !(f.Lambda > 0):
		return errors.New("vcl: the penalty must be positive")
	case !(f.Top > 0):
		return errors.New("vcl: the largest eigenvalue must be positive")
	case !(f.E0 > 0 && f.E1 > 0):
		return errors.New("vcl: the targets must not be constant")
	case !(f.Similarity >= 0):
		return errors.New("vcl: a similarity must not be negative")
	}
	return nil
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

// PrintedLower returns the bound 1 − C/S of Theorem 2', C = e²c₀²(2λ+c₁²)²/(4λe₀), for ‖W‖ ≤ c₀ and ‖H‖_F ≤ c₁, where S is
// the similarity of the layer's output and e either reading of e₁.
func (f LinearFit) PrintedLower(e, c0, c1, similarity float64) float64 {
	if f.Valid() != nil || !(similarity > 0) {
		return math.NaN()
	}
	s := 2*f.Lambda + c1*c1
	return 1 - e*e*c0*c0*s*s/(4*f.Lambda*f.E0)/similarity
}

// SimilarityChange returns ΔS = −2γ·a·b + γ²b·b for a = WHY, b = ∇HY and the step W − γ∇: ‖a − γb‖² − ‖a‖². It is NaN
// unless a and b have one length.
func SimilarityChange(a, b []float64, step float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	var cross, square float64
	for i := range a {
		cross += a[i] * b[i]
		square += b[i] * b[i]
	}
	return step*step*square - 2*step*cross
}
