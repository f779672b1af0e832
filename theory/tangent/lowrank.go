package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// LowRank is the claim tangent/lowrank: solvers of the structured problem, and the effect of the label scale on the
// rank.
var LowRank = theory.Statement{
	Slug:  "tangent/lowrank",
	Title: "Two ways to solve structured adaptation, a certificate, and lower rank for larger labels",
	Plain: "In at least nine of ten random problems, larger labels make structured adaptation find solutions of " +
		"lower stable rank.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "One layer B (m×k) with linear measurements ⟨Fᵢ, B⟩ = yᵢ, with Gaussian Fᵢ and with yᵢ measured on a " +
		"matrix of rank one; the structured problem of tangent/structured with (z−1)² on one side, z²−1−2 ln z on one " +
		"side, or (z−1)² on both. Alternation takes the cheapest A and C for the current B and then the shortest Θ; " +
		"descent minimises Σ ω̃(σⱼ(B)) directly. The stable rank is ‖B‖_F²/‖B‖₂².",
	Params: []theory.Param{
		{Name: "a", Symbol: "a", Meaning: "scale of the labels", Domain: theory.Between(1e-3, 1e3), Default: "10"},
		{Name: "ratio", Symbol: "σ₂/σ₁", Meaning: "ratio of two singular values of B, the larger of which is a",
			Domain: theory.Between(0, 1), Default: "0.5"},
	},
	Claim: "Alternation never raises the cost. Where ω̃ is convex (one side), every λ gives a lower bound ⟨λ,y⟩ − ω̃*(Σ " +
		"λᵢFᵢ) on the optimum, and the final costs of the two methods agree within the gap to the bound from the final " +
		"multipliers. As the labels shrink, the solution for labels a·y is within order a² of a times the solution of " +
		"least Frobenius norm; in at least nine of ten random problems, the stable rank of the solution that descent finds " +
		"falls at each step through the scales 0.03, 1, 5 and 30.",
	TeX: `\sum_j \tilde{\omega}(\sigma_j(B)) \ge \langle \lambda, y \rangle - \sum_j ` +
		`\tilde{\omega}^*\big(\sigma_j(\sum_i \lambda_i F_i)\big)`,
	Assumptions: []theory.Assumption{
		{ID: "adapted",
			Text: "the sides adapt: with fixed sides the solution is of least Frobenius norm at every scale"},
		{ID: "cheapest", Text: "each iteration of alternation takes the cheapest factors of the current B"},
	},
	Source: paper.At("approximate low rank, as restored"),
	Deviations: "Printed and read: features become approximately of low rank. The law in the scale of the labels, the " +
		"certificate and the solvers are derived here.",
	Proof: "ω̃ is concave in σ², so the cost with A and C held is a quadratic majorant that touches at the current B. " +
		"The lower bound is weak duality. For small labels v² − Sv⁴ ≤ ω̃ ≤ v², so ‖B‖² − ‖B₀‖² ≤ SΣσⱼ(B)⁴ ≤ S‖B‖⁴ for B₀ " +
		"of least norm, and ‖B − B₀‖² is that difference: ‖B − B₀‖ ≤ √S·‖B‖² at every scale.",
	Tolerance: "A cost is accurate up to the rounding of its linear solves, and two results agree within their " +
		"distances from the dual bound. The fall of the stable rank is observed on random problems, not proven: the share " +
		"of problems has an exact interval, whose margin is planned for a share of nine tenths.",
	Limits: "Matrices of 5×5 with 15 measurements; scales 0.03 to 30. Exact low rank is not implied: near zero the " +
		"penalty is v², and small singular values are shrunk, not cut.",
	RestsOn: []string{"tangent/structured", "tangent/subquadratic"},
	Predict: func(v theory.Values) []theory.Quantity {
		s, top := Sum{{Quadratic, 1}}, v.Float("a")
		low := v.Float("ratio") * top
		return []theory.Quantity{
			{Name: "optimum", Symbol: "ω̃(σ₁) + ω̃(σ₂)", Value: s.Optimum(top) + s.Optimum(low),
				Meaning: "cost of both singular values"},
			{Name: "merged", Symbol: "ω̃(√(σ₁²+σ₂²))", Value: s.Optimum(math.Hypot(top, low)),
				Meaning: "cost of a single singular value with the same norm"},
		}
	},
}

// FallingShare is the least share of random problems whose stable rank falls with growing scale of the labels, as
// [LowRank] claims it.
const FallingShare = 0.9
