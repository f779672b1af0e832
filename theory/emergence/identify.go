package emergence

import (
	"cmp"
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// Identify is the claim emergence/identify: a learner that uses the structure.
var Identify = theory.Statement{
	Slug:  "emergence/identify",
	Title: "With structured inputs D + k + 1 statistical queries of coarse tolerance identify the label",
	Plain: "With structured inputs, D + k + 1 statistical queries of coarse tolerance identify the relevant " +
		"bits and the label.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "The family of emergence/inputs: Pr[y = 1] = 1/2, γ > 0, bits outside A independent of the others, one " +
		"with any probability; zⱼ = 2φ̃ⱼ − 1; y = 1 if the count S on A is in P; π = min Pr[S = s] over the s ∈ P that " +
		"occur. A query's answer is anything within τ of its mean.",
	Params: []theory.Param{
		hiddenBits(1, 1000, "100"), relevantBits(1, 61, "5"), uniformBelowOne,
	},
	Claim: "Pr[y = zⱼ] is 1/2 + γ on A and 1/2 outside. If τ < γ/2, the answers among the D that exceed 1/2 + γ/2 are " +
		"exactly those for the bits in A. If τ < π/2, the answers among the k + 1 to Pr[y = 1, S = s] that exceed π/2 are " +
		"exactly those for the s in P that occur. So D + k + 1 queries with τ < min(γ, π)/2 suffice. With these thresholds " +
		"no larger τ suffices.",
	TeX: `\Pr[y = z_j] = \frac12 + \gamma \, 1\{j \in A\}, \qquad \tau < \tfrac12 \min(\gamma, \pi)`,
	Assumptions: []theory.Assumption{
		{ID: "balanced", Text: "Pr[y = 1] = 1/2 (A0)"},
		{ID: "equal-covariance", Text: "every bit on A has the covariance γ > 0 (A1)"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "tolerance", Text: "τ < min(γ, π)/2"},
	},
	Source: paper.At("section 5 and Theorem 3: the value of structure to an algorithm of statistical queries"),
	Deviations: "The learner is ours. It asks about hidden coordinates: an algorithm that sees only x = M(φ̃ − E φ̃)/σ̃ " +
		"has to know M.",
	Proof: "Pr[y = zⱼ] = (1 + E yzⱼ)/2 and E yzⱼ = 2E yφ̃ⱼ − E y, which is 2γ on A and 0 outside for balanced labels. " +
		"Pr[y = 1, S = s] is Pr[S = s] for s ∈ P and 0 for other counts. An answer whose error is half of the gap lies on " +
		"the threshold.",
	Tolerance: "Integers and fractions throughout: none. Answers are as misleading as τ allows.",
	Limits: "D ≤ 8, all inputs. Under D_A(1/2) with k = 5 and D = 100 these are 106 queries with 1/τ just above 25.6, " +
		"where the parities of uniform bits need C^(1/3)/2 = 211 queries or 1/τ that large (emergence/queries).",
	Predict: func(v theory.Values) []theory.Quantity {
		d, k := v.Int("D"), v.Int("k")
		rarest := rarestAccepted(k, v.Float("uniform"))
		gamma := fairOf(v).Covariance()
		return []theory.Quantity{
			{Name: "queries", Symbol: "D + k + 1", Value: float64(d + k + 1), Meaning: "queries"},
			{Name: "gamma", Symbol: "γ", Value: gamma, Meaning: "gap of the first D queries, which find A"},
			{Name: "rarest", Symbol: "π", Value: rarest, Meaning: "gap of the other queries, which find P"},
			{Name: "tolerance", Symbol: "1/τ", Value: 2 / min(gamma, rarest), Meaning: "must exceed this"},
			{Name: "unstructured", Symbol: "C^(1/3)/2", Value: math.Cbrt(Binomial(d, k)) / 2,
				Meaning: "queries or 1/τ that parities of uniform bits need"},
		}
	},
	Violated: func(v theory.Values) error {
		k := v.Int("k")
		return cmp.Or(
			theory.Require(k%2 != 0 && k <= v.Int("D"), "emergence: k is odd and at most D"),
			theory.Require(min(fairOf(v).Covariance(), rarestAccepted(k, v.Float("uniform"))) > 1e-300,
				"emergence: γ or π is too small a number"),
		)
	},
	RestsOn: []string{"emergence/inputs", "emergence/queries"},
}

// fairOf returns the law for a user's parameters, with fair bits outside A.
func fairOf(v theory.Values) Mixture {
	return Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: 0.5, Uniform: v.Float("uniform")}
}

// rarestAccepted returns π, the smallest probability of an odd count of k bits that occurs, with the bits uniform with
// probability λ and otherwise all equal. It is NaN for even k and λ outside [0, 1).
func rarestAccepted(k int, lambda float64) float64 {
	if k < 1 || k%2 == 0 || !(lambda >= 0 && lambda < 1) {
		return math.NaN()
	}
	rarest := (1-lambda)/2 + math.Ldexp(lambda, -k)
	if k > 1 && lambda > 0 { // the count 1 is the rarest of those below k, but the count k may be rarer
		rarest = min(rarest, float64(k)*math.Ldexp(lambda, -k))
	}
	return rarest
}

// Match returns 1/2 + γ, the probability that a bit on A is the label, without rounding. It is nil when γ is.
func Match(gamma *big.Rat) *big.Rat {
	if gamma == nil {
		return nil
	}
	return new(big.Rat).Add(big.NewRat(1, 2), gamma)
}
