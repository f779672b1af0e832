package tangent

import "github.com/thm-suite/thm/theory"

// Subquadratic is the claim tangent/subquadratic: effective penalties are concave functions of the squared norm, and
// equal it to leading order at zero.
var Subquadratic = theory.Statement{
	Slug:  "tangent/subquadratic",
	Title: "Effective penalties are sub-quadratic, and quadratic at zero",
	Plain: "Letting features stretch turns the squared norm into an effective penalty that is sub-quadratic " +
		"overall and quadratic near zero.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "A penalty ω ≥ 0 on stretches z ≥ 1 with ω(1) = 0, and its effective penalty ω̃(v) = min over z ≥ 1 of " +
		"ω(z) + v²/z², attained at s(v). For the expansion ω is a sum ⊕ of κ(z−1)², κ|z−1| and κ(z²−1−2 ln z).",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "norm", Domain: theory.Between(1e-6, 1e3), Default: "0.1"},
		{Name: "omega", Symbol: "ω", Meaning: "family of the penalty", Default: string(Quadratic),
			Domain: theory.OneOf(string(Quadratic), string(Absolute), string(LogDet))},
		{Name: "factor", Symbol: "κ", Meaning: "its factor", Domain: theory.Between(1e-3, 1e3), Default: "1"},
	},
	Claim: "Whatever the shape of ω, ω̃(√u) is a concave and nondecreasing function of u, ω̃(v) ≤ v², ω̃(v)/v² does not " +
		"increase, and the smallest s(v) does not decrease; between u and u' the difference of ω̃(√·) lies between " +
		"(u'−u)/s'² and (u'−u)/s². If ω > 0 except at 1 and does not decrease, ω̃(v)/v² → 1 as v → 0; if ω vanishes up to " +
		"c and is positive beyond, the ratio tends to 1/c². Let S = Σ 1/aᵢ over the terms of a sum that are smooth at 1, " +
		"ωᵢ = aᵢ(z−1)² …. Then v² − Sv⁴ ≤ ω̃(v) ≤ v² − Sv⁴ + 3S²v⁶ as long as no term with a kink leaves z = 1; for a sum " +
		"of such terms alone ω̃(v) = v² exactly up to √(κ/2), κ the least factor.",
	TeX: `\tilde{\omega}(v) = \min_{z \ge 1} \omega(z) + \frac{v^2}{z^2} \le v^2, \qquad ` +
		`\tilde{\omega}(v) = v^2 - v^4 \sum_i \frac{1}{a_i} + O(v^6)`,
	Assumptions: []theory.Assumption{
		{ID: "zero-at-one", Text: "ω(1) = 0"},
		{ID: "positive", Text: "ω > 0 except at 1 (for the limit at zero)"},
		{ID: "inverse-square", Text: "the parameters cost v²/z²"},
	},
	Source: paper.At("Propositions 3 and 4, as restored"),
	Deviations: "Printed and read: the effective penalties are sub-quadratic and behave like v² near 0 (Figure 2), and " +
		"there are two propositions. No copy with their text was available, so no sentence here is a quotation. Restored " +
		"as Proposition 3: \"sub-quadratic\", in the sense of an earlier paper of the first author, concave in the squared " +
		"argument. Restored as Proposition 4: \"like v² near 0\", in the sense of ω̃(v)/v² → 1. The assignment of the two " +
		"numbers is a guess. Derived here: the hypotheses on ω, the coefficient of v⁴, its bound and the remainder.",
	Proof: "ω̃(√u) is a minimum of affine functions ω(z) + u/z² of u, with slopes in (0, 1]: concave, nondecreasing, " +
		"and at most the function for z = 1, which is u. The ratio to u of a concave function that is at least 0 at 0 does " +
		"not increase, and nor does the slope 1/s². ω(s) ≤ v² → 0 forces s → 1 where ω > 0 except at 1. v² − ω̃(v) = ∫(1 − " +
		"1/s²)du over u ≤ v²; with q = u/s² ≤ u the smooth families have ln z ≤ q/a, so 1 − 1/s² ≤ ln s² ≤ 2Su; and ln z ≥ " +
		"q/a − (3/2)(q/a)² with q ≥ u(1 − 2Su) gives 1 − 1/s² ≥ 2Su − 9S²u².",
	Tolerance: "On a lattice of stretches 2ᵏ with integer penalties everything is exact. The loss v² − ω̃(v) is " +
		"computed as v²(1−1/s²) − ω(s) from s − 1, where only z²−1 cancels against 2 ln z, with an error of a few " +
		"roundings of s − 1.",
	Limits: "Penalties of any shape on the seven points 1, 2, …, 2⁶, and sums of up to three terms from three " +
		"families.",
	RestsOn: []string{"tangent/penalty"},
	Predict: func(v theory.Values) []theory.Quantity {
		sum, at := Sum{{Family(v.Choice("omega")), v.Float("factor")}}, v.Float("v")
		return []theory.Quantity{
			{Name: "effective", Symbol: "ω̃(v)", Value: sum.Optimum(at), Meaning: "effective penalty"},
			{Name: "ratio", Symbol: "ω̃(v)/v²", Value: sum.Optimum(at) / (at * at),
				Meaning: "ratio of the effective penalty to v², 1 at zero"},
			{Name: "loss", Symbol: "S", Value: sum.Loss(), Meaning: "coefficient of −v⁴"},
		}
	},
}
