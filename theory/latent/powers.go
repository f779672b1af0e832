package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Powers is the claim latent/powers: monomials as mixtures of random ReLU features.
var Powers = theory.Statement{
	Slug:     "latent/powers",
	Title:    "Powers as mixtures of random ReLU features",
	Plain:    "Every power of x on [−1, 1] is an average of random ReLU features with explicit weights.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "a = ±1 with equal probability and b uniform on [−1, 1], independent; σ = ReLU; an integer k ≥ 0 and a " +
		"number x with |x| ≤ 1.",
	Params: []theory.Param{
		{Name: "k", Symbol: "k", Meaning: "power", Domain: theory.IntegerBetween(0, 30), Default: "3"},
		{Name: "x", Symbol: "x", Meaning: "argument", Domain: theory.Between(-1, 1), Default: "0.5"},
	},
	Claim: "$E[v_k(a, b) σ(ax + b)] = x^k$ with v₀ = 6b, v₁ = 2a and v_k = 2(1−a)k(k−1)b^(k−2) − 6(k−1)b + 2ka for k ≥ " +
		"2. For b ~ N(0, 1) the weight is v_k 1{|b|≤1}/(2φ(b)).",
	TeX: `\mathbb{E}\left[ v_k(a,b)\, \sigma(ax+b) \right] = x^k, \quad |x| \le 1`,
	Assumptions: []theory.Assumption{
		{ID: "range", Text: "|x| ≤ 1"},
		{ID: "biases", Text: "b is uniform on [−1, 1], or reweighted to it"},
		{ID: "relu", Text: "σ is ReLU"},
	},
	Source: paper.At("Lemma 17 and Corollary 18"),
	Proof: "As a function of x the mean of σ(x+b)g(b) has second derivative g(−x)/2, and that of σ(−x+b)g(b) has " +
		"g(x)/2. The first summand of v_k is nonzero only for a = −1 and gives 2·k(k−1)x^(k−2)·½, the second derivative of " +
		"x^k; the other two match value and slope at an end point.",
	Tolerance: "Gauss-Legendre quadrature on both sides of the kink is exact for the polynomials in question; its " +
		"weights err by some 10u, and the sum over both signs by 40(k+10)u of the mean of |v_k|σ. For normal biases the " +
		"product of the weight and of the density is such a polynomial.",
	Limits: "k up to 10. For |x| > 1 the mean continues linearly, 1 + k(x−1) for x > 1, and differs from x^k for k ≥ " +
		"2.",
	Predict: func(v theory.Values) []theory.Quantity {
		k, x := v.Int("k"), v.Float("x")
		return []theory.Quantity{
			{Name: "power", Symbol: "x^k", Value: math.Pow(x, float64(k)), Meaning: "mean of v_k σ"},
			{Name: "largest", Symbol: "sup|v_k|", Value: largestPowerWeight(k), Meaning: "largest weight"},
		}
	},
}

// PowerWeight returns v_k(a, b) for a = ±1.
func PowerWeight(k int, a, b float64) float64 {
	switch k {
	case 0:
		return 6 * b
	case 1:
		return 2 * a
	}
	n := float64(k)
	return 2*(1-a)*n*(n-1)*math.Pow(b, n-2) - 6*(n-1)*b + 2*n*a
}

// NormalPowerWeight returns v_k(a, b) 1{|b|≤1}/(2φ(b)), the weight for b ~ N(0, 1).
func NormalPowerWeight(k int, a, b float64) float64 {
	if math.Abs(b) > 1 {
		return 0
	}
	return PowerWeight(k, a, b) * math.Sqrt(math.Pi/2) * math.Exp(b*b/2)
}

// largestPowerWeight returns the supremum of |v_k| over a = ±1 and |b| ≤ 1, which is attained at the ends, or where the
// derivative in b vanishes for a = −1.
func largestPowerWeight(k int) float64 {
	candidates := []float64{-1, 1}
	if k > 2 { // 4k(k−1)(k−2)b^(k−3) = 6(k−1)
		n := float64(k)
		if k > 3 {
			root := math.Pow(6/(4*n*(n-2)), 1/(n-3))
			candidates = append(candidates, root, -root)
		}
	}
	largest := 0.0
	for _, b := range candidates {
		largest = max(largest, math.Abs(PowerWeight(k, 1, b)), math.Abs(PowerWeight(k, -1, b)))
	}
	return largest
}
