package latent

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/thm-suite/thm/theory"
)

// Caps is the claim latent/caps: the probability of a good guess of a direction.
var Caps = theory.Statement{
	Slug:  "latent/caps",
	Title: "Probability of a good guess, and packing of directions",
	Plain: "In high dimension a random direction is nearly orthogonal to any fixed one, so exponentially many " +
		"nearly orthogonal directions exist.",
	Kind:     theory.Probability,
	Standing: theory.Theorem,
	Setting: "u and v are independent and uniform on the unit sphere in d ≥ 2 dimensions, or u is fixed; 0 ≤ t < 1. " +
		"A set of N independent directions is a packing at ε if no two of them have |u·v| ≥ ε.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e6), Default: "20"},
		{Name: "t", Symbol: "t", Meaning: "cosine of a good guess", Domain: theory.Between(0, 0.999), Default: "0.5"},
	},
	Claim: "$P(u·v ≥ t) = ½ I_{1−t²}((d−1)/2, ½) ≤ e^(−dt²/2)$, where I is the regularised incomplete beta function. N " +
		"random directions are a packing at ε with probability at least 1 − N(N−1)P(u·v ≥ ε), so that a packing of " +
		"⌊e^(dε²/4)⌋ directions exists.",
	TeX: `\mathbb{P}(u \cdot v \ge t) = \tfrac12 I_{1-t^2}\!\left(\tfrac{d-1}{2}, \tfrac12\right) \le e^{-dt^2/2}`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the directions are uniform on the sphere"},
		{ID: "independent", Text: "the directions are independent (for the packing)",
			NoControl: "the union bound only needs pairs to be independent; equal directions are not a packing"},
		{ID: "positive", Text: "t ≥ 0"},
	},
	Source: paper.At("Lemma 6; companion slides on adaptivity, exponential decay of the probability of a good guess"),
	Deviations: "The source has ½e^(cε²d) without a value of c. The exact law and c = ¼ are derived here; a packing " +
		"with a constant up to ½ follows by deleting directions.",
	Proof: "The density of u·v is proportional to (1−s²)^((d−3)/2). The cone over the cap lies in a ball of radius " +
		"√(1−t²) for t² ≤ ½, and of radius 1/(2t) beyond; the d-th powers of both are at most e^(−dt²/2). Union " +
		"bound over N(N−1)/2 pairs with both signs; for N ≤ e^(dε²/4) it is below 1.",
	Tolerance: "The tail is compared with Gauss-Legendre quadrature of the density in the angle, a function analytic in " +
		"a neighbourhood of the interval, with 200 nodes: 10⁻¹¹ relative covers d roundings in the power up to d = 3000. " +
		"The frequency of packings is compared by a confidence sequence.",
	Limits:  "d up to 3000 for the law and up to 256 for packings. Larger packings of random directions are not excluded.",
	Predict: predictCaps,
}

func predictCaps(v theory.Values) []theory.Quantity {
	c := Cap{D: v.Int("d"), T: v.Float("t")}
	return []theory.Quantity{
		{Name: "probability", Symbol: "P(u·v ≥ t)", Value: c.Probability(),
			Meaning: "probability of a guess with this cosine or more"},
		{Name: "bound", Symbol: "e^(−dt²/2)", Value: c.Bound(), Meaning: "bound on that probability", Bound: "≤"},
		{Name: "packing", Symbol: "⌊e^(dt²/4)⌋", Value: math.Floor(math.Exp(min(700, float64(c.D)*c.T*c.T/4))),
			Meaning: "number of directions, no two with |u·v| ≥ t; at most e⁷⁰⁰ is shown"},
	}
}

// Cap is the set of directions in D dimensions with cosine at least T to a given one.
type Cap struct {
	D int
	T float64
}

// Valid names the violated hypothesis.
func (c Cap) Valid() error {
	return theory.Require(c.D >= 2 && c.T >= 0 && c.T < 1, "latent: need d ≥ 2 and 0 ≤ t < 1")
}

// Probability returns ½ I_{1−T²}((D−1)/2, ½), the share of the sphere in the cap; NaN outside the hypotheses.
func (c Cap) Probability() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	return mathext.RegIncBeta(float64(c.D-1)/2, 0.5, (1-c.T)*(1+c.T)) / 2
}

// Bound returns e^(−DT²/2).
func (c Cap) Bound() float64 {
	return theory.When(c.Valid() == nil, math.Exp(-float64(c.D)*c.T*c.T/2))
}

// Packing returns a lower bound on the probability that count random directions have no |u·v| ≥ T: the union bound.
func (c Cap) Packing(count int) float64 {
	return 1 - float64(count)*float64(count-1)*c.Probability()
}
