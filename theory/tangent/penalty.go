package tangent

import "github.com/thm-suite/thm/theory"

// Penalty is the claim tangent/penalty: the calculus of penalties on singular values.
var Penalty = theory.Statement{
	Slug:  "tangent/penalty",
	Title: "Penalties of several sides: their sum ⊕ and its effective penalty in closed form",
	Plain: "Penalties on several factors combine into one effective penalty on their product, with a closed " +
		"form for three common families.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Penalties ωᵢ on stretches z > 0, zero at 1, which do not increase before 1, do not decrease after it, and " +
		"are lower semicontinuous. Their sum is (ω₁⊕ω₂)(z) = min over z₁z₂ = z of ω₁(z₁) + ω₂(z₂), and the effective " +
		"penalty ω̃(v) = min over z ≥ 1 of ω(z) + v²/z². The closed forms are for sums of κ(z−1)², κ|z−1| and κ(z²−1−2 ln " +
		"z), each with its own factor κ > 0.",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "norm that the parameters have to produce", Domain: theory.Between(1e-100, 1e100),
			Default: "2"},
		{Name: "omega1", Symbol: "ω₁", Meaning: "family of the first side", Domain: sideFamilies(),
			Default: string(Quadratic)},
		{Name: "omega2", Symbol: "ω₂", Meaning: "family of the second side", Domain: sideFamilies(),
			Default: string(Absolute)},
		{Name: "factor1", Symbol: "κ₁", Meaning: "factor of the first side", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "factor2", Symbol: "κ₂", Meaning: "factor of the second side", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
	},
	Claim: "⊕ is commutative and associative. ω₁⊕ω₂ does not exceed ω₁ or ω₂, is zero at 1, does not increase before 1 " +
		"or decrease after it, and has for every z a minimiser with both factors between 1 and z. The effective penalty of " +
		"a sum is the minimum over both factors at once. For sums of the three families and z ≥ 1, each side at the " +
		"minimum has either zᵢω'ᵢ(zᵢ) = 2q with a common q, or zᵢ = 1: zᵢ(zᵢ−1) = q/κᵢ, zᵢ = max(1, 2q/κᵢ), zᵢ² = 1 + " +
		"q/κᵢ. Then ω̃(v) = q + Σ κᵢωᵢ(zᵢ) at the q with v² = q(z₁z₂⋯)². ω̃ is convex where the elasticities " +
		"(zᵢ−1)/(2zᵢ−1), 1 and (zᵢ²−1)/2zᵢ² of the sides that move add up to at most ½, and concave beyond. For (z−1)² or " +
		"z²−1−2 ln z alone it is convex; for |z−1| it turns concave at 1/√2, and for (z−1)²⊕|z−1| at cos 15°. At infinity " +
		"ω̃ grows like the power 2/(1+2Σ1/aᵢ), where ωᵢ grows like zᵃ.",
	TeX: `(\omega_1 \oplus \omega_2)(z) = \min_{z_1 z_2 = z} \omega_1(z_1) + \omega_2(z_2), \qquad ` +
		`\tilde{\omega}(v) = \min_{z \ge 1} \omega(z) + \frac{v^2}{z^2}, \qquad z_i \omega_i'(z_i) = 2q = ` +
		`\frac{2 v^2}{z^2}`,
	Assumptions: []theory.Assumption{
		{ID: "one-valley", Text: "no ωᵢ increases before 1 or decreases after it"},
		{ID: "attained", Text: "each ωᵢ is lower semicontinuous, so that minima over [1, z] are attained",
			NoControl: "on a lattice every minimum is attained; ω₁ = 0 for z < 2 and 1 from there on, with ω₂ = " +
				"|z−1|, has none at z = 3"},
		{ID: "zero-at-one", Text: "ωᵢ(1) = 0"},
		{ID: "products", Text: "stretches multiply: the split is of a product, not of a sum"},
	},
	Source: paper.At("Figure 2 (the penalties ω₁, ω₂, ω₃ and their tilde)"),
	Deviations: "Printed: the symbols, Figure 2, whose code minimises over the split of a product, and z ≥ 1 in the " +
		"tilde map. Derived here: all closed forms, the general solution in q, convexity and growth. The log-det family is " +
		"not in the source. The authors' code interpolates ω₃ on a grid; its curve is off by up to 7e-4.",
	Proof: "In t = ln z ⊕ is an infimal convolution: commutative and associative, and its sublevel sets are sums of " +
		"intervals that contain 0. Moving a factor outside [1, z] to the nearer end, and the other factor accordingly, " +
		"raises neither term. Convexity of ωᵢ(eᵗ) for t ≥ 0 makes the stationary split the minimum. d ln v = (½ + Σ " +
		"elasticities)·d ln q, and the slope of ω̃ is 2q/v: it increases with q while the elasticities add up to less than " +
		"½. As q grows the elasticities tend to 1/aᵢ.",
	Tolerance: "Brute force compares values, so a minimum errs by a few roundings of its terms. On the lattice of " +
		"stretches 2ᵏ with integer penalties everything is exact. The exponent at infinity is taken between v = 10⁴⁰ and " +
		"10⁶⁰, where the remainder is of order Σ 1/zᵢ < 10⁻⁹.",
	Limits: "The closed forms are for the three families; the algebra is for all penalties with one valley, on lattices " +
		"of 2·6+1 points.",
	Predict: func(v theory.Values) []theory.Quantity {
		sum := Sum{{Family(v.Choice("omega1")), v.Float("factor1")}, {Family(v.Choice("omega2")), v.Float("factor2")}}
		split := sum.Effective(v.Float("v"))
		return []theory.Quantity{
			{Name: "effective", Symbol: "ω̃(v)", Value: split.Value + split.Cost,
				Meaning: "effective penalty of the sum"},
			{Name: "stretch1", Symbol: "z₁", Value: 1 + split.Excess[0], Meaning: "stretch of the first side"},
			{Name: "stretch2", Symbol: "z₂", Value: 1 + split.Excess[1], Meaning: "stretch of the second side"},
			{Name: "cost", Symbol: "q", Value: split.Cost, Meaning: "cost of the parameters, v²/(z₁z₂)²"},
		}
	},
}

// sideFamilies lists the families that a side may have.
func sideFamilies() *theory.Domain {
	return theory.OneOf(string(Quadratic), string(Absolute), string(LogDet), string(Fixed))
}
