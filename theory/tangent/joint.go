package tangent

import "github.com/thm-suite/thm/theory"

// Joint is the claim tangent/joint: Theorem 2 as an equivalence of two minimisations.
var Joint = theory.Statement{
	Slug:  "tangent/joint",
	Title: "A search over the factors of all layers ends at the spectral optimum",
	Plain: "With one adapted side per layer, every local search over the factors ends at the same cost, the " +
		"global optimum.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "One or two layers Bₗ = AₗΘₗCₗ with linear constraints Σₗ⟨Fₗᵢ, Bₗ⟩ = yᵢ that have solutions; κ(z−1)² or " +
		"κ(z²−1−2 ln z) on the singular values of A, of C or of both, the other factors fixed at I. The search moves all A " +
		"and C at once, with the shortest Θ that meets the constraints for them. Blocks are layers with one column, so " +
		"that Bₗ is a vector; a diagonal M consists of blocks of one entry.",
	Params: []theory.Param{
		{Name: "norm1", Symbol: "‖β₁‖", Meaning: "length of the first block", Domain: theory.Between(0.01, 100),
			Default: "1"},
		{Name: "norm2", Symbol: "‖β₂‖", Meaning: "length of the second block", Domain: theory.Between(0.01, 100),
			Default: "1"},
		{Name: "omega", Symbol: "ω", Meaning: "family of the penalty", Default: string(Quadratic),
			Domain: theory.OneOf(string(Quadratic), string(LogDet))},
	},
	Claim: "Wherever the search ends, the cost is Σₗ Σⱼ ω̃(σⱼ(Bₗ)) of the parameters found, and AₗAₗᵀ and CₗᵀCₗ are " +
		"those that tangent/structured gives for them. With one adapted side per layer the search from every start ends at " +
		"the same cost, the minimum of Σ ω̃(σⱼ(Bₗ)) under the constraints. For blocks this sum is Σₗ ω̃(‖βₗ‖), and for a " +
		"diagonal M it is Σⱼ ω̃(|βⱼ|). With a single block the predictor stays the same; with more than one it changes: " +
		"the distance of the parameters from those of least norm β⁰ is at least ‖P(β⁰ₗ/sₗ²)‖, with sₗ the stretch at ‖β⁰ₗ‖ " +
		"and P the projector on the directions that the labels leave free. In general this bound is 0 only where all sₗ " +
		"are equal. No factors that meet the labels cost less than ⟨λ,y⟩ − Σ sup over 0 ≤ v ≤ R of xⱼv − ω̃(v), for any λ, " +
		"with xⱼ the singular values of Σ λᵢFₗᵢ over all layers and ω̃(R) at least the cost of some factors that meet " +
		"them; this also holds with two adapted sides.",
	TeX: `\min_{A, \Theta, C} \sum_l \lVert \Theta_l \rVert^2 + \Omega(A_l) + \Omega(C_l) = \min_B \sum_l \sum_j ` +
		`\tilde{\omega}(\sigma_j(B_l))`,
	Assumptions: []theory.Assumption{
		{ID: "log-convex", Text: "(LC) on both sides, if both are adapted", NoControl: "tangent/structured has two"},
		{ID: "stationary", Text: "the search ends where the gradient in all adapted factors vanishes"},
		{ID: "several-blocks", Text: "there are several blocks (for the change of the predictor)"},
	},
	Source: paper.At("Theorem 2, as restored"),
	Deviations: "No copy with the body of the theorem was available, so no sentence here is a quotation. Restored from " +
		"the words that were read and from the authors' code: the two minimisations, one over the factors of all layers " +
		"and one over their products with ω₁⊕ω₂ on singular values. Only the equivalence of the minima is restored; the " +
		"factors at the end of a search, the change of the predictor, and the dual bound are derived here.",
	Proof: "Given B, the cost is convex along the geodesics of the positive definite matrices AAᵀ and CᵀC, and strongly " +
		"convex with modulus 2κ where all stretches are at least 1. So there is one stationary point, given by " +
		"tangent/structured. With one side ω̃ is convex for these families, and a stationary point of a convex function " +
		"under linear constraints is its minimum. A block has the single singular value ‖β‖; for one block ω̃ increases " +
		"with ‖β‖, so the β of least norm is optimal. The gradient of Σ ω̃(‖βₗ‖), 2βₗ/sₗ² with the stretches at ‖βₗ‖, " +
		"changes by at most twice the change of β; P maps it to 0 at the minimum and to 2P(β⁰ₗ/sₗ²) at β⁰. The bound " +
		"follows from weak duality and von Neumann's trace inequality on all B of no greater cost; it needs no convexity.",
	Tolerance: "With η the norm of the gradient times that of the factors, a cost is within η²/4κ of the minimum over " +
		"the factors, and AAᵀ within 2‖A‖²η/κ. Linear solves err by roundings times their condition number, and the two " +
		"searches differ by at most the distance of one of them from its dual bound.",
	Limits: "Layers of up to 3×3 with up to 5 constraints, two starts each. With two sides the claim says nothing about " +
		"the minimum except the bound, which may lie below it, since the problem is not convex.",
	RestsOn: []string{"tangent/structured", "tangent/lowrank"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Sum{{Family(v.Choice("omega")), 1}}
		a, b := s.Effective(v.Float("norm1")), s.Effective(v.Float("norm2"))
		return []theory.Quantity{
			{Name: "optimum", Symbol: "ω̃(‖β₁‖) + ω̃(‖β₂‖)", Value: a.Value + a.Cost + b.Value + b.Cost,
				Meaning: "cost of two blocks"},
			{Name: "stretch1", Symbol: "s₁", Value: a.Size(), Meaning: "stretch along the first block"},
			{Name: "stretch2", Symbol: "s₂", Value: b.Size(), Meaning: "stretch along the second block"},
		}
	},
}
