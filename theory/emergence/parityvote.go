package emergence

import (
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// ParityVote is the claim emergence/parityvote: a predictor that is better than chance on all parities at once.
var ParityVote = theory.Statement{
	Slug:  "emergence/parityvote",
	Title: "The vote of all parities has the same advantage over chance on each, without any query",
	Plain: "Predicting the sign of the sum of all k-bit parities beats chance equally on each of them, without " +
		"a single query.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "D uniform bits with signs zⱼ; χ_A the product of the signs over A, |A| = k; e_k(z) = Σ_A χ_A; C = " +
		"binom(D, k). h(x) = 1 if e_k ≥ 0 and −1 otherwise.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of bits, at least k", Domain: theory.IntegerBetween(1, 1000),
			Default: "10"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant bits", Domain: theory.IntegerBetween(1, 999),
			Default: "3"},
	},
	Claim: "E[h χ_A] = E|e_k|/C for every A, so h has error ½ − E|e_k|/(2C) on all parities of k bits; E|e_k| is a " +
		"sum over the number of ones. This error is at most ½ − 1/(2C), which two bits and k = 1 attain, and so " +
		"below ½ − C^(−3) for C > 1.",
	TeX: `E[\operatorname{sign}(e_k)\, \chi_A] = \frac{1}{C} \sum_{t=0}^{D} 2^{-D} \binom{D}{t} \left| \sum_{i} ` +
		`(-1)^{k-i} ` +
		`\binom{t}{i} \binom{D-t}{k-i} \right|`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the bits are independent and fair"},
		{ID: "symmetric", Text: "the vote is over all A, with equal weights"},
	},
	Source:     paper.At("Theorem 3"),
	Deviations: "The predictor is ours.",
	Proof: "h is a symmetric function of the bits, so E[hχ_A] does not depend on A, and the mean over A is E[h " +
		"e_k]/C = E|e_k|/C, ties included. e_k takes integer values and E e_k² = C, so E|e_k| ≥ E e_k²/max|e_k| = 1, " +
		"and 1/(2C) > 1/C³ for C > 1.",
	Tolerance: "Integers and fractions throughout: none. Errors and thresholds are compared after rounding, up to 4u.",
	Limits:    "All inputs for D ≤ 10.",
	Readings: []theory.Reading{{
		ID: "cubed",
		Reading: "Error below 1/2 − C^(−3) on every parity of k uniform bits takes C^(1/3)/2 queries or 1/τ ≥ " +
			"C^(1/3)/2.",
		Locus:   "Theorem 3, restricted to parities",
		Correct: "it is true with 1/2 − C^(−1/3) (emergence/queries); at 1/2 − C^(−3) no query at all is needed",
		Counterexample: "D = 10, k = 3: the vote has error 0.470703125 on each of the 120 parities, below 1/2 − " +
			"1/120³, with no query, and C^(1/3)/2 = 2.47",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		c := VoteCorrelation(v.Int("D"), v.Int("k"))
		return []theory.Quantity{
			{Name: "correlation", Symbol: "E[hχ_A]", Value: float(c), Meaning: "correlation of the vote with every parity"},
			{Name: "error", Symbol: "Pr[h ≠ χ_A]", Value: 0.5 - float(c)/2, Meaning: "error of the vote on every parity"},
			{Name: "printed", Symbol: "1/2 − C^(−3)", Value: 0.5 - math.Pow(Binomial(v.Int("D"), v.Int("k")), -3),
				Meaning: "the source's threshold"},
			{Name: "repaired", Symbol: "1/2 − C^(−1/3)", Value: 0.5 - 1/math.Cbrt(Binomial(v.Int("D"), v.Int("k"))),
				Meaning: "that of emergence/queries"},
		}
	},
	Violated: func(v theory.Values) error { return subsets(v.Int("D"), v.Int("k")) },
	RestsOn:  []string{"emergence/queries"},
}

// VoteCorrelation returns E|e_k|/C. It is nil unless 1 ≤ k ≤ D.
func VoteCorrelation(d, k int) *big.Rat {
	if k < 1 || d < k {
		return nil
	}
	sum, ways := new(big.Int), big.NewInt(1) // ways to choose t of d
	for t, e := range SymmetricSums(d, k) {
		sum.Add(sum, e.Mul(e.Abs(e), ways))
		ways.Mul(ways, big.NewInt(int64(d-t)))
		ways.Quo(ways, big.NewInt(int64(t+1)))
	}
	scale := new(big.Int).Lsh(new(big.Int).Binomial(int64(d), int64(k)), uint(d))
	return new(big.Rat).SetFrac(sum, scale)
}

// SymmetricSums returns e_k of t signs −1 and d − t signs +1 for t = 0, …, d: the Krawtchouk polynomials, by their
// recurrence (d−t)e(t+1) = (d−2k)e(t) − t·e(t−1).
func SymmetricSums(d, k int) []*big.Int {
	out := []*big.Int{new(big.Int).Binomial(int64(d), int64(k))}
	for t := range d {
		next := new(big.Int).Mul(out[t], big.NewInt(int64(d-2*k)))
		if t > 0 {
			next.Sub(next, new(big.Int).Mul(out[t-1], big.NewInt(int64(t))))
		}
		out = append(out, next.Quo(next, big.NewInt(int64(d-t))))
	}
	return out
}
