package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Curse is the claim latent/curse: the number of samples that a Lipschitz function needs.
var Curse = theory.Statement{
	Slug:  "latent/curse",
	Title: "Number of samples that Lipschitz functions need",
	Plain: "Learning a Lipschitz function to error ε everywhere requires ⌈1/(2ε)⌉ᵈ noise-free samples, exponentially " +
		"many in the dimension.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Functions on [0, 1]^d with |f(x) − f(x')| ≤ ‖x − x'‖_∞, learned from their exact values at n points, " +
		"to an error of at most ε at every point, 0 < ε < 1. Second part: the distance from a point of the torus [0, " +
		"1)^d to the nearest of n points, all independent and uniform, in the same norm.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 100), Default: "8"},
		{Name: "epsilon", Symbol: "ε", Meaning: "required error", Domain: theory.Between(0.001, 0.999), Default: "0.1"},
		{Name: "n", Symbol: "n", Meaning: "number of points", Domain: theory.IntegerBetween(1, 1e9), Default: "1024"},
	},
	Claim: "The least number of points is n = k^d with k = ⌈1/(2ε)⌉, which prediction by the nearest of the cell " +
		"centres attains. The mean distance on the torus is ½Γ(1+1/d)Γ(n+1)/Γ(n+1+1/d), of order n^(−1/d), and for any n " +
		"points some point of the torus is at least ½n^(−1/d) away from all of them.",
	TeX: `n_{\min} = \lceil 1/(2\varepsilon) \rceil^d, \quad \mathbb{E} D = ` +
		`\tfrac12 \frac{\Gamma(1+1/d)\,\Gamma(n+1)}{\Gamma(n+1+1/d)}`,
	Assumptions: []theory.Assumption{
		{ID: "lipschitz", Text: "f is 1-Lipschitz in the maximum norm"},
		{ID: "uniform", Text: "the points fill all d dimensions (for the distances)"},
	},
	Source: paper.At("companion slides on adaptivity, curse of dimensionality: n = Ω((1/ε)^d)"),
	Deviations: "The slides have the order in 1/ε for fixed d. The exact number shows that the constant depends on d: " +
		"it is 2^−d for small ε.",
	Proof: "Cells of side 1/k have radius 1/(2k) ≤ ε. Conversely the k^d lattice points of spacing 1/(k−1) > 2ε have " +
		"disjoint balls of radius ε, fewer samples leave one of them without a sample, and ±dist(x, X) agree on the " +
		"samples. P(D > s) = (1−(2s)^d)^n; integrate. Balls of radius s have volume (2s)^d.",
	Tolerance: "Errors of nearest centres: 8u. The interval for the mean distance comes from Bernstein's inequality for " +
		"a bounded variable of known variance.",
	Limits: "d up to 3 for the number of points, up to 16 for distances. Other norms and other classes have other " +
		"constants.",
	Predict: func(v theory.Values) []theory.Quantity {
		g := Grid{v.Int("d"), v.Float("epsilon")}
		return []theory.Quantity{
			{Name: "points", Symbol: "⌈1/(2ε)⌉^d", Value: g.Points(), Meaning: "least number of points"},
			{Name: "distance", Symbol: "E D", Value: NearestDistance(v.Int("d"), v.Int("n"), 1),
				Meaning: "mean distance to the nearest point", Nonnegative: true},
			{Name: "floor", Symbol: "½n^(−1/d)", Value: math.Pow(v.Float("n"), -1/v.Float("d")) / 2,
				Meaning: "for any n points, some point is at least this far from all of them"},
		}
	},
}

// Grid describes the problem of learning to an error Epsilon in D dimensions.
type Grid struct {
	D       int
	Epsilon float64
}

// Valid names the violated hypothesis.
func (g Grid) Valid() error {
	return theory.Require(g.D >= 1 && g.Epsilon > 0 && g.Epsilon < 1, "latent: need d ≥ 1 and 0 < ε < 1")
}

// Side returns k = ⌈1/(2ε)⌉. A quotient that rounding moves across an integer counts as that integer.
func (g Grid) Side() int {
	if g.Valid() != nil {
		return 0
	}
	return int(math.Ceil(1/(2*g.Epsilon) - 1e-12))
}

// Points returns k^d; NaN outside the hypotheses.
func (g Grid) Points() float64 {
	if g.Valid() != nil {
		return math.NaN()
	}
	return math.Pow(float64(g.Side()), float64(g.D))
}

// NearestDistance returns E D^q = 2^−q Γ(1+q/d)Γ(n+1)/Γ(n+1+q/d) for the distance D to the nearest of n points.
func NearestDistance(d, n int, q float64) float64 {
	x, count := q/float64(d), float64(n)
	if n > 10000 { // Γ(n+1)/Γ(n+1+x) by Stirling, to a relative x|x²−1|/(24n²), where logarithms of Γ would cancel
		return math.Exp2(-q) * math.Gamma(1+x) * math.Pow(count+(1+x)/2, -x)
	}
	a, _ := math.Lgamma(1 + x)
	b, _ := math.Lgamma(count + 1)
	c, _ := math.Lgamma(count + 1 + x)
	return math.Exp2(-q) * math.Exp(a+b-c)
}
