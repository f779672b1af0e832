package emergence

import (
	"cmp"
	"errors"
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// HalfIdentity is the claim emergence/halfidentity.
var HalfIdentity = theory.Statement{
	Slug:  "emergence/halfidentity",
	Title: "Without bias and noise the first gradient is exactly half the effective feature",
	Plain: "Without bias and noise, the first gradient points exactly along the relevant bits, as long as no " +
		"pre-activation vanishes or saturates.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "x = M (φ̃ − E φ̃)/σ̃ with bits φ̃ ∈ {0,1}^D; y = ±1 by the count on A, |A| = k; g(x) = Σᵢ aᵢ " +
		"σ(⟨wᵢ,x⟩ + bᵢ) with σ(z) = min(1, max(z, 0)), without injected noise; hinge loss E max(0, 1 − y g(x)) " +
		"over the exact law of x; zᵢ = ⟨wᵢ,x⟩ + bᵢ = Σⱼ φⱼqⱼ + bᵢ, qⱼ = ⟨Mⱼ,wᵢ⟩; ∂L/∂wᵢ = −aᵢ E[y 1{y g < 1} 1{0 < " +
		"zᵢ < 1} x] = −aᵢ Σⱼ Tⱼ Mⱼ. γ = E[y φ̃ⱼ] − E[y]E[φ̃ⱼ] for j ∈ A.",
	Params: []theory.Param{
		hiddenBits(1, 1e9, "12"), relevantBits(1, 1e9, "5"),
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A; the identity needs 1/2",
			Domain: upToHalf, Default: "0.5"},
		uniformOrEqual,
		{Name: "gamma", Symbol: "γ", Meaning: "covariance of label and relevant bit, E[y φ̃ⱼ] − E[y]E[φ̃ⱼ]"},
		{Name: "sigma", Symbol: "σ̃", Meaning: "square root of the total variance of φ̃"},
		{Name: "T", Symbol: "T", Meaning: "gradient along the dictionary, per −aᵢ", Shape: "D"},
		{Name: "q", Symbol: "q", Meaning: "weights along the dictionary, ⟨Mⱼ,wᵢ⟩", Shape: "D"},
		{Name: "X", Symbol: "x", Meaning: "all inputs, one per row", Shape: "N×d"},
		{Name: "y", Symbol: "y", Meaning: "their labels", Shape: "N"},
		{Name: "prob", Symbol: "Pr[x]", Meaning: "their probabilities", Shape: "N"},
		{Name: "M", Symbol: "M", Meaning: "dictionary, columns Mⱼ", Shape: "d×D"},
		{Name: "relevant", Symbol: "1_A", Meaning: "1 for the coordinates in A, 0 for the others", Shape: "D"},
		{Name: "w", Symbol: "wᵢ", Meaning: "input weights of one neuron", Shape: "d"},
		{Name: "a", Symbol: "aᵢ", Meaning: "its output weight"},
		{Name: "gradient", Symbol: "∂L/∂wᵢ", Meaning: "gradient of the loss in its input weights", Shape: "d"},
	},
	Claim: "Tⱼ = γ/(2σ̃) for j ∈ A and Tⱼ = 0 for j ∉ A, for all weights q whose pre-activations stay inside 0 < |z| < " +
		"1; for all other weights Tⱼ differs from these values by at most Pr[z = 0 or |z| ≥ 1]/(4σ̃), with equality on A " +
		"when γ = 1/2.",
	TeX: `T_j = \begin{cases} \frac{\gamma}{2 \tilde\sigma} & j \in A \\ 0 & j \notin A \end{cases}, \quad ` +
		`\frac{\partial L}{\partial w_i} = - a_i \sum_{j=1}^{D} T_j M_j`,
	Assumptions: []theory.Assumption{
		{ID: "fair-background", Text: "the bits outside A are 0 or 1 with probability 1/2"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others"},
		{ID: "symmetric-law", Text: "the law of the bits on A does not change under complement"},
		{ID: "odd-label", Text: "complementing the bits flips the label: k is odd and exactly one of s, k − s is in P"},
		{ID: "equal-covariance", Text: "all bits on A have the same covariance γ with the label"},
		{ID: "no-bias", Text: "b = 0"},
		{ID: "unsaturated", Text: "no pre-activation reaches 1"},
		{ID: "no-tie", Text: "no pre-activation is exactly 0"},
		{ID: "paired",
			Text: "the network is 0 before the step, because each neuron has a mirror neuron with the opposite " +
				"output weight"},
	},
	Source: paper.At("Lemma 5"),
	Deviations: "This is a special case of Lemma 5 to which the lemma's own random initialisation gives probability " +
		"zero. In the lemma the biases are Gaussian, here they are 0; its gate is smoothed by Gaussian noise of standard " +
		"deviation below 1/k, here there is no noise; and it allows p_o ≤ 1/2 and laws without symmetry. In the lemma Tⱼ = " +
		"βγ/σ̃ up to a remainder with β in [Ω(1), 1]; here β = 1/2 and the remainder vanishes. The columns of M need not " +
		"be orthonormal. The source's parity example has odd k and 0 ∉ P; the symmetry of the label needs both.",
	Proof: "Taking the complement of all bits turns φ into −φ, y into −y and z into −z, and leaves the law unchanged; y " +
		"φⱼ stays the same, and the gates of z and −z add up to 1 as long as 0 < |z| < 1. Hence 2Tⱼ = E[y φⱼ], which is " +
		"γ/σ̃ on A, and 0 outside because those bits are independent of the label. In general 2Tⱼ = E[y φⱼ 1{0 < |z| < " +
		"1}], and |φⱼ| = 1/(2σ̃), which bounds the difference; on A yφⱼ = 1/(2σ̃) throughout when γ = 1/2.",
	Tolerance: "With rational probabilities and weights the tolerance is 0. In floating point with N inputs of " +
		"dimension d the entries of x err by (D+6)u relative to ‖x‖₊ = Σⱼ‖Mⱼ‖|φⱼ|, the sum over the inputs adds N " +
		"roundings, the products of a term six, and the claimed vector, of size γ‖x‖₊ ≤ ½‖x‖₊, has k+6 of its own: " +
		"|error of ∂L/∂w| ≤ (N+2D+20)·u·|a|·‖x‖₊. A pre-activation within its own rounding error " +
		"(d+2D+10)·u·‖w‖‖x‖₊ of a kink may fall on either side, so Pr[such x]·|a|·‖x‖₊ is added.",
	Limits: "A special case of Lemma 5 with probability zero, not the lemma itself: it is exact only for a fair " +
		"background, an odd label, no bias, no noise and weights that do not saturate. Beyond that only the effect of " +
		"saturation is claimed, and not the effect of biases and noise. Laws of at most 9 hidden bits.",
	Readings: []theory.Reading{
		{
			ID: "indicator",
			Reading: "∂L/∂wᵢ = −aᵢ E[y σ′(⟨wᵢ,x⟩ + bᵢ) x] is the gradient of any network, without an " +
				"indicator of the hinge.",
			Locus: "slides, the gradient in wᵢ (unnumbered), which has no indicator",
			Correct: "∂L/∂wᵢ = −aᵢ E[y 1{y g(x) < 1} σ′(⟨wᵢ,x⟩ + bᵢ) x]; the indicator is 1 where the " +
				"paired network is 0, as on the slides",
			Counterexample: "one bit, x = y = ±1 with probability 1/2, a single neuron with w = 1/2 and a = 4: at x = 1 the " +
				"margin is 2, so the gradient is 0; without the indicator it is −2",
		},
		{
			ID:      "scale",
			Reading: "Tⱼ on A is of the order of γ whatever D is.",
			Locus:   "slides, Lemmas 5 and 6, Tⱼ ~ O(γ) read as an order and not as a bound; the paper has βγ/σ̃",
			Correct: "Tⱼ = βγ/σ̃, here with β = 1/2: at fixed γ it falls like D^(−1/2)",
			Counterexample: "k = 3, λ = 1/2, any weights of the identity: γ = 1/4 for every D, while Tⱼ = γ/√D is " +
				"1/8 at D = 4 and 1/12 at D = 9",
		},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		m := mixtureOf(v)
		return []theory.Quantity{
			{Name: "sigma", Symbol: "σ̃", Value: m.Deviation(), Meaning: "square root of the total variance"},
			{Name: "gamma", Symbol: "γ", Value: m.Covariance(), Meaning: "covariance of parity label and relevant bit"},
			{Name: "level", Symbol: "γ/(2σ̃)", Value: m.Level(), Meaning: "T on A"},
			{Name: "outside", Symbol: "0", Value: 0 * m.Level(), Meaning: "T outside A"},
		}
	},
	Violated: func(v theory.Values) error {
		m := mixtureOf(v)
		return cmp.Or(m.Valid(), theory.Require(m.Background == 0.5, "emergence: p_o = 1/2: the bits outside A are fair"))
	},
}

// mixtureOf returns the law for a user's parameters.
func mixtureOf(v theory.Values) Mixture {
	return Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: v.Float("background"), Uniform: v.Float("uniform")}
}

// relevantOf returns the law of the bits on A alone.
func relevantOf(v theory.Values) Mixture {
	return Mixture{Dim: v.Int("k"), Count: v.Int("k"), Background: 0.5, Uniform: v.Float("uniform")}
}

func ptr(x float64) *float64 { return &x }

// Counts is the law of the number S of ones on A, with the labels of its values.
type Counts struct {
	Probability []*big.Rat // of S = 0, …, k
	Accept      []bool     // y = +1 at the counts that are in P
}

// Covariance returns γ = (E[yS] − E[y]E[S])/k, the covariance of the label with one bit, when it is the same for all
// bits on A. It is nil when the probabilities are not those of a law on 0, …, k with k ≥ 1.
func (c Counts) Covariance() *big.Rat {
	if c.Valid() != nil {
		return nil
	}
	var y, s, ys big.Rat
	for count, p := range c.Probability {
		weighted := new(big.Rat).Mul(p, big.NewRat(int64(count), 1))
		s.Add(&s, weighted)
		if c.Accept[count] {
			y.Add(&y, p)
			ys.Add(&ys, weighted)
		} else {
			y.Sub(&y, p)
			ys.Sub(&ys, weighted)
		}
	}
	ys.Sub(&ys, y.Mul(&y, &s))
	return ys.Mul(&ys, big.NewRat(1, int64(len(c.Probability)-1)))
}

// Valid names the violated hypothesis.
func (c Counts) Valid() error {
	if len(c.Probability) < 2 || len(c.Accept) != len(c.Probability) {
		return errors.New("emergence: the counts are 0, …, k with k ≥ 1, and each has a probability and a label")
	}
	total := new(big.Rat)
	for _, p := range c.Probability {
		if p.Sign() < 0 {
			return errors.New("emergence: a probability is negative")
		}
		total.Add(total, p)
	}
	if total.Cmp(big.NewRat(1, 1)) != 0 {
		return errors.New("emergence: the probabilities of the counts do not add up to 1")
	}
	return nil
}

// HalfLevel returns γ/2, the value of σ̃Tⱼ on A, without rounding. It is nil when γ is.
func HalfLevel(gamma *big.Rat) *big.Rat {
	if gamma == nil {
		return nil
	}
	return new(big.Rat).Mul(gamma, big.NewRat(1, 2))
}

// Feature describes the effective feature Σ_{j∈A} Mⱼ in the first gradient.
type Feature struct {
	Covariance float64 // γ
	Deviation  float64 // σ̃
}

// Level returns γ/(2σ̃), the value of Tⱼ on A. It is NaN unless |γ| ≤ 1/2 and σ̃ > 0.
func (f Feature) Level() float64 {
	return theory.When(math.Abs(f.Covariance) <= 0.5 && f.Deviation > 0, f.Covariance/(2*f.Deviation))
}

// Departure returns the largest difference of Tⱼ from its level when a share of the inputs has a pre-activation with z
// = 0 or |z| ≥ 1: share/(4σ̃). It is NaN unless the share is a probability and σ̃ > 0.
func (f Feature) Departure(share float64) float64 {
	return theory.When(share >= 0 && share <= 1 && f.Deviation > 0, share/(4*f.Deviation))
}

// Mixture is the law of the source's hard distribution. The bits outside A are independent, one with probability
// Background. On A, with probability Uniform the bits are uniform, otherwise they are all equal, to 0 or to 1 with
// equal chances. The label is the parity of the count.
type Mixture struct {
	Dim, Count          int     // D, k
	Background, Uniform float64 // p_o, λ
}

// Valid names the violated hypothesis.
func (m Mixture) Valid() error {
	return cmp.Or(
		theory.Require(m.Count >= 1 && m.Dim >= m.Count, "emergence: 1 ≤ k ≤ D"),
		theory.Require(m.Count%2 != 0, "emergence: k is odd"),
		theory.Require(m.Background > 0 && m.Background <= 0.5, "emergence: p_o is in (0, 1/2]"),
		theory.Require(m.Uniform >= 0 && m.Uniform <= 1, "emergence: λ is in [0, 1]"),
	)
}

// Deviation returns σ̃ = √((D−k)p_o(1−p_o) + k/4); every bit on A is fair.
func (m Mixture) Deviation() float64 {
	return theory.When(m.Valid() == nil,
		math.Sqrt(float64(m.Dim-m.Count)*m.Background*(1-m.Background)+float64(m.Count)/4))
}

// Covariance returns γ. On the uniform part the parity is independent of each bit when k > 1 and equal to the bit when
// k = 1; on the other part it is the common bit: γ = (1−λ)/2, and 1/2 for k = 1.
func (m Mixture) Covariance() float64 {
	switch {
	case m.Valid() != nil:
		return math.NaN()
	case m.Count == 1:
		return 0.5
	}
	return (1 - m.Uniform) / 2
}

// Level returns γ/(2σ̃), the value of Tⱼ on A. It is NaN unless p_o = 1/2.
func (m Mixture) Level() float64 {
	return theory.When(m.Background == 0.5, Feature{m.Covariance(), m.Deviation()}.Level())
}
