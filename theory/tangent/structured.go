package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Structured is the claim tangent/structured: Theorem 2.
var Structured = theory.Statement{
	Slug:  "tangent/structured",
	Title: "Structured adaptation penalises the singular values of each layer's parameters",
	Plain: "Penalising the factors of each layer separately amounts to penalising the singular values of the " +
		"layer's effective parameters.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "Minimise Σₗ ‖Θₗ‖² + Σⱼ ω₁(σⱼ(Aₗ)) + Σⱼ ω₂(σⱼ(Cₗ)) such that the layers' effective parameters Bₗ = " +
		"AₗΘₗCₗ (m×k) meet linear constraints. Sides are κ(z−1)², κ|z−1|, κ(z²−1−2 ln z), or fixed at I. ω = ω₁⊕ω₂, " +
		"ω̃ as in tangent/penalty.",
	Params: []theory.Param{
		{Name: "sigma", Symbol: "σ", Meaning: "singular value of B", Domain: theory.Between(1e-6, 1e6), Default: "1.5"},
		{Name: "left", Symbol: "ω₁", Meaning: "family of the penalty on A", Domain: sideFamilies(),
			Default: string(Quadratic)},
		{Name: "right", Symbol: "ω₂", Meaning: "family of the penalty on C", Domain: sideFamilies(),
			Default: string(Absolute)},
		{Name: "kl", Symbol: "κ₁", Meaning: "factor of the penalty on A", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "kr", Symbol: "κ₂", Meaning: "factor of the penalty on C", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "A", Symbol: "A", Meaning: "map on the side of the outputs", Shape: "m×m"},
		{Name: "Theta", Symbol: "Θ", Meaning: "parameters", Shape: "m×k"},
		{Name: "C", Symbol: "C", Meaning: "map on the side of the inputs", Shape: "k×k"},
	},
	Claim: "For every A, Θ and C the objective is at least Σⱼ ω̃(σⱼ(AΘC)), and with B = U·diag(σ)·Vᵀ it is attained by " +
		"A = I + U·diag(zⱼ−1)·Uᵀ, C = I + V·diag(wⱼ−1)·Vᵀ, Θ = U·diag(σⱼ/zⱼwⱼ)·Vᵀ, (zⱼ, wⱼ) the minimiser of ω₁(z) + ω₂(w) " +
		"+ σⱼ²/(zw)². With one side fixed, both statements hold for every penalty that has its minimum 0 at 1, does not " +
		"increase before 1 and does not decrease after it. The adapted kernel is Σₗ ⟨Fₗ, AₗAₗᵀF'ₗCₗᵀCₗ⟩. Exchanging the " +
		"penalties of the two sides keeps the optimum and changes the kernel. A side |z−1| stretches only the directions " +
		"with σⱼ above its threshold; with κ = 1 throughout, that is 1/√2 if the side is adapted alone and cos 15° if the " +
		"other side has (z−1)².",
	TeX: `\min_{A \Theta C = B} \lVert \Theta \rVert_F^2 + \Omega_{\omega_1}(A) + \Omega_{\omega_2}(C) = ` +
		`\sum_j \widetilde{(\omega_1 \oplus \omega_2)}(\sigma_j(B))`,
	Assumptions: []theory.Assumption{
		{ID: "log-convex", Text: "(LC): ωᵢ(eᵗ) is convex for t ≥ 0, on both sides if both are adapted"},
		{ID: "spectral", Text: "the penalties on A and C depend only on their singular values"},
		{ID: "both-sides", Text: "the parameters in the constraints are AΘC"},
	},
	Source: paper.At("Theorem 2, as restored"),
	Deviations: "Printed and read: structured adaptation is equivalent to an optimisation with ω₁⊕ω₂ (Figure 2). No " +
		"copy with the body of the theorem was available, so no sentence here is a quotation. Restored from the authors' " +
		"code: two factors for each layer, B = AΘC, the operator ⊕ as a minimum over the ways to split a product, and the " +
		"kernel. Restored from Theorem 1: a penalty on singular values, ‖Θ‖² without ½. Derived here: the hypothesis (LC), " +
		"without which two sides fail (see the reading), the factors that attain the minimum, and the thresholds.",
	Proof: "Horn: the logarithms of σ(AΘC) are weakly majorised by the sums of the sorted logarithms of the singular " +
		"values of A, Θ and C. Under (LC) ω̃(eʳ) is an infimal convolution of convex nondecreasing functions, so Σ " +
		"ω̃(σⱼ(B)) is at most the sum at σⱼ(A)σⱼ(Θ)σⱼ(C), which is at most the objective. The stated factors are aligned " +
		"and attain equality.",
	Tolerance: "Singular values err by ten roundings times the order and the norm; there the penalties have slopes of " +
		"at most 2κz, and ω̃ has a slope of at most 2σ.",
	Limits: "Matrices of up to 4×4. (LC) is proven to be sufficient and not claimed to be necessary; two penalties that " +
		"violate it show that some hypothesis is needed.",
	Readings: []theory.Reading{{
		ID:      "no-log-convexity",
		Reading: "The equivalence holds for all quasi-convex penalties with their minimum at 1, on both sides.",
		Locus:   "Theorem 2, read with the hypothesis of Theorem 1",
		Correct: "With one adapted side it holds as it stands, and with two it holds under (LC). The penalties of Figure 2 " +
			"satisfy (LC).",
		Counterexample: "ω = 3/4 on (1, 2], infinite beyond, on both sides: A = diag(2,1), Θ = I/√2, C = R·diag(2,1) " +
			"with cos² = 2/9 have σ(AΘC) = (2,1) and cost 2.5, below 2.75. ω = √|z−1|: A = diag(4,1), Θ = 3I/4, C = " +
			"R·diag(4,1) with cos² = 3/10 cost 4.5891, below 4.8368.",
	}},
	RestsOn: []string{"tangent/penalty"},
	Predict: func(v theory.Values) []theory.Quantity {
		l := Layer{B: mat.NewDense(1, 1, []float64{v.Float("sigma")}),
			Left:  Side{Family(v.Choice("left")), v.Float("kl")},
			Right: Side{Family(v.Choice("right")), v.Float("kr")}}
		s := l.Splits()[0]
		return []theory.Quantity{
			{Name: "optimum", Symbol: "ω̃(σ)", Value: s.Value + s.Cost,
				Meaning: "cost of a direction with this singular value"},
			{Name: "left", Symbol: "z", Value: 1 + s.Excess[0], Meaning: "stretch on the side of the outputs"},
			{Name: "right", Symbol: "w", Value: 1 + s.Excess[1], Meaning: "stretch on the side of the inputs"},
		}
	},
}
