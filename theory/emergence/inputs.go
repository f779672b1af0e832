package emergence

import (
	"errors"
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// Inputs is the claim emergence/inputs: the family of input laws and their moments.
var Inputs = theory.Statement{
	Slug:  "emergence/inputs",
	Title: "A balanced count law has the covariance γ, and E[yx] is the effective feature",
	Plain: "For balanced labels that depend on a count of k hidden bits, the mean of label times input points " +
		"along exactly those bits.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Bits φ̃ ∈ {0,1}^D, A a set of k coordinates, S = Σ_{j∈A} φ̃ⱼ, P a nonempty subset of {1, …, k}. The " +
		"label y is ±1 with equal chances; S has law π₊ on P if y = 1, and π₋ on the other counts if y = −1; given " +
		"S, all patterns on A with that count are equally likely. The bits outside A are independent of all others, " +
		"1 with probability p_o ≤ 1/2. x = M(φ̃ − E φ̃)/σ̃ with orthonormal columns of M; zⱼ = 2φ̃ⱼ − 1.",
	Params: []theory.Param{
		hiddenBits(1, 1e9, "100"), relevantBits(1, 999, "5"), background, uniformOrEqual,
		{Name: "label", Symbol: "P", Meaning: "accepted counts: those above k/2, or the odd ones",
			Domain: theory.OneOf("majority", "parity"), Default: "parity"},
	},
	Claim: "The labels are balanced; every i ∈ A has the covariance γ = E[y φ̃ᵢ] − E[y]E[φ̃ᵢ] = (E[S | y=1] − E[S | " +
		"y=−1])/(2k), and every other coordinate has 0; $σ̃² = (D−k)p_o(1−p_o) + Σ_{i∈A} μᵢ(1−μᵢ)$ with μᵢ = E[S]/k, " +
		"and then E‖x‖² = 1; $E[yx] = (γ/σ̃) Σ_{j∈A} Mⱼ$; E[y zᵢ] = 2γ on A and 0 outside. For the majority of an odd " +
		"number k of independent fair bits γ = binom(k−1, (k−1)/2)/2^k; for parity with odd k > 1 on the law that " +
		"mixes uniform bits (λ) with equal bits (1−λ), γ = (1−λ)/2. If E[S | y=1] > E[S | y=−1], then 0 < γ ≤ 1/2.",
	TeX: `\tilde\sigma^2 = (D-k) p_o (1-p_o) + \sum_{i \in A} \mu_i (1-\mu_i), \quad ` +
		`E[y x] = \frac{\gamma}{\tilde\sigma} \sum_{j \in A} M_j, \quad ` +
		`\gamma = \frac{E[S \mid y=1] - E[S \mid y=-1]}{2k}`,
	Assumptions: []theory.Assumption{
		{ID: "balanced", Text: "Pr[y = 1] = 1/2 (the source's A0)"},
		{ID: "exchangeable", Text: "given the count, all patterns on A are equally likely; this is one way to " +
			"satisfy the source's A1, the same γ on all of A"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "alike-background", Text: "the bits outside A all have the probability p_o (A2)"},
		{ID: "accepted-above", Text: "the mean count is larger on the accepted side (for γ > 0)"},
		{ID: "orthonormal", Text: "the columns of M are orthonormal"},
	},
	Source: paper.At("section 3, definition of F_Ξ with (A0), (A1), (A2), and examples 1 and 2"),
	Deviations: "The source only asks that all bits on A have the same γ > 0; here they are exchangeable given the " +
		"count, which implies it. The source prints σ̃² without the expectation; it means the total variance, which is " +
		"used here.",
	Proof: "With balanced labels E[y φ̃ᵢ] − E[y]E[φ̃ᵢ] = ½(E[φ̃ᵢ | y=1] − E[φ̃ᵢ | y=−1]), and by exchangeability " +
		"E[φ̃ᵢ | y] = E[S | y]/k. A coordinate outside A is independent of y. E[y xᵀ] is M times the covariances " +
		"over σ̃, since E y = 0. For the majority, E[S | y=±1] differ by 2·k·binom(k−1, (k−1)/2)/2^k; for parity the " +
		"uniform part contributes nothing, as y is independent of any k−1 bits there, and on the rest y = zᵢ.",
	Tolerance: "With integer weights of the states everything is rational: the tolerance is 0. σ̃ and E[yx] are " +
		"compared as σ̃² and σ̃E[yx]. Through a dictionary in floating point, ‖E[yx] − (γ/σ̃)Σ_A Mⱼ‖ ≤ (N + 2D + " +
		"20)u·Σⱼ‖Mⱼ‖/σ̃ for a sum over N inputs whose entries are sums of D terms with |φⱼ| ≤ 1/σ̃; E‖x‖² may err " +
		"by 2D/σ̃ ≥ 2‖x‖ times that, and by 10(d + D)Du for columns of M that are orthonormal up to 10(d + D)u.",
	Limits: "Laws of at most 9 bits, all states listed. The source's families for incoherent dictionaries are in an " +
		"appendix that was not read.",
	Predict: func(v theory.Values) []theory.Quantity {
		f := exampleOf(v)
		gamma, sigma := f.Covariance(), f.Mixture.Deviation()
		return []theory.Quantity{
			{Name: "sigma", Symbol: "σ̃", Value: sigma, Meaning: "square root of the total variance"},
			{Name: "gamma", Symbol: "γ", Value: gamma, Meaning: "covariance of label and relevant bit"},
			{Name: "coordinate", Symbol: "γ/σ̃", Value: gamma / sigma, Meaning: "coefficient of E[yx] on Mⱼ, j ∈ A"},
			{Name: "correlation", Symbol: "E[y zᵢ]", Value: 2 * gamma,
				Meaning: "correlation of label and relevant sign"},
			{Name: "norm2", Symbol: "E‖x‖²", Value: 1, Meaning: "mean squared norm of an input"},
		}
	},
	Violated: func(v theory.Values) error { return exampleOf(v).Mixture.Valid() },
}

// exampleOf returns the example for a user's parameters.
func exampleOf(v theory.Values) Example {
	return Example{mixtureOf(v), v.Choice("label") == "majority"}
}

// Example is one of the source's two label functions on its mixture law.
type Example struct {
	Mixture  Mixture
	Majority bool // y = 1 if more than half of the bits on A are one; otherwise if an odd number is
}

// Covariance returns γ: λ·binom(k−1, (k−1)/2)/2^k + (1−λ)/2 for the majority, (1−λ)/2 for parity, and 1/2 for k = 1.
func (e Example) Covariance() float64 {
	m := e.Mixture
	if m.Valid() != nil || !e.Majority {
		return m.Covariance()
	}
	return m.Uniform*MajorityCovariance(m.Count) + (1-m.Uniform)/2
}

// MajorityCovariance returns binom(k−1, (k−1)/2)/2^k for odd k, γ of the majority of k fair bits. It is NaN for other
// k.
func MajorityCovariance(k int) float64 {
	if k < 1 || k%2 == 0 {
		return math.NaN()
	}
	binomial := new(big.Int).Binomial(int64(k-1), int64((k-1)/2))
	f, _ := new(big.Rat).SetFrac(binomial, new(big.Int).Lsh(big.NewInt(1), uint(k))).Float64()
	return f
}

// Conditional holds the laws of the count S given the label.
type Conditional struct {
	Plus, Minus []*big.Rat // Pr[S = s | y = ±1], s = 0, …, k; nowhere both positive
}

// Valid names the violated hypothesis.
func (c Conditional) Valid() error {
	if len(c.Plus) < 2 || len(c.Minus) != len(c.Plus) {
		return errors.New("emergence: the counts are 0, …, k with k ≥ 1, and both laws give each a probability")
	}
	plus, minus := new(big.Rat), new(big.Rat)
	for s, p := range c.Plus {
		q := c.Minus[s]
		if p.Sign() < 0 || q.Sign() < 0 || p.Sign() > 0 && q.Sign() > 0 {
			return errors.New("emergence: a count has a negative probability, or both labels")
		}
		plus.Add(plus, p)
		minus.Add(minus, q)
	}
	if one := big.NewRat(1, 1); plus.Cmp(one) != 0 || minus.Cmp(one) != 0 {
		return errors.New("emergence: the probabilities of the counts do not add up to 1")
	}
	if c.Plus[0].Sign() > 0 {
		return errors.New("emergence: the count 0 is never accepted")
	}
	return nil
}

// Covariance returns γ = (E[S | y=1] − E[S | y=−1])/(2k), nil outside the hypotheses.
func (c Conditional) Covariance() *big.Rat {
	if c.Valid() != nil {
		return nil
	}
	gap := new(big.Rat).Sub(meanOf(c.Plus), meanOf(c.Minus))
	return gap.Mul(gap, big.NewRat(1, 2*int64(len(c.Plus)-1)))
}

// Variance returns σ̃² = (D−k)p_o(1−p_o) + k μ(1−μ), nil outside the hypotheses.
func (c Conditional) Variance(dim int, background *big.Rat) *big.Rat {
	k := len(c.Plus) - 1
	if c.Valid() != nil || dim < k || background == nil || background.Sign() < 0 ||
		background.Cmp(big.NewRat(1, 2)) > 0 {
		return nil
	}
	mean := new(big.Rat).Add(meanOf(c.Plus), meanOf(c.Minus))
	mean.Mul(mean, big.NewRat(1, 2*int64(k)))
	on := new(big.Rat).Mul(big.NewRat(int64(k), 1), spread(mean))
	return on.Add(on, new(big.Rat).Mul(big.NewRat(int64(dim-k), 1), spread(background)))
}

// meanOf returns Σ s·p(s).
func meanOf(law []*big.Rat) *big.Rat {
	mean := new(big.Rat)
	for s, p := range law {
		mean.Add(mean, new(big.Rat).Mul(p, big.NewRat(int64(s), 1)))
	}
	return mean
}

// spread returns p(1−p), the variance of a bit.
func spread(p *big.Rat) *big.Rat {
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	return q.Mul(q, p)
}
