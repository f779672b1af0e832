package latent

import (
	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Anisotropy is the claim latent/anisotropy: what a sample says of the direction where the population is silent.
var Anisotropy = theory.Statement{
	Slug:  "latent/anisotropy",
	Title: "Noise of the first gradient along a latent direction",
	Plain: "For odd Hermite targets of degree three or more, the mean first gradient vanishes, yet its noise " +
		"favours the target's direction.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "x ~ N(0, I) in d dimensions, y = He_p(u·x)/√p! for a unit vector u; g(x) = yx1{w·x≥0} for w ≠ 0, of " +
		"which the first gradient without bias and preprocessing is a mean over the sample, times −2a.",
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "degree", Domain: theory.IntegerBetween(1, 20), Default: "3"},
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
	},
	Claim: "E ggᵀ at w and at −w add up to E y²xxᵀ = I + 2p uuᵀ. For odd p ≥ 3 the mean of g is 0 for every w: the " +
		"population gradient vanishes, and yet the mean square of the empirical one has the share (2p+1)/(d+2p) " +
		"along u, for every n.",
	TeX: `\mathbb{E}\, \tfrac{1}{p!} He_p(u \cdot x)^2 x x^\top = I + 2p\, u u^\top`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal"},
		{ID: "odd", Text: "p is odd and at least 3, for the mean"},
		{ID: "no-bias", Text: "the neurons have no bias at the first step, for the mean"},
	},
	Source: paper.At("section 3 on Assumption 2, of which this is the converse"),
	Deviations: "The source says that without Assumption 2 the gradient does not see u. That is true of the " +
		"population; the noise of a sample is not isotropic.",
	Proof: "E y²x₁² for u = e₁ by x He_p = He_{p+1} + pHe_{p−1}: ((p+1)! + p²(p−1)!)/p! = 2p+1; other coordinates " +
		"are independent of y. The mean is the series of latent/series, of which c_p and c_{p+2} vanish at b = 0.",
	Tolerance: "Moments of polynomials over half-spaces, with the bound of latent/series for a target of degree 2p+1 " +
		"and N monomials: (15(2p+4)+2N+40)u of the moments with all signs positive. In samples the median of the " +
		"share is only bounded: from below by a third of the quotient of means, which heavy tails lower it from and " +
		"which is above that of isotropic noise, and in its growth over 16 times as many samples by 3, where that of " +
		"a target with H ≠ 0 grows by more than 4.",
	Limits: "p up to 5 in at most 3 dimensions. It says that the share does not vanish as 1/d; whether an algorithm " +
		"makes use of it is another question.",
	RestsOn: []string{"latent/series"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "share", Symbol: "(2p+1)/(d+2p)", Value: NoiseShare(v.Int("p"), v.Int("d")),
			Meaning: "share of E‖g‖² along u; for odd p ≥ 3 that is the noise"}}
	},
}

// NoiseShare returns (2p+1)/(d+2p).
func NoiseShare(p, d int) float64 { return float64(2*p+1) / float64(d+2*p) }

// SecondMoment returns E y²xᵢxⱼ for y = He_p(x₁)/√p!, from the recurrence of Hermite polynomials.
func SecondMoment(p, i, j int) float64 {
	switch {
	case i != j:
		return 0
	case i > 0:
		return 1
	}
	up := hermite.Factorial(p + 1)
	if p > 0 {
		up += float64(p*p) * hermite.Factorial(p-1)
	}
	return up / hermite.Factorial(p)
}
