package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Outputs is the claim tangent/outputs: corollaries of Theorem 1, with several outputs.
var Outputs = theory.Statement{
	Slug:  "tangent/outputs",
	Title: "Several outputs, label scale and difficulty under unstructured adaptation",
	Plain: "With several outputs, unstructured adaptation changes the kernel in at most as many directions as " +
		"outputs, and leaves the interpolant unchanged.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Minimise ‖Θ‖² + Σⱼ ω(σⱼ(M)) over M (p×p) and Θ (p×C) such that ΦMΘ = Y, with Φ (n×p) of rank n and Y " +
		"(n×C). B̂ = Φ⁺Y has singular values σⱼ and left singular vectors uⱼ; ω is κ(z−1)², κ|z−1| or κ(z²−1−2 ln " +
		"z), sⱼ the stretch at σⱼ. K₀ = ΦΦᵀ. For the law of difficulty C = 1 and the labels are √n times an " +
		"eigenvector of K₀ with eigenvalue λ.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "eigenvalue of K₀ along the labels", Domain: theory.Between(1e-6, 1e6),
			Default: "5"},
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerBetween(1, 1000000),
			Default: "200"},
		{Name: "omega", Symbol: "ω", Meaning: "family of the penalty", Default: string(Quadratic),
			Domain: theory.OneOf(string(Quadratic), string(Absolute), string(LogDet))},
		{Name: "factor", Symbol: "κ", Meaning: "its factor", Domain: theory.Between(1e-3, 1e3), Default: "1"},
	},
	Claim: "The optimum is Σⱼ ω̃(σⱼ), attained by $M = I + Σ(sⱼ−1)uⱼuⱼᵀ$ and MΘ = B̂; the rank of M − I is the number " +
		"of σⱼ beyond the threshold, at most C. The adapted kernel has the same interpolant as K₀, and tr(YᵀK⁻¹Y) = Σ " +
		"σⱼ²/sⱼ². The threshold is √(κ/2) for κ|z−1|, where s = 1 up to and including it, and 0 for the others. For labels " +
		"a·y and C = 1, the alignment of K with yyᵀ equals the alignment of K₀ + (s²−1)/v²·yyᵀ, with s the stretch at av " +
		"and v the length of β̂ for y; it grows with a unless K₀ is a multiple of yyᵀ or s stays 1. For labels along an " +
		"eigenvector the eigenvalue becomes $s²λ = n/q$ with $q = v²/s²$, $v² = n/λ$: beyond the threshold the " +
		"amplification s² grows with difficulty v, and everywhere the adapted eigenvalue falls.",
	TeX: `M = I + \sum_j (s_j - 1) u_j u_j^\top, \qquad s^2 \lambda = \frac{n}{q}, \quad q = \frac{v^2}{s^2}, \quad ` +
		`v^2 = \frac{n}{\lambda}`,
	Assumptions: []theory.Assumption{
		{ID: "min-norm", Text: "the interpolant has minimum norm"},
		{ID: "log-convex", Text: "ω(eᵗ) is convex for t ≥ 0 (for the adapted eigenvalue)"},
	},
	Source:     paper.At("Theorem 1, corollaries"),
	Deviations: "Derived here; the paper states one output.",
	Proof: "B = B̂ + N with N in the null space of Φ has BᵀB = B̂ᵀB̂ + NᵀN, so no singular value is below the " +
		"corresponding one of B̂; given B the one-sided case of tangent/structured applies. MMᵀ is the identity plus a " +
		"matrix on the columns of B̂ = Φᵀ(…), so K⁻¹Y = K₀⁻¹Y·V diag(1/sⱼ²)Vᵀ and the interpolant stays the same. Under " +
		"(LC) q grows with v.",
	Tolerance: "Solves with K₀, whose condition number is at most 10⁴, and singular values are compared up to their " +
		"rounding bounds.",
	Limits: "At most 6 features and 3 outputs. In the relaxed model harder labels are amplified more and aligned less; " +
		"tangent/ladder describes the behaviour of networks.",
	RestsOn: []string{"tangent/kernel", "tangent/structured", "tangent/penalty"},
	Predict: func(v theory.Values) []theory.Quantity {
		n, lambda := v.Float("n"), v.Float("lambda")
		split := Sum{{Family(v.Choice("omega")), v.Float("factor")}}.Effective(math.Sqrt(n / lambda))
		s := split.Size()
		return []theory.Quantity{
			{Name: "amplification", Symbol: "s²", Value: s * s, Meaning: "growth of the kernel along the labels"},
			{Name: "eigenvalue", Symbol: "s²λ", Value: n / split.Cost, Meaning: "adapted eigenvalue along the labels"},
		}
	},
}
