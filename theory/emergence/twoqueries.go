package emergence

import (
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// TwoQueries is the claim emergence/twoqueries: the source's threshold of accuracy over its whole class of labels.
var TwoQueries = theory.Statement{
	Slug:  "emergence/twoqueries",
	Title: "Two queries about symmetric functions suffice to beat chance on every label of three uniform bits",
	Plain: "Two statistical queries about symmetric functions suffice to beat chance on any label that counts " +
		"ones among three unknown uniform bits.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "D uniform bits with signs zⱼ, D odd; y = 1 if the number of ones among three of them is in P, otherwise " +
		"−1; the learner knows neither P ⊂ {1, 2, 3} nor the three bits. e₁ = Σ zⱼ, e₃ = Σ z_iz_jz_l over all triples, C = " +
		"binom(D, 3), c = binom(D−1, (D−1)/2)/2^(D−1). A query's answer is anything within τ of its mean.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of bits, odd", Domain: theory.IntegerBetween(3, 2001),
			Default: "201"},
	},
	Claim: "Pr[y = 1] = 1/2 for P = {1, 3}, the parity, and P = {2, 3}, the majority; for the other six it is at least " +
		"1/8 away from 1/2, and a constant has error at most 3/8. Pr[y = sign e₁] is 1/2 − c/(2(D−2)) for the parity and " +
		"1/2 + c(3 + 1/(D−2))/4 for the majority. So if τ is below 1/16 and below half of the difference of these two, " +
		"(3/8)c(D−1)/(D−2), the two queries determine which predictor to take: a constant with error at most 3/8, sign e₁ " +
		"with error at most 1/2 − c(3 + 1/(D−2))/4, or sign e₃ with error at most 1/2 − E|e₃|/(2C). All are less than 1/2 " +
		"− C^(−3) for C > 1.",
	TeX: `\Pr[y = \operatorname{sign} e_1] = \frac12 - \frac{c}{2(D-2)} \text{ or } \frac12 + \frac{c}{4} \left(3 + ` +
		`\frac{1}{D-2}\right), \qquad c = 2^{1-D} \binom{D-1}{(D-1)/2}`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the bits are independent and fair"},
		{ID: "three", Text: "the label depends on three bits"},
		{ID: "tolerance", Text: "τ is below both limits"},
	},
	Source: paper.At("Theorem 3"),
	Deviations: "The learner is ours. It knows that k = 3, but neither A nor P. The source leaves open whether the " +
		"class contains labels that are not balanced; the learner does not need to know.",
	Proof: "sign e₁ has the Fourier coefficient c on single bits, and −c/(D−2) on triples. The majority of three is " +
		"(z₁+z₂+z₃−z₁z₂z₃)/2. Half of the gap between the two agreements is the second limit. sign e₃ is " +
		"emergence/parityvote.",
	Tolerance: "Integers and fractions throughout: none. Errors and thresholds are compared after rounding, up to 4u.",
	Limits:    "All inputs for D ≤ 9, by counts for D up to 301.",
	Readings: []theory.Reading{{
		ID: "whole-class",
		Reading: "Error below 1/2 − C^(−3) on every label of three uniform bits takes C^(1/3)/2 queries or 1/τ ≥ " +
			"C^(1/3)/2.",
		Locus:   "Theorem 3, for the whole class and not parities alone",
		Correct: "it is true with 1/2 − C^(−1/3) (emergence/queries), and this learner does not contradict that",
		Counterexample: "D = 201: two queries with 1/τ = 47.1 reach error 0.49973 on every label, and C^(1/3)/2 = " +
			"55.03",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Triples{v.Int("D")}
		limit, _ := s.Tolerance().Float64()
		return []theory.Quantity{
			{Name: "parity", Symbol: "Pr[y = sign e₁]", Value: float(s.Agreement(false)), Meaning: "for P = {1, 3}"},
			{Name: "majority", Symbol: "Pr[y = sign e₁]", Value: float(s.Agreement(true)), Meaning: "for P = {2, 3}"},
			{Name: "tolerance", Symbol: "1/τ", Value: 1 / limit, Meaning: "must exceed this"},
			{Name: "error", Symbol: "error", Value: float(s.ParityError()),
				Meaning: "error of sign e₃ on the parity, the largest of all", Nonnegative: true},
			{Name: "printed", Symbol: "C^(1/3)/2", Value: math.Cbrt(Binomial(v.Int("D"), 3)) / 2,
				Meaning: "queries or 1/τ that the reading requires"},
		}
	},
	Violated: func(v theory.Values) error { return Triples{v.Int("D")}.Valid() },
	RestsOn:  []string{"emergence/queries", "emergence/parityvote"},
}

// Triples describes the labels of three out of Dim uniform bits.
type Triples struct{ Dim int }

// Valid names the violated hypothesis.
func (s Triples) Valid() error {
	return theory.Require(s.Dim >= 3 && s.Dim%2 != 0, "emergence: D is odd and at least 3")
}

// single returns c = binom(D−1, (D−1)/2)/2^(D−1), nil outside the hypotheses.
func (s Triples) single() *big.Rat {
	if s.Valid() != nil {
		return nil
	}
	n := int64(s.Dim - 1)
	return new(big.Rat).SetFrac(new(big.Int).Binomial(n, n/2), new(big.Int).Lsh(big.NewInt(1), uint(n)))
}

// Agreement returns Pr[y = sign e₁] for the majority or the parity of the three bits, nil outside the hypotheses.
func (s Triples) Agreement(majority bool) *big.Rat {
	c := s.single()
	if c == nil {
		return nil
	}
	share := big.NewRat(-1, 2*int64(s.Dim-2))
	if majority { // (3 + 1/(D−2))/4
		share = big.NewRat(3*int64(s.Dim-2)+1, 4*int64(s.Dim-2))
	}
	return c.Add(c.Mul(c, share), big.NewRat(1, 2))
}

// Tolerance returns the upper limit of τ, min(1/16, (3/8)c(D−1)/(D−2)), nil outside the hypotheses.
func (s Triples) Tolerance() *big.Rat {
	c := s.single()
	if c == nil {
		return nil
	}
	c.Mul(c, big.NewRat(3*int64(s.Dim-1), 8*int64(s.Dim-2)))
	if sixteenth := big.NewRat(1, 16); sixteenth.Cmp(c) < 0 {
		return sixteenth
	}
	return c
}

// ParityError returns 1/2 − E|e₃|/(2C), nil outside the hypotheses.
func (s Triples) ParityError() *big.Rat {
	if s.Valid() != nil {
		return nil
	}
	correlation := VoteCorrelation(s.Dim, 3)
	correlation.Mul(correlation, big.NewRat(-1, 2))
	return correlation.Add(correlation, big.NewRat(1, 2))
}
