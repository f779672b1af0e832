package emergence

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Queries is the claim emergence/queries: Theorem 3 in a form that is true.
var Queries = theory.Statement{
	Slug:  "emergence/queries",
	Title: "Statistical queries learn the parities of k uniform bits only in large numbers or with small tolerance",
	Plain: "Statistical queries learn parities of k uniform bits only with very many queries or with very small " +
		"tolerance.",
	Kind:     theory.Impossibility,
	Standing: theory.Derivation,
	Setting: "Uniform bits; y = χ_A(x), the product of the signs over A, |A| = k; C = binom(D, k) sets A. A query " +
		"Q(x, y) ∈ [0, 1] is answered by any number within τ of E Q. With g(x) = (Q(x, 1) − Q(x, −1))/2, E Q = c + " +
		"E[χ_A g], where c does not depend on A.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of bits, at least k", Domain: theory.IntegerBetween(1, 1000),
			Default: "12"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant bits", Domain: theory.IntegerBetween(1, 999),
			Default: "5"},
		{Name: "tolerance", Symbol: "τ", Meaning: "tolerance of the answers",
			Domain: theory.Between(1e-9, 1), Default: "0.01"},
		{Name: "advantage", Symbol: "ε", Meaning: "the learner is to reach error 1/2 − ε",
			Domain:  theory.Inside(0, 0.5),
			Default: "0.05"},
	},
	Claim: "The χ_A are orthonormal, so $Σ_A E[χ_A g]² ≤ E g² ≤ 1/4$, and the answer c is wrong by more than τ for at " +
		"most 1/(4τ²) sets A. After q queries answered by c, at least C − q/(4τ²) sets are left, and a predictor h " +
		"with values ±1 has error ≤ 1/2 − ε on at most 1/(4ε²) sets: a deterministic learner that reaches 1/2 − ε on " +
		"every A makes at least 4τ²(C − 1/(4ε²)) queries. In particular error < 1/2 − C^(−1/3) needs C^(1/3)/2 " +
		"queries or 1/τ ≥ C^(1/3)/2. The first gradient of a neuron with the gate ψ obeys the same law: Σ_A Tⱼ² ≤ " +
		"E[φⱼ²ψ(z)²] for its entries Tⱼ = E[χ_A φⱼψ(z)], φⱼ the normalised bits.",
	TeX: `\sum_A E[\chi_A g]^2 \le E[g^2] \le \frac14, \qquad ` +
		`q \ge 4 \tau^2 \left( C - \frac{1}{4 \varepsilon^2} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the bits are independent and fair"},
		{ID: "bounded", Text: "queries have values in [0, 1], predictors ±1"},
		{ID: "same-size", Text: "all A are different sets"},
	},
	Source: paper.At("Theorem 3"),
	Deviations: "The source has error 1/2 − C^(−3) in place of 1/2 − C^(−1/3), and its class contains all labels that " +
		"depend on a count, not only parities. The claim emergence/parityvote is about the source's threshold.",
	Proof: "Parities of different sets are orthogonal, so Bessel's inequality holds for g and for h. An adversary that " +
		"answers c is truthful for every set that no query has ruled out.",
	Tolerance: "Counts of inputs are integers and E[χ_A g] is a multiple of 2^(−D−3); sums of squares of those are " +
		"exact below 2^53, so the tolerance is 0 for Q with values 0, 1/4, …, 1. Bounds are compared with counts up to a " +
		"relative 10⁻¹².",
	Limits: "All A and all inputs for D ≤ 9, deterministic learners, some kinds of queries. The lower bound for the " +
		"class is checked only on the learners that were tried.",
	Predict: func(v theory.Values) []theory.Quantity {
		d, k := v.Int("D"), v.Int("k")
		return []theory.Quantity{
			{Name: "sets", Symbol: "C", Value: Binomial(d, k), Meaning: "number of sets A"},
			{Name: "eliminated", Symbol: "1/(4τ²)", Value: Eliminated(v.Float("tolerance")),
				Meaning: "largest number of sets that one query rules out", Bound: "≤"},
			{Name: "queries", Symbol: "q", Bound: "≥",
				Value:   QueriesNeeded(d, k, v.Float("tolerance"), v.Float("advantage")),
				Meaning: "smallest number of queries needed"},
			{Name: "corollary", Symbol: "C^(1/3)/2", Value: math.Cbrt(Binomial(d, k)) / 2,
				Meaning: "queries or 1/τ, for error 1/2 − C^(−1/3)"},
		}
	},
	Violated: func(v theory.Values) error { return subsets(v.Int("D"), v.Int("k")) },
}

// subsets names the violated hypothesis of claims about sets of k out of d bits.
func subsets(d, k int) error {
	return theory.Require(k >= 1 && d >= k, "emergence: 1 ≤ k ≤ D")
}

// Eliminated returns 1/(4τ²), NaN unless τ > 0.
func Eliminated(tau float64) float64 {
	return theory.When(tau > 0, 1/(4*tau*tau))
}

// QueriesNeeded returns 4τ²(C − 1/(4ε²)) or 0 if that is negative, NaN unless 1 ≤ k ≤ d, τ > 0 and 0 < ε < 1/2.
func QueriesNeeded(d, k int, tau, epsilon float64) float64 {
	if subsets(d, k) != nil || !(tau > 0) || !(epsilon > 0 && epsilon < 0.5) {
		return math.NaN()
	}
	return 4 * tau * tau * max(0, Binomial(d, k)-Eliminated(epsilon))
}
