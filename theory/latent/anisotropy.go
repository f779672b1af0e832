package latent

import (
	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Anisotropy is the claim latent/anisotropy: the noise of a sample favours the direction even if the population
// gradient vanishes.
var Anisotropy = theory.Statement{
	Slug:  "latent/anisotropy",
	Title: "Noise of the first gradient along a latent direction",
	Plain: "For odd Hermite targets of degree three or more, the mean first gradient vanishes, yet its noise " +
		"favours the target's direction.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "x ~ N(0, I) in d dimensions, y = He_p(u·x)/√p! for a unit vector u; g(x) = yx1{w·x≥0} for w ≠ 0. Its " +
		"mean over the sample, times −2a, is the first gradient without bias and preprocessing.",
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "degree", Domain: theory.IntegerBetween(1, 20), Default: "3"},
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
	},
	Claim: "E ggᵀ at w and at −w add up to E y²xxᵀ = I + 2p uuᵀ. For odd p ≥ 3 the mean of g is 0 for every w: the " +
		"population gradient vanishes, and yet the mean square of the empirical gradient has the share (2p+1)/(d+2p) along " +
		"u, for every n.",
	TeX: `\mathbb{E}\, \tfrac{1}{p!} He_p(u \cdot x)^2 x x^\top = I + 2p\, u u^\top`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal"},
		{ID: "odd", Text: "p is odd and at least 3 (for the mean)"},
		{ID: "no-bias", Text: "the neurons have no bias at the first step (for the mean)"},
	},
	Source: paper.At("section 3 on Assumption 2, whose converse this is"),
	Deviations: "The source says that without Assumption 2 the gradient does not depend on u. That is true for the " +
		"population; the noise of a sample is not isotropic.",
	Proof: "E y²x₁² for u = e₁ by x He_p = He_{p+1} + pHe_{p−1}: ((p+1)! + p²(p−1)!)/p! = 2p+1; other coordinates " +
		"are independent of y. The mean is the series of latent/series, whose c_p and c_{p+2} vanish at b = 0.",
	Tolerance: "Moments of polynomials over half-spaces, with the bound of latent/series for a target of degree 2p+1 " +
		"and N monomials: (15(2p+4)+2N+40)u of the moments with all signs positive. For samples, only bounds on the median " +
		"of the share are claimed. Heavy tails pull the median below the ratio of means, but it is at least a third " +
		"of that ratio, which is above the share of isotropic noise. With 16 times as many samples the median grows " +
		"by a factor of at most 3, whereas for a target with H ≠ 0 it grows by more than 4.",
	Limits:  "p up to 5 in at most 3 dimensions. The check does not ask whether an algorithm can use this share.",
	RestsOn: []string{"latent/series"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "share", Symbol: "(2p+1)/(d+2p)", Value: NoiseShare(v.Int("p"), v.Int("d")),
			Meaning: "share of E‖g‖² along u; for odd p ≥ 3 it is due to noise", Nonnegative: true}}
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
