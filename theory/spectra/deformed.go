package spectra

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Deformed is the claim spectra/deformed: a spike of rank one in a matrix with any bulk of singular values.
var Deformed = theory.Statement{
	Slug:  "spectra/deformed",
	Title: "Outlier of a rank-one change of a rotated matrix with any bulk",
	Plain: "Adding a random rank-one matrix moves the largest singular value to a place that follows from its strength " +
		"and the other singular values.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "X is n×m with n/m → c ≤ 1, singular values of law μ with largest point b and none beyond; M = X + θuvᵀ " +
		"with θ > 0, u and v independent and uniform on the unit spheres. φ(z) = ∫ z/(z²−s²) dμ(s), φ̃ = cφ + (1−c)/z and " +
		"D = φφ̃ for z > b. Bulks: atoms, ½ at 1 and at 2; semicircle on [1, 2]; vanishing, of density 3(2−s)² on " +
		"[1, 2].",
	Params: []theory.Param{
		{Name: "bulk", Symbol: "μ", Meaning: "law of the singular values of X",
			Domain: theory.OneOf("atoms", "semicircle", "vanishing"), Default: "semicircle"},
		{Name: "c", Symbol: "c", Meaning: "n/m", Domain: theory.Between(1e-3, 1), Default: "0.5"},
		{Name: "theta", Symbol: "θ", Meaning: "strength of the change", Domain: theory.Between(1e-9, 1e3), Default: "1.5"},
	},
	Claim: "Beyond θ̄ = D(b)^(−1/2) the largest singular value of M tends to the ρ > b with $D(ρ) = 1/θ²$, the squared " +
		"cosines of its vectors with u and v to p = −2φ/(θ²D′) and q = −2φ̃/(θ²D′) at ρ, and n times its variance, for " +
		"fixed X, to $θ²(q(1−p) + cp(1−q))/2$. Up to θ̄ it tends to b and, if D′(b) = −∞, the cosines to 0. Atoms have θ̄ " +
		"= 0. D′(b) is finite for the vanishing bulk, and the cosines jump at θ̄; up to θ̄ nothing is said about them.",
	TeX: `D(\rho) = 1/\theta^2, \qquad n \operatorname{Var} \sigma_1 \to ` +
		`\tfrac12 \theta^2 \bigl( q (1 - p) + c p (1 - q) \bigr)`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "u and v are uniform on the spheres, or X has uniform singular vectors"},
		{ID: "independent", Text: "u and v are independent"},
		{ID: "bulk", Text: "X has no singular value outside of its bulk"},
		{ID: "above", Text: "θ is beyond the threshold, where an outlier is claimed"},
	},
	Source: theory.Source{Paper: "After Benaych-Georges and Nadakuditi, arXiv 1103.2221, for the limits; the variance " +
		"is ours", Version: "abstract and introduction", Year: 2011, Locus: "proof of theory/spectra.Deformed"},
	Proof: "In the bases of X, an eigenvector of (0, M; Mᵀ, 0) solves two linear equations in its products with u and " +
		"v: z is a singular value exactly if φ_u φ_v = (1/θ − χ)², with φ_u = Σ uᵢ²z/(z²−sᵢ²), φ_v likewise and (1 − Σ " +
		"vᵢ²)/z more, and χ = Σ uᵢvᵢsᵢ/(z²−sᵢ²). They tend to φ, φ̃ and 0. Twice the residue of the resolvent at its pole " +
		"are the cosines. ρ follows the three sums to first order, which are quadratic forms in u and v, and the variance " +
		"of such a form is half of the mean of its squared gradient. The gradient of a singular value in u is θ times the " +
		"left vector and the cosine of the other with v; the part of it across u counts, with variance 1/n in every " +
		"direction, and likewise in v with 1/m.",
	Tolerance: "M is drawn through u, v and the equation above, with quantiles of μ for the singular values of X. The " +
		"part of order 1/n is extrapolated out of the means, from two sizes, one four times the other. For the rest, 10/n² " +
		"is allowed at the smaller size, and 0.01 for the variance; below the threshold, n^(−2/3)/4 and 4/n are allowed at " +
		"the larger size. The variance follows from the derivatives of the secular equation in u and v, and, coarsely, " +
		"from samples at the smaller size, whose standard deviation may be off by 0.03. Medians over batches; their " +
		"scatter is that of the claim.",
	Limits: "Three bulks, c = ½ and 1, n = 64 and 256, θ far beyond the threshold, or of the semicircle at half of it. " +
		"No singular vectors of X are drawn, since only their uniform law matters.",
	Violated: func(v theory.Values) error { return changeFrom(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		s := changeFrom(v)
		l := s.Limits()
		out := []theory.Quantity{
			{Name: "place", Symbol: "ρ", Value: l.Place, Meaning: "largest singular value"},
			{Name: "threshold", Symbol: "θ̄", Value: s.Threshold(), Meaning: "strength beyond which it is an outlier"},
			{Name: "variance", Symbol: "n Var", Value: l.Variance, Meaning: "of an outlier, else 0"},
		}
		if s.Bulk != "vanishing" || l.Variance > 0 {
			out = append(out,
				theory.Quantity{Name: "left", Symbol: "cos²(u)", Value: l.Left,
					Meaning: "squared cosine of its left vector with u"},
				theory.Quantity{Name: "right", Symbol: "cos²(v)", Value: l.Right, Meaning: "of its right vector with v"})
		}
		return theory.Limits("n → ∞", out, "threshold")
	},
}

func changeFrom(v theory.Values) RankOne {
	return RankOne{Bulk: v.Choice("bulk"), C: v.Float("c"), Theta: v.Float("theta")}
}

// RankOne is a change of strength Theta of a matrix with the bulk "atoms", "semicircle" or "vanishing", and C =
// n/m.
type RankOne struct {
	Bulk     string
	C, Theta float64
}

// Valid names the violated hypothesis.
func (s RankOne) Valid() error {
	return cmp.Or(
		theory.Require(s.Bulk == "atoms" || s.Bulk == "semicircle" || s.Bulk == "vanishing",
			"spectra: the bulk is atoms, semicircle or vanishing"),
		theory.Require(s.C > 0 && s.C <= 1, "spectra: need 0 < n/m ≤ 1"),
		theory.Require(s.Theta > 0 && !math.IsInf(s.Theta, 1), "spectra: need a finite θ > 0"),
	)
}

// sums returns φ and φ′ at z = 2 + over, with over ≥ 0. It takes the difference, which z would round where it is small.
func (s RankOne) sums(over float64) (phi, slope float64) {
	switch s.Bulk {
	case "vanishing":
		return vanishing(over)
	case "atoms":
		z := 2 + over
		for _, gap := range []float64{(1 + over) * (3 + over), over * (4 + over)} { // z² − s²
			phi += z / gap / 2
			slope += (1/gap - 2*z*z/(gap*gap)) / 2
		}
		return phi, slope
	}
	for _, y := range []float64{over, over + 3} { // z − 2 and z + 1, by which z ∓ 3/2 exceed the radius
		root := math.Sqrt(y * (y + 1))
		phi += 1 / (y + 0.5 + root)
		slope -= 1 / ((y + 0.5 + root) * root)
	}
	return phi, slope
}

// vanishing returns φ and φ′ at z = 2 + over for the density 3(2−s)² on [1, 2]. With t = 2 − s, a = over and b = z + 2,
// the halves of 1/(z−s) + 1/(z+s) give integrals of 3t²/(t + a) and of 3t²/(b − t), which are 3h(a) and −3h(−b), where
// h(x) = x² ln(1 + 1/x) − x + ½ = 1/(3x) − 1/(4x²) + ….
func vanishing(over float64) (phi, slope float64) {
	for _, x := range []float64{over, -over - 4} {
		var value, derivative float64
		switch {
		case x == 0:
			value, derivative = 0.5, -1
		case math.Abs(x) > 20:
			for j, power := 3, 1/x; j < 20; j, power = j+1, -power/x {
				value, derivative = value+power/float64(j), derivative-float64(j-2)*power/(x*float64(j))
			}
		default:
			log := math.Log1p(1 / x)
			value, derivative = x*x*log-x+0.5, 2*x*log-x/(x+1)-1
		}
		phi += math.Copysign(1.5, x) * value // −h(−b), whose derivative is h′(−b)
		slope += 1.5 * derivative
	}
	return phi, slope
}

// product returns D at 2 + over.
func (s RankOne) product(over float64) float64 {
	phi, _ := s.sums(over)
	return phi * (s.C*phi + (1-s.C)/(2+over))
}

// Threshold returns θ̄.
func (s RankOne) Threshold() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return 1 / math.Sqrt(s.product(0))
}

// Limits returns the limits of the largest singular value, the squared cosines and n times the variance; all are NaN
// outside the hypotheses. D decreases, and ρ is at most 2 + θ.
func (s RankOne) Limits() SpikeLimits {
	if s.Valid() != nil {
		return SpikeLimits{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	if s.Theta <= s.Threshold() {
		if s.Bulk == "vanishing" {
			return SpikeLimits{Place: 2, Left: math.NaN(), Right: math.NaN()}
		}
		return SpikeLimits{Place: 2}
	}
	lo, hi := 0.0, s.Theta // of ρ − 2
	for range 100 {
		if mid := (lo + hi) / 2; s.product(mid)*s.Theta*s.Theta > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	z, c := 2+hi, s.C
	phi, slope := s.sums(hi)
	other, otherSlope := c*phi+(1-c)/z, c*slope-(1-c)/(z*z)
	half := s.Theta * s.Theta / 2
	change := slope*other + phi*otherSlope // D′
	left, right := -phi/(half*change), -other/(half*change)
	return SpikeLimits{z, right, left, half * (right*(1-left) + c*left*(1-right))}
}
