package latent

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Elimination is the claim latent/elimination: the number of targets that one query can rule out.
var Elimination = theory.Statement{
	Slug:  "latent/elimination",
	Title: "Targets that one correlational query can rule out",
	Plain: "One correlational query can rule out only few targets of a family whose members are nearly " +
		"uncorrelated.",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "A family of unit vectors f₁, …, f_N of a Hilbert space, here targets with E f² = 1, with ⟨fᵢ, fⱼ⟩ ≤ ε " +
		"for i ≠ j, where 0 ≤ ε < 1; a query h with ‖h‖ ≤ 1; a tolerance τ > 0 with τ² > ε. An oracle that may err " +
		"by τ can answer 0 to the query unless the target is in A = {i: ⟨fᵢ, h⟩ ≥ τ}, or in the same set for −h.",
	Params: []theory.Param{
		{Name: "epsilon", Symbol: "ε", Meaning: "largest correlation within the family",
			Domain: theory.Between(0, 0.99), Default: "0.01"},
		{Name: "tau", Symbol: "τ", Meaning: "tolerance of the oracle", Domain: theory.Inside(0, 1), Default: "0.2"},
		{Name: "d", Symbol: "d", Meaning: "dimension, for the tolerance needed for success",
			Domain: theory.IntegerBetween(2, 1e9), Default: "10000"},
		{Name: "p", Symbol: "p", Meaning: "degree, for the tolerance needed for success",
			Domain: theory.IntegerBetween(1, 30), Default: "2"},
	},
	Claim: "|A|(τ² − ε) ≤ 1 − ε. Equality holds when all ⟨fᵢ, fⱼ⟩ are ε, h is the normalised sum of |A| members, and " +
		"τ is their correlation with it. Consequence: with the ⌊e^(dε²/4)⌋ directions of latent/caps and ε^p for ε, " +
		"q ≥ 1 queries determine a target He_p(u·x)/√p! only if τ² ≤ min_ε 4q e^(−dε²/4) + ε^p.",
	TeX: `\#\{i : \langle f_i, h\rangle \ge \tau\} \le \frac{1-\varepsilon}{\tau^2-\varepsilon}`,
	Assumptions: []theory.Assumption{
		{ID: "unit-query", Text: "‖h‖ ≤ 1"},
		{ID: "correlation", Text: "no two members of the family have a correlation above ε"},
		{ID: "unit", Text: "‖fᵢ‖ = 1"},
		{ID: "tolerance", Text: "τ > √ε", NoControl: "for τ² ≤ ε the claim |A|(τ²−ε) ≤ 1−ε is trivial and gives no bound"},
	},
	Source: paper.At("Lemma 5 and its proof"),
	Deviations: "The source bounds |⟨fᵢ, fⱼ⟩|; one sign of the query only needs the upper bound. The source does not " +
		"state ‖h‖ ≤ 1. The explicit tolerance is derived here with the constant of latent/caps.",
	Proof: "|A|τ ≤ ⟨Σ_A fᵢ, h⟩ ≤ ‖Σ_A fᵢ‖ ≤ √(|A| + |A|(|A|−1)ε). Square and divide by |A|. Consequence: q queries " +
		"with both signs rule out at most 2q/(τ²−ε^p) of at least ½e^(dε²/4) targets.",
	Tolerance: "Vectors have length 1 up to (D/2+3)u, and inner products err by Du, so a count times squared " +
		"correlations errs by N(5D+22)u.",
	Limits: "Families of at most 60 vectors. Nothing is said about learners whose queries see y² or single samples, or " +
		"about how a learner uses the answers.",
	Readings: []theory.Reading{{
		ID:             "any-query",
		Reading:        "The lemma holds for every query h.",
		Locus:          "Lemma 5, which does not normalise the query",
		Correct:        "It needs ‖h‖ ≤ 1. Scaling up a query makes every tolerance harmless.",
		Counterexample: "Two orthonormal f, h = 2(f₁+f₂)/√2, τ = 1.4: both correlations are √2, |A|τ² = 3.9 exceeds 1.",
	}},
	RestsOn: []string{"latent/correlation", "latent/caps"},
	Predict: predictElimination,
	Violated: func(v theory.Values) error {
		return Query{Epsilon: v.Float("epsilon"), Tau: v.Float("tau")}.Valid()
	},
}

func predictElimination(v theory.Values) []theory.Quantity {
	q := Query{Epsilon: v.Float("epsilon"), Tau: v.Float("tau")}
	d, p := v.Float("d"), v.Int("p")
	return []theory.Quantity{
		{Name: "count", Symbol: "|A| ≤", Value: q.Bound(),
			Meaning: "targets that one query can rule out with one sign", Bound: "≤"},
		{Name: "tolerance", Symbol: "τ ≤", Value: SuccessTolerance(d*d, d, p),
			Meaning: "tolerance needed for success with d² queries", Bound: "≤"},
		{Name: "printed", Symbol: "log^(p/4)(qd)/d^(p/4)", Value: math.Pow(math.Log(d*d*d)/d, float64(p)/4),
			Meaning: "printed value of that tolerance, without the constant"},
	}
}

// Query holds the tolerance of an oracle and the correlation within the family.
type Query struct{ Epsilon, Tau float64 }

// Valid names the violated hypothesis.
func (q Query) Valid() error {
	switch {
	case !(q.Epsilon >= 0 && q.Epsilon < 1):
		return errors.New("latent: need 0 ≤ ε < 1")
	case !(q.Tau > 0 && q.Tau*q.Tau > q.Epsilon*(1+0x1p-51)): // 0.2² is 0.04 up to rounding
		return errors.New("latent: need τ > 0 and τ² > ε")
	}
	return nil
}

// Bound returns (1−ε)/(τ²−ε), and NaN outside the hypotheses.
func (q Query) Bound() float64 {
	return theory.When(q.Valid() == nil, (1-q.Epsilon)/(q.Tau*q.Tau-q.Epsilon))
}

// SuccessTolerance returns √(min_ε 4q e^(−dε²/4) + ε^p), above which q ≥ 1 queries do not suffice; a value of 1 or more
// is vacuous. The minimum is taken over s = dε²/4 by golden-section search on [0, d/4]: except for an initial part
// where it is above 4q, the function falls until the second term dominates.
func SuccessTolerance(queries, d float64, p int) float64 {
	square := func(s float64) float64 {
		return 4*queries*math.Exp(-s) + math.Pow(4*s/d, float64(p)/2)
	}
	lo, hi, golden := 0.0, d/4, (math.Sqrt(5)-1)/2
	for range 200 {
		a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
		if square(a) < square(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return math.Sqrt(square((lo + hi) / 2))
}
