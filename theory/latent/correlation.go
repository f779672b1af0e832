package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Correlation is the claim latent/correlation: the correlation of targets along two directions.
var Correlation = theory.Statement{
	Slug:  "latent/correlation",
	Title: "Correlation of Hermite targets along two directions",
	Plain: "Hermite targets of degree p along unit vectors u and v have correlation (u·v)^p; those of different " +
		"degrees have none.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "x ~ N(0, I) in d dimensions, unit vectors u and v, f_u = He_p(u·x)/√p! with the probabilists' Hermite " +
		"polynomials He₂ = x²−1, and g_v = He_q(v·x)/√q!.",
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "degree along u", Domain: theory.IntegerBetween(0, 30), Default: "3"},
		{Name: "q", Symbol: "q", Meaning: "degree along v", Domain: theory.IntegerBetween(0, 30), Default: "3"},
		{Name: "cosine", Symbol: "u·v", Meaning: "cosine between the directions", Domain: theory.Between(-1, 1),
			Default: "0.5"},
	},
	Claim: "E f_u g_v = (u·v)^p if p = q, and 0 otherwise. In particular E f_u² = 1, also for p = 0.",
	TeX: `\mathbb{E}\, \frac{He_p(u \cdot x)}{\sqrt{p!}} \frac{He_q(v \cdot x)}{\sqrt{q!}} = \delta_{pq} ` +
		`(u \cdot v)^p`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "x is standard normal"},
		{ID: "unit", Text: "u and v have length 1"},
		{ID: "hermite", Text: "He_p are the probabilists' polynomials, divided by the root of the factorial"},
	},
	Source: paper.At("proof of Theorem 2, appendix on the class F_p"),
	Proof: "The generating function of He gives E exp(su·x − s²/2) exp(tv·x − t²/2) = exp(st u·v); compare the " +
		"coefficients of sᵖt^q.",
	Tolerance: "The left side multiplies out polynomials with N monomials: (9(p+q)+2N+10)·u of the sum of the moments " +
		"with all signs positive, which covers the products of p+q factors, lengths that err by 4u, the cosine, the " +
		"moments and the sum.",
	Limits:  "Degrees up to 6 and at most 3 dimensions: two for the directions, and a third one.",
	Predict: predictCorrelation,
}

func predictCorrelation(v theory.Values) []theory.Quantity {
	return []theory.Quantity{{Name: "correlation", Symbol: "E f_u g_v", Meaning: "correlation of the two targets",
		Value: HermiteCorrelation(v.Int("p"), v.Int("q"), v.Float("cosine"))}}
}

// HermiteCorrelation returns E He_p(u·x)He_q(v·x)/√(p!q!) for unit vectors with u·v = cosine.
func HermiteCorrelation(p, q int, cosine float64) float64 {
	if p != q {
		return 0
	}
	return math.Pow(cosine, float64(p))
}
