package vcl

import (
	"slices"

	"github.com/thm-suite/thm/theory"
)

// AttentionFeasible is the claim vcl/attentionfeasible.
var AttentionFeasible = theory.Statement{
	Slug:  "vcl/attentionfeasible",
	Title: "One head can hardly ever follow its covariance shift exactly; all projections stacked can, for small steps",
	Plain: "One attention head almost never has weights that follow its covariance shift exactly; all projections " +
		"stacked have them, if steps are small.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "Self-attention as in vcl/attention; G = WᵀW + D is the Gram matrix that the virtual covariance shift D " +
		"of a step γ prescribes: of a projection W (k×d, k < d, of rank k) of one head with gradient ∇, P₀ the " +
		"projector on the kernel of W; or of the projections to queries, keys and values of all heads, stacked to W " +
		"of rank d, with w the gradient in the tokens X.",
	Params: slices.Concat([]theory.Param{
		{Name: "projection", Symbol: "W", Meaning: "which projection of the tokens",
			Domain: theory.OneOf(projections[:3]...), Default: "queries"},
	}, headSizes("k")),
	Claim: "For one head G has at least r = rank(∇P₀) negative eigenvalues at every step, and exactly r if 2γ‖wXᵀ‖₂ is " +
		"below the square of the least singular value σ of W; generically r = min(k, d − k, B(T − 1)) for queries and " +
		"keys, and min(k, d − k, dₒ, BT) for values. For the stack $λ_min(G) ≥ σ² − 2γ‖wXᵀ‖₂$, so that weights with the " +
		"Gram matrix G exist for small steps.",
	TeX: `\lambda_{\min}(G) \ge \sigma_{\min}(W)^2 - 2 \gamma \lVert w X^{\top} \rVert_2`,
	Assumptions: []theory.Assumption{
		{ID: "outside", Text: "tokens do not lie in the row space of W, and signals are generic (for the count)"},
		{ID: "stacked", Text: "the weights are stacked, and of rank d (for the bound to be positive)"},
		{ID: "whole-shift", Text: "D carries its term of second order"},
	},
	Source:     openPoint,
	Deviations: "The source takes existence for granted and leaves self-attention open; this is derived here.",
	Proof: "On the kernel of W the block of G is zero, and its cross block is −γWᵀ∇P₀, of rank r: that many eigenvalues " +
		"are negative, and no more where the block on the row space is positive definite (its Schur complement). The rank " +
		"of the signals is that of vcl/attention. D + γ(wXᵀ + Xwᵀ) = γ²wwᵀ ⪰ 0, and Weyl's inequality, which is an " +
		"equation for G − γ²wwᵀ where the largest singular vectors of wXᵀ are the least of W.",
	Tolerance: "Eigenvalues count as negative beyond 64d·u‖G‖ and what the part of a computed gradient on the kernel " +
		"of W, which is rounding, can change. The r-th is about −γ²σ_r², σ_r the r-th singular value of ∇P₀; " +
		"heads for which that is not a thousand times as large are declined. The bound is known to 64(m + d)u of " +
		"the terms of G.",
	Limits: "The counts are generic: r is smaller if tokens lie in the row space of W. Up to three heads and sequences, " +
		"five tokens. A solution for the stack mixes heads, and queries with keys and values, which attention does not " +
		"allow without changing its output.",
	RestsOn:  []string{"vcl/attention", "vcl/attentiontokens", "vcl/feasibility"},
	Violated: func(v theory.Values) error { return attentionOf(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "negative", Symbol: "r", Value: attentionOf(v).Negative(v.Choice("projection")),
			Meaning: "negative eigenvalues of the target of one head, for small steps"}}
	},
}

// Negative returns how many eigenvalues of a projection's target are negative for small steps: min(k, d − k, B(T − 1)),
// or min(k, d − k, dₒ, BT) for values. It is 0 for k ≥ d.
func (s AttentionShape) Negative(projection string) float64 {
	return theory.When(s.Valid() == nil, float64(max(0, min(s.signalRank(projection), s.Width-s.Head))))
}

// StackBound returns σ² − 2γ‖wXᵀ‖₂, which bounds the least eigenvalue of the stack's target from below.
func StackBound(smallest, cross, step float64) float64 {
	return theory.When(smallest >= 0 && cross >= 0 && step >= 0, smallest*smallest-2*step*cross)
}
