package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Excess is the claim latent/excess: errors that the loss of Theorem 1 does not count.
var Excess = theory.Statement{
	Slug:  "latent/excess",
	Title: "Excess absolute loss under two-point noise",
	Plain: "Under two-point label noise ±ς, a predictor has no excess absolute loss exactly when it almost " +
		"surely stays within ς of the target.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Labels y = f⋆(x) + ϵ with ϵ = ±ς, each with probability ½ and independent of x; any predictor f. The " +
		"loss of Theorem 1 is E|f(x) − y| − ς.",
	Params: []theory.Param{
		{Name: "noise", Symbol: "ς", Meaning: "size of the noise", Domain: theory.Between(0, 100), Default: "1"},
		{Name: "p", Symbol: "p", Meaning: "degree of the target ½He₂(z) + He_p(z)/√(2·p!), p ≥ 3; 2 for He₂/√2",
			Domain: theory.IntegerBetween(2, 8), Default: "3"},
	},
	Claim: "E|f(x) − y| − ς = E(|f(x) − f⋆(x)| − ς)₊. So a predictor has excess 0 if and only if it is almost surely " +
		"within ς of f⋆.",
	TeX: `\mathbb{E}|f - y| - \varsigma = \mathbb{E}\left(|f - f^\star| - \varsigma\right)_+`,
	Assumptions: []theory.Assumption{
		{ID: "two-point", Text: "the noise is ±ς"},
		{ID: "independent", Text: "the noise is independent of x"},
		{ID: "fair", Text: "both signs are equally likely"},
	},
	Source: paper.At("Theorem 1 with the noise of section 2"),
	Proof:  "½|δ−ς| + ½|δ+ς| = max(|δ|, ς).",
	Tolerance: "Both sides are weighted sums over N points: each term errs by 4u(|f−f⋆|+ς), and a sum by 2N u of its " +
		"terms.",
	Limits: "An identity of one line. Its point is that Theorem 1 says nothing about errors below the noise: for ς = 1 " +
		"the zero predictor already has an excess below 0.1 for the targets of the source.",
	Readings: []theory.Reading{{
		ID:             "learned",
		Reading:        "A predictor with excess 0 equals f⋆: E|f − y| − ς = E|f − f⋆|.",
		Locus:          "Theorem 1, its loss read as a distance to f⋆",
		Correct:        "It is within ς of f⋆.",
		Counterexample: "f⋆ = 0, f = ½, ς = 1: the excess is 0 and the distance ½.",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "zero", Symbol: "E(|f⋆|−ς)₊", Value: zeroExcess(v.Int("p"), v.Float("noise")),
			Meaning: "excess of the predictor that is 0 everywhere"}}
	},
}

// ExcessLoss returns (|δ| − ς)₊, the contribution of a deviation δ from the target to the excess.
func ExcessLoss(deviation, noise float64) float64 { return max(0, math.Abs(deviation)-noise) }

// zeroExcess returns E(|f⋆| − ς)₊ for f⋆ = ½He₂ + He_p/√(2·p!), or He₂/√2 for p = 2, by the trapezoidal rule with 2¹⁷
// intervals on [−16, 16]: a kink costs at most an eighth of the squared step times its slope, here some 10⁻⁸.
func zeroExcess(p int, noise float64) float64 {
	const step, half = 0x1p-12, 1 << 16
	sum := 0.0
	for i := -half; i <= half; i++ {
		z := step * float64(i)
		f := hermite.Polynomial(2, z) / math.Sqrt2
		if p > 2 {
			f = hermite.Polynomial(2, z)/2 + hermite.Polynomial(p, z)/math.Sqrt(2*hermite.Factorial(p))
		}
		sum += step * hermite.PDF(z) * ExcessLoss(f, noise)
	}
	return sum
}
