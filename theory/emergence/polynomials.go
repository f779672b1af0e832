package emergence

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Polynomials is the claim emergence/polynomials: the exact optimum of polynomial features.
var Polynomials = theory.Statement{
	Slug:  "emergence/polynomials",
	Title: "The smallest loss of polynomials of degree below k is λ = 1 − 2γ, whatever their norm",
	Plain: "No polynomial of degree below k, whatever its coefficients, has a hinge loss below λ, the share of " +
		"uniform patterns, on k-bit parity.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Parity of the k bits in A, k odd, under D_A(λ): bits outside A independent of those on A; the bits on " +
		"A uniform with probability λ, and otherwise all equal. h is any linear combination of the monomials of " +
		"degree at most r in the D bits; hinge loss.",
	Params: []theory.Param{
		relevantBits(1, 99, "5"), uniformShare,
		{Name: "degree", Symbol: "r", Meaning: "largest degree of a monomial", Domain: theory.IntegerBetween(0, 99),
			Default: "4"},
	},
	Claim: "min_h E max(0, 1 − y h) is 1 for r = 0, λ for 1 ≤ r < k, and 0 for r ≥ k.",
	TeX: `\min_{\deg h \le r} E \max(0, 1 - y h) = \begin{cases} 1 & r = 0 \\ \lambda & 1 \le r < k \\ 0 & r \ge k ` +
		`\end{cases}`,
	Assumptions: []theory.Assumption{
		{ID: "odd", Text: "k is odd"},
		{ID: "parity", Text: "the label is the parity of the bits on A"},
		{ID: "mixture", Text: "the bits on A are uniform or all equal"},
		{ID: "independent-background", Text: "the bits outside A are independent of those on A"},
	},
	Source: paper.At("discussion of Theorem 2: polynomial kernels as fixed features"),
	Deviations: "The source bounds the loss of features of bounded norm. For polynomials the optimum can be given " +
		"exactly, and no bound on the norm is needed.",
	Proof: "The lower bound: on the uniform part E[y h] = 0, since the parity is orthogonal to all monomials of degree " +
		"below k, so the loss there is at least E[1 − y h] = 1; for r = 0, E y = 0. The upper bound: h = zᵢ with i ∈ A has " +
		"loss 1 − E[y zᵢ] = λ for k > 1; the parity itself is a monomial of degree k.",
	Tolerance: "The simplex method ends at a vertex whose equations are solved to 10⁻⁹ on up to 32 inputs with " +
		"features of size 1; the dual certificate is in integers.",
	Limits: "The linear programme over all inputs for D ≤ 5, over the count S alone for k ≤ 9; averaging over " +
		"permutations of A and over the other bits reduces the first to the second.",
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "optimum", Symbol: "min loss", Value: PolynomialOptimum(v.Int("k"),
			v.Int("degree"), v.Float("uniform")),
			Meaning: "over polynomials of that degree"}}
	},
	Violated: func(v theory.Values) error { return relevantOf(v).Valid() },
	RestsOn:  []string{"emergence/inputs"},
}

// PolynomialOptimum returns the smallest hinge loss of polynomials of the degree. It is NaN for even k, a negative
// degree or λ outside [0, 1].
func PolynomialOptimum(k, degree int, lambda float64) float64 {
	switch {
	case k < 1 || k%2 == 0 || degree < 0 || !(lambda >= 0 && lambda <= 1):
		return math.NaN()
	case degree == 0:
		return 1
	case degree < k:
		return lambda
	}
	return 0
}
