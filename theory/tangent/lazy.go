package tangent

import "github.com/thm-suite/thm/theory"

// Lazy is the claim tangent/lazy: small labels leave the tangent kernel unchanged.
var Lazy = theory.Statement{
	Slug:  "tangent/lazy",
	Title: "Lazy limit: with small labels the averaged tangent kernel is the one at the start",
	Plain: "As labels shrink, training leaves the tangent features unchanged to leading order, and the network " +
		"behaves like its linearisation.",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting: "A network with smooth activations and any weights θ₀, labels f_{θ₀}(xᵢ) + a·yᵢ, a fixed number of " +
		"full-batch steps on the mean of ½(f − label)², with or without momentum, to θ₁. K₀ is the tangent kernel at θ₀, " +
		"and K̄ is the kernel of the features averaged over the segment from θ₀ to θ₁.",
	Params: []theory.Param{
		{Name: "a", Symbol: "a", Meaning: "scale of the labels", Domain: theory.Between(1e-6, 1), Default: "0.01"},
	},
	Claim: "As a → 0, θ₁ − θ₀ and K̄ − K₀ are of first order in a, and f_{θ₁} − f_{θ₀} − ⟨∇f_{θ₀}, θ₁ − θ₀⟩ is of " +
		"second order, also at points not trained on: outputs change as they would with the features fixed at the " +
		"start. The amplification uᵀK̄u/uᵀK₀u tends to 1 for all u with K₀u ≠ 0.",
	TeX: `\bar K - K_0 = O(a), \qquad \theta_1 - \theta_0 = O(a), \qquad f_{\theta_1} - f_{\theta_0} - ` +
		`\langle \nabla f_{\theta_0}, \theta_1 - \theta_0 \rangle = O(a^2)`,
	Assumptions: []theory.Assumption{
		{ID: "centred", Text: "the outputs at the start are added to the labels"},
		{ID: "small", Text: "a is small, and the step size is at most n over the largest eigenvalue of K₀, so " +
			"that no step overshoots"},
		{ID: "smooth", Text: "the activations are smooth", NoControl: "with a kink next to a sample the order is still at " +
			"most 1, but there is no leading constant"},
	},
	Source:     paper.At("the fixed-kernel limit, which the adaptive features are compared with"),
	Deviations: "The order is derived here; the source speaks of the lazy regime in words.",
	Proof: "At a = 0 the residuals vanish and no step moves anything. A fixed number of steps is a smooth map of a, " +
		"so θ₁ − θ₀ = aθ' + O(a²), and the kernel of the averaged features is a smooth function of θ₁. f is smooth in θ, " +
		"so that the remainder of its linear part is of second order in θ₁ − θ₀.",
	Tolerance: "E(a) − 2E(a/2) is half of the next order and bounds the part of other orders; see package order.",
	Limits: "Networks of two and three layers of 8 units on 10 points, 40 steps. Nothing is said about how small a " +
		"must be.",
	RestsOn: []string{"tangent/path", "width/lazy"},
}
