package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Trace is the claim tangent/trace: the trace inequality behind the one-sided case of Theorem 2.
var Trace = theory.Statement{
	Slug:  "tangent/trace",
	Title: "Trace inequality for two factors, which fails for three",
	Plain: "The squared norm of a matrix product lies between two sums over singular values, paired in opposite " +
		"and in equal order.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting:  "X is m×n with m ≥ n and B n×k; singular values σ₁ ≥ σ₂ ≥ …, n of X and n of B, zeros counted.",
	Params: []theory.Param{
		{Name: "X", Symbol: "X", Meaning: "outer factor", Shape: "m×n"},
		{Name: "B", Symbol: "B", Meaning: "inner factor", Shape: "n×k"},
	},
	Claim: "$Σⱼ σⱼ(B)²σₙ₊₁₋ⱼ(X)² ≤ ‖XB‖² ≤ Σⱼ σⱼ(B)²σⱼ(X)²$, and the lower bound is attained where the right singular " +
		"vectors of X are the left ones of B in the opposite order.",
	TeX: `\sum_j \sigma_j(B)^2 \sigma_{n+1-j}(X)^2 \le \lVert X B \rVert_F^2 \le \sum_j \sigma_j(B)^2 \sigma_j(X)^2`,
	Assumptions: []theory.Assumption{
		{ID: "two-factors", Text: "there is a factor on one side of B only"},
		{ID: "opposite", Text: "the singular values of X are taken in the opposite order"},
	},
	Source: paper.At("Lemma 5, as restored"),
	Deviations: "Only the name of the lemma was read, so no sentence here is a quotation. Restored: a trace inequality " +
		"for two factors, because the one-sided case of Theorem 2 needs one. The lemma may instead say that ⊕ preserves " +
		"penalties with one valley and with their minimum at 1, which tangent/penalty states. The upper bound and the case " +
		"of equality in the lower bound are added here.",
	Proof: "‖XB‖² = tr(XᵀX·BBᵀ), and the trace of a product of two positive semidefinite matrices lies between the " +
		"sums of products of eigenvalues in opposite and in equal order (von Neumann).",
	Tolerance: "Products of length n and singular values agree up to ten roundings times the order of the sizes.",
	Limits:    "Matrices of up to 5×5.",
	Readings: []theory.Reading{{
		ID:      "three-factors",
		Reading: "‖XBY‖² ≥ Σⱼ σⱼ(B)²σₙ₊₁₋ⱼ(X)²σₙ₊₁₋ⱼ(Y)².",
		Locus:   "the two-sided case of Theorem 2, if it were to be proven like the one-sided one",
		Correct: "For two sides the logarithms of the singular values are weakly majorised (Horn); see tangent/structured.",
		Counterexample: "X = diag(1/2, 1), Y = diag(1, 1/2), B = 2I: the left side is 2 and the right side 4.25. The " +
			"inequality fails for every other ratio in place of 1/2 too.",
	}},
}

// OppositeSum returns Σⱼ σⱼ(B)²σₙ₊₁₋ⱼ(X)², the lower bound of ‖XB‖², for singular values in descending order.
func OppositeSum(x, b []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += math.Pow(b[j]*x[len(x)-1-j], 2)
	}
	return sum
}

// SortedSum returns Σⱼ σⱼ(B)²σⱼ(X)², the upper bound of ‖XB‖².
func SortedSum(x, b []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += math.Pow(b[j]*x[j], 2)
	}
	return sum
}
