package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Flow is the claim tangent/flow: the effect of plain gradient flow on the factors of a layer.
var Flow = theory.Statement{
	Slug:  "tangent/flow",
	Title: "Gradient flow on the factors keeps them balanced, like a log-det penalty on each side",
	Plain: "Gradient flow on the three factors of a layer keeps them balanced in the same way as the optimum of a " +
		"log-determinant penalty.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "B = AΘC (m×k), any differentiable loss of B, gradient flow on A, Θ and C at once from A = I, C = I, Θ " +
		"= 0, without any penalty: the authors' adaptive model.",
	Params: []theory.Param{
		{Name: "sigma", Symbol: "σ", Meaning: "singular value of B", Domain: theory.Between(1e-6, 1e6), Default: "2"},
	},
	Claim: "$AᵀA − ΘΘᵀ = I$ and $CCᵀ − ΘᵀΘ = I$ throughout the flow. To a singular value θ of Θ correspond stretches " +
		"√(1+θ²) of A and of C and the singular value σ = θ(1+θ²) of B: these are the stationary factors for z²−1−2 ln z " +
		"on each side. If the loss depends on a single measurement ⟨F, B⟩ alone, the singular values of Θ are θⱼ = " +
		"|tan(fⱼτ)|, fⱼ the singular values of F, with one τ for all j.",
	TeX: `A^\top A - \Theta \Theta^\top = I, \qquad C C^\top - \Theta^\top \Theta = I`,
	Assumptions: []theory.Assumption{
		{ID: "identity", Text: "the flow starts at A = I, C = I, Θ = 0"},
		{ID: "all-factors", Text: "A, Θ and C move at one rate"},
	},
	Source: paper.At("the authors' code: the adaptive model without a penalty"),
	Deviations: "Derived here. The paper's theorems are about a penalised optimum; its experiments use this flow with " +
		"momentum and batches.",
	Proof: "With G = ∇_B: Ȧ = −G(ΘC)ᵀ, Θ̇ = −AᵀGCᵀ, Ċ = −(AΘ)ᵀG. d/dt(AᵀA) = −(AᵀGCᵀΘᵀ + its transpose) = d/dt(ΘΘᵀ), " +
		"and likewise on the right. Hence σ(A)² = 1 + θ² in the singular vectors of Θ; with q = θ² this is the split " +
		"of tangent/penalty for log-det. With G = gF all factors keep the singular vectors of F, and θ̇ⱼ = −gfⱼ(1+θⱼ²).",
	Tolerance: "Fourth-order Runge–Kutta results with steps h and h/2 differ by 15/16 of the error of the coarser one; " +
		"the tolerance of the finer one is a quarter of that difference plus rounding.",
	Limits: "Matrices of up to 4×4, three losses of a few linear measurements. Conservation is exact for the flow; " +
		"steps of finite size conserve the same quantities up to the order of the method.",
	Readings: []theory.Reading{{
		ID: "flow-minimises",
		Reading: "Among all parameters that fit, the flow ends at those with the least Σ ω̃(σⱼ(B)), for the log-det " +
			"penalties that its factors obey.",
		Locus: "implicit bias of the adaptive model, inferred from the relations between its factors",
		Correct: "The factors are the cheapest for the B that is reached, but B itself is not the cheapest. B is " +
			"stationary for a single measurement if the nonzero singular values of F are equal, as for a tangent feature: the " +
			"slopes of Σ ω̃ are 2θⱼ/(1+θⱼ²) = sin(2fⱼτ), which are in proportion to fⱼ there and nowhere else.",
		Counterexample: "Random 4×3 problems with 5 measurements: the cost at the end of the flow exceeds the least cost " +
			"by more than a relative 10⁻⁴.",
	}},
	RestsOn: []string{"tangent/penalty", "linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Balanced(v.Float("sigma"))
		return []theory.Quantity{
			{Name: "theta", Symbol: "θ", Value: s, Meaning: "singular value of Θ"},
			{Name: "stretch", Symbol: "√(1+θ²)", Value: math.Hypot(1, s), Meaning: "stretch of A and of C"},
		}
	},
}

// Balanced returns the θ ≥ 0 with θ(1+θ²) = σ ≥ 0.
func Balanced(sigma float64) float64 {
	split := Sum{{LogDet, 1}, {LogDet, 1}}.Effective(sigma)
	return math.Sqrt(split.Cost)
}
