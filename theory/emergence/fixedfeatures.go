package emergence

import (
	"cmp"
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// FixedFeatures is the claim emergence/fixedfeatures: Theorem 2 in a form that is true, with constants.
var FixedFeatures = theory.Statement{
	Slug:  "emergence/fixedfeatures",
	Title: "Few fixed features of small norm leave a loss near 1 − 2γ on some law of the family",
	Plain: "No small set of features fixed in advance, with bounded weights, beats a near-trivial hinge loss " +
		"for every choice of relevant bits.",
	Kind:     theory.Impossibility,
	Standing: theory.Derivation,
	Setting: "Parity of the k bits in A, k odd, under the law D_A(λ): bits outside A independent, one with " +
		"probability p_o; the bits on A uniform with probability λ, and otherwise all equal, 0 or 1 with equal " +
		"chances; γ = (1−λ)/2 for k > 1, 1/2 for k = 1. Ψ maps inputs to [−1, 1]^N and is chosen before A; h = ⟨Ψ, " +
		"w⟩ with ‖w‖ ≤ B; hinge loss E max(0, 1 − y h). C = binom(D, k).",
	Params: []theory.Param{
		hiddenBits(1, 1000, "8"), relevantBits(1, 99, "3"),
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
			Domain: theory.Between(0.01, 0.5), Default: "0.5"},
		{Name: "uniform", Symbol: "λ", Meaning: "share of the inputs whose bits on A are uniform, 1 − 2γ",
			Domain: theory.Between(0, 1), Default: "0.5"},
		{Name: "N", Symbol: "N", Meaning: "number of features", Domain: theory.IntegerBetween(1, 1e9), Default: "40"},
		{Name: "B", Symbol: "B", Meaning: "largest norm of w", Domain: theory.AtLeast(0), Default: "1"},
	},
	Claim: "The average over all A of the smallest loss is at least λ(1 − B√(N/(C(4p_o(1−p_o))^k))), so some A has at " +
		"least this loss. The reason is that Σ_A E_A[yΨᵢ]² ≤ (4p_o(1−p_o))^(−k) for every feature, where E_A is the mean " +
		"over the part with uniform bits on A; with equality at p_o = 1/2 when the feature is a parity of k bits. For " +
		"every law of the source's family, with B ≥ 1 and the features zⱼ = 2φ̃ⱼ − 1, the predictor h = zᵢ with i ∈ A has " +
		"exactly the loss 1 − 2γ.",
	TeX: `\frac{1}{C} \sum_A \min_{\lVert w \rVert \le B} L_{D_A(\lambda)}(\langle \Psi, w \rangle) \ge \lambda ` +
		`\left( 1 - B ` +
		`\sqrt{\frac{N}{C \, (4 p_o (1-p_o))^k}} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "fixed", Text: "the features do not depend on A"},
		{ID: "bounded", Text: "every feature lies in [−1, 1]"},
		{ID: "odd", Text: "k is odd: for even k the equal bits have one label and γ = 0"},
		{ID: "norm", Text: "‖w‖ ≤ B"},
		{ID: "independent-background",
			Text: "the bits outside A are independent of those on A, each a one with probability p_o"},
	},
	Source: paper.At("Theorem 2"),
	Deviations: "The source claims, for 3 < k ≤ D/16 and k odd, that some law of the family has loss at least p_o(1 − " +
		"√(2N)B/2^k); as hypotheses it names neither γ nor a lower bound on p_o. Here λ = 1 − 2γ replaces p_o, and no k ≤ " +
		"D/16 is needed. The hard law is the source's mixture at p_o = 1/2. The slides' √(2NB) is taken for √(2N)B.",
	Proof: "On the uniform part the loss is at least 1 − E[y h] ≥ 1 − B‖v_A‖, v_A = E_A[yΨ]. Relative to independent " +
		"bits of probability p_o, y times the density of that part is f_A = Π_{j∈A}u(φ̃ⱼ) with u(1) = 1/(2p_o), u(0) " +
		"= −1/(2(1−p_o)): E u = 0 and E u² = 1/(4p_o(1−p_o)), so the f_A are orthogonal with that squared norm to " +
		"the power k, and Bessel's inequality bounds Σ_A v_{A,i}². Cauchy–Schwarz over A and Jensen finish. As |z| = " +
		"1, the hinge of zᵢ is 1 − y zᵢ, and E[y zᵢ] = 2γ.",
	Tolerance: "A mean over 2^D inputs errs by δ = (2^D + 4D + 20)u, as probabilities add up to 1 and |Ψ| ≤ 1; the sum " +
		"Σ of the squares of C means by 2√(CΣ)δ + 2Cδ, and the bound by a relative 4ku; at p_o = 1/2 parities are summed " +
		"exactly. The predictor found belongs to the class, so the claim is compared with its loss directly; a certificate " +
		"shows that this loss is within 10⁻² of the minimum.",
	Limits: "All A, all inputs and several kinds of features: D ≤ 9 for the sums over A, D ≤ 6 for the smallest losses, " +
		"8 bits for other laws of the family. The bound is on the hinge loss: the accuracy of fixed features can still be " +
		"high.",
	Readings: []theory.Reading{
		{
			ID: "anygamma",
			Reading: "For every γ there is a law of F_Ξ on which every h in H_B has loss at least p_o(1 − " +
				"√(2N)B/2^k).",
			Locus: "Theorem 2, where Ξ contains γ and γ is not restricted",
			Correct: "the loss of h = zᵢ is 1 − 2γ on every law of the family, so γ < (1 − p_o(1 − " +
				"√(2D)/2^k))/2 is needed",
			Counterexample: "k = 7, D = 112, p_o = 1/2, γ = 2/5: h = zᵢ with N = D, B = 1 has loss 1/5, and the " +
				"bound is 0.4415",
		},
		{
			ID:      "smallbackground",
			Reading: "On the mixture with λ = p_o the loss is at least p_o(1 − √(2N)B/2^k) for every p_o in (0, 1/2].",
			Locus:   "Theorem 2 with the hard law of its discussion, where p_o is not bounded from below",
			Correct: "C(4p_o(1−p_o))^k takes the place of C: for p_o of a smaller order than k/D one feature can account for " +
				"the stray ones outside A",
			Counterexample: "k = 5, D = 80, p_o = 10⁻⁵: one feature of the total count, +1 for odd and −1 for even " +
				"counts except −1 at 1 and +1 at k + 1, has loss 0.3137p_o with B = 1; the bound is 0.9558p_o",
		},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		f := Fixed{mixtureOf(v), v.Int("N"), v.Float("B")}
		return []theory.Quantity{
			{Name: "bound", Symbol: "λ(1 − B√(N/…))", Value: f.Bound(),
				Meaning: "the average over A of the smallest loss is at least this", Bound: "≥", Nonnegative: true},
			{Name: "printed", Symbol: "p_o(1 − √(2N)B/2^k)", Value: f.Printed(), Meaning: "the source's bound"},
			{Name: "cap", Symbol: "√(N/…)", Value: f.Cap(), Meaning: "the mean over A of ‖E_A[yΨ]‖ is at most this",
				Bound: "≤"},
			{Name: "coordinate", Symbol: "1 − 2γ", Value: 1 - 2*f.Law.Covariance(), Meaning: "loss of h = zᵢ, i ∈ A"},
		}
	},
	Violated: func(v theory.Values) error { return mixtureOf(v).Valid() },
	RestsOn:  []string{"emergence/inputs"},
}

// Fixed describes a class of predictors on fixed features, and the law.
type Fixed struct {
	Law      Mixture
	Features int     // N
	Radius   float64 // B
}

// Valid names the violated hypothesis.
func (f Fixed) Valid() error {
	return cmp.Or(
		f.Law.Valid(),
		theory.Require(f.Features >= 1 && f.Radius >= 0, "emergence: there is at least one feature, and B ≥ 0"),
	)
}

// Cap returns √(N/(C(4p_o(1−p_o))^k)), NaN outside the hypotheses.
func (f Fixed) Cap() float64 {
	if f.Valid() != nil {
		return math.NaN()
	}
	p, c := f.Law.Background, Binomial(f.Law.Dim, f.Law.Count)
	shrunk := math.Exp(-(math.Log(c) + float64(f.Law.Count)*math.Log(4*p*(1-p))) / 2) // the power alone can overflow
	return math.Sqrt(float64(f.Features)) * shrunk
}

// Bound returns λ(1 − B√(N/(C(4p_o(1−p_o))^k))). It is −∞ if the value is out of range.
func (f Fixed) Bound() float64 {
	if f.Valid() == nil && (f.Radius == 0 || f.Law.Uniform == 0) {
		return f.Law.Uniform
	}
	return f.Law.Uniform * (1 - f.Radius*f.Cap())
}

// Printed returns p_o(1 − √(2N)B/2^k).
func (f Fixed) Printed() float64 {
	return f.Law.Background * (1 - math.Sqrt(2*float64(f.Features))*f.Radius/math.Exp2(float64(f.Law.Count)))
}

// BesselCap returns (4p(1−p))^(−k).
func BesselCap(k int, p float64) float64 { return math.Pow(4*p*(1-p), -float64(k)) }

// Binomial returns binom(n, k), rounded.
func Binomial(n, k int) float64 {
	f, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
	return f
}
