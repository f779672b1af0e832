package emergence

import (
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// Queries is the claim emergence/queries: Theorem 3 in a form that is true.
var Queries = theory.Statement{
	Slug:     "emergence/queries",
	Title:    "Statistical queries learn the parities of k uniform bits only in large numbers or with small tolerance",
	Kind:     theory.Impossibility,
	Standing: theory.Derivation,
	Setting: "Uniform bits; y = χ_A(x), the product of the signs over A, |A| = k; C = binom(D, k) sets A. A query Q(x, y) ∈ [0, 1] is answered by " +
		"any number within τ of E Q. With g(x) = (Q(x, 1) − Q(x, −1))/2, E Q = c + E[χ_A g], where c does not depend on A.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of bits, at least k", Domain: theory.IntegerBetween(1, 1e6), Default: "100"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant ones", Domain: theory.IntegerBetween(1, 999), Default: "5"},
		{Name: "tolerance", Symbol: "τ", Meaning: "of the answers", Domain: theory.Above(0), Default: "0.01"},
		{Name: "advantage", Symbol: "ε", Meaning: "the learner is to reach error 1/2 − ε", Domain: theory.Inside(0, 0.5), Default: "0.05"},
	},
	Claim: "The χ_A are orthonormal, so Σ_A E[χ_A g]² ≤ E g² ≤ 1/4, and the answer c is wrong by more than τ for at most 1/(4τ²) sets A. After q queries " +
		"answered by c, at least C − q/(4τ²) sets are left, and a predictor h with values ±1 has error ≤ 1/2 − ε on at most 1/(4ε²) sets: a learner that reaches 1/2 − ε on " +
		"every A makes at least 4τ²(C − 1/(4ε²)) queries. In particular error < 1/2 − C^(−1/3) takes C^(1/3)/2 queries or 1/τ ≥ C^(1/3)/2.",
	TeX: `q \ge 4 \tau^2 \left( C - \frac{1}{4 \varepsilon^2} \right), \qquad \sum_A E[\chi_A g]^2 \le E[g^2] \le ` +
		`\frac14`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the bits are independent and fair"},
		{ID: "bounded", Text: "queries have values in [0, 1], predictors ±1"},
		{ID: "same-size", Text: "all A are different sets"},
	},
	Source: paper.At("Theorem 3"),
	Deviations: "The source has error 1/2 − C^(−3) in place of 1/2 − C^(−1/3), and its class contains all labels that depend on a count, not only parities. " +
		"What happens at the source's threshold is claim emergence/parityvote.",
	Proof: "Parities of different sets are orthogonal. Bessel's inequality for g and for h. An adversary that answers c is honest to every set that no query has ruled out.",
	Tolerance: "Counts of inputs are integers and E[χ_A g] is a multiple of 2^(−D−2); sums of squares of those are exact below 2^53, so nothing is allowed for Q with values 0 or 1. " +
		"Bounds are compared with counts up to 10⁻¹² of them.",
	Limits: "All A and all inputs for D ≤ 9, deterministic learners, some kinds of queries. A lower bound for a class is checked on its learners that were tried.",
	Predict: func(v theory.Values) []theory.Quantity {
		d, k := v.Int("D"), v.Int("k")
		return []theory.Quantity{
			{Name: "sets", Symbol: "C", Value: Binomial(d, k), Meaning: "number of sets A"},
			{Name: "eliminated", Symbol: "1/(4τ²)", Value: Eliminated(v.Float("tolerance")), Meaning: "sets that one query rules out at most"},
			{Name: "queries", Symbol: "q", Value: QueriesNeeded(d, k, v.Float("tolerance"), v.Float("advantage")), Meaning: "queries that are needed at least"},
			{Name: "corollary", Symbol: "C^(1/3)/2", Value: math.Cbrt(Binomial(d, k)) / 2, Meaning: "queries or 1/τ, for error 1/2 − C^(−1/3)"},
		}
	},
}

// Eliminated returns 1/(4τ²), NaN unless τ > 0.
func Eliminated(tau float64) float64 {
	if !(tau > 0) {
		return math.NaN()
	}
	return 1 / (4 * tau * tau)
}

// QueriesNeeded returns 4τ²(C − 1/(4ε²)) or 0 if that is negative, NaN unless τ > 0 and 0 < ε < 1/2.
func QueriesNeeded(d, k int, tau, epsilon float64) float64 {
	if !(epsilon > 0 && epsilon < 0.5) {
		return math.NaN()
	}
	return max(0, Binomial(d, k)-Eliminated(epsilon)) / Eliminated(tau)
}

// ParityVote is the claim emergence/parityvote: a predictor that is better than chance on all parities at once.
var ParityVote = theory.Statement{
	Slug:     "emergence/parityvote",
	Title:    "The vote of all parities has the same advantage over chance on each, without any query",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting:  "D uniform bits with signs zⱼ; χ_A the product of the signs over A, |A| = k; e_k(z) = Σ_A χ_A; C = binom(D, k). h(x) = 1 if e_k ≥ 0 and −1 otherwise.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of bits, at least k", Domain: theory.IntegerBetween(1, 1000), Default: "10"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant ones", Domain: theory.IntegerBetween(1, 999), Default: "3"},
	},
	Claim: "E[h χ_A] = E|e_k|/C for every A, so h has error ½ − E|e_k|/(2C) on all parities of k bits; E|e_k| is a sum over the number of ones. This " +
		"error is below ½ − C^(−3) for C > 1.",
	TeX: `E[\operatorname{sign}(e_k)\, \chi_A] = \frac{1}{C} \sum_{t=0}^{D} 2^{-D} \binom{D}{t} \left| \sum_{i} (-1)^{k-i} ` +
		`\binom{t}{i} \binom{D-t}{k-i} \right|`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the bits are independent and fair"},
		{ID: "symmetric", Text: "the vote is over all A, with equal weights"},
	},
	Source:     paper.At("Theorem 3"),
	Deviations: "The predictor is ours.",
	Proof: "h is a symmetric function of the bits, so E[hχ_A] does not depend on A, and the mean over A is E[h e_k]/C = E|e_k|/C, ties included. " +
		"e_k takes integer values and E e_k² = C, so E|e_k| ≥ E e_k²/max|e_k| = 1, and 1/C > 2/C³ for C > 1.",
	Tolerance: "Integers and fractions throughout: none.",
	Limits:    "All inputs for D ≤ 12.",
	Readings: []theory.Reading{{
		ID:      "cubed",
		Reading: "Error below 1/2 − C^(−3) on every parity of k uniform bits takes C^(1/3)/2 queries or 1/τ ≥ C^(1/3)/2.",
		Locus:   "Theorem 3, restricted to parities",
		Correct: "with 1/2 − C^(−1/3) it is true (emergence/queries); at 1/2 − C^(−3) no query at all is needed",
		Counterexample: "D = 10, k = 3: the vote has error 0.470703125 on each of the 120 parities, below 1/2 − 1/120³, with no query, and " +
			"C^(1/3)/2 = 2.47",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		c := VoteCorrelation(v.Int("D"), v.Int("k"))
		return []theory.Quantity{
			{Name: "correlation", Symbol: "E[hχ_A]", Value: float(c), Meaning: "of the vote with every parity"},
			{Name: "error", Symbol: "Pr[h ≠ χ_A]", Value: 0.5 - float(c)/2, Meaning: "of the vote on every parity"},
			{Name: "printed", Symbol: "1/2 − C^(−3)", Value: 0.5 - math.Pow(Binomial(v.Int("D"), v.Int("k")), -3), Meaning: "the source's threshold"},
			{Name: "repaired", Symbol: "1/2 − C^(−1/3)", Value: 0.5 - 1/math.Cbrt(Binomial(v.Int("D"), v.Int("k"))), Meaning: "that of emergence/queries"},
		}
	},
	RestsOn: []string{"emergence/queries"},
}

// VoteCorrelation returns E|e_k|/C. It is nil unless 1 ≤ k ≤ D.
func VoteCorrelation(d, k int) *big.Rat {
	if k < 1 || d < k {
		return nil
	}
	sum := new(big.Int)
	for t := range d + 1 {
		e := SymmetricSum(d, k, t)
		sum.Add(sum, e.Mul(e.Abs(e), new(big.Int).Binomial(int64(d), int64(t))))
	}
	scale := new(big.Int).Lsh(new(big.Int).Binomial(int64(d), int64(k)), uint(d))
	return new(big.Rat).SetFrac(sum, scale)
}

// SymmetricSum returns e_k of t signs +1 and d − t signs −1: Σᵢ(−1)^(k−i) binom(t, i) binom(d−t, k−i).
func SymmetricSum(d, k, t int) *big.Int {
	sum := new(big.Int)
	for i := range k + 1 {
		term := new(big.Int).Binomial(int64(t), int64(i))
		term.Mul(term, new(big.Int).Binomial(int64(d-t), int64(k-i)))
		if (k-i)%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}
