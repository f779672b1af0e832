package emergence

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// SecondStep is the claim emergence/secondstep: Lemma 6 with its leading terms and explicit remainders.
var SecondStep = theory.Statement{
	Slug:  "emergence/secondstep",
	Title: "The second gradient: ψ(b)γ/σ̃ on A, and of second order in the first step outside",
	Plain: "To leading order, the second gradient points along the relevant bits; outside them it is of second " +
		"order in the first step size.",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting: "The laws of emergence/inputs, y balanced and the bits on A exchangeable given their count. A paired " +
		"network of 2m neurons takes a step of size η₁ on the population hinge loss with injected noise and λ_w = " +
		"1/(2η₁), which forgets its weights; q = Mᵀw and b are a neuron's weights and bias after it. Tⱼ = E[y φⱼ " +
		"ψ(Σφ_lq_l + b)]: its next gradient is −aΣⱼTⱼMⱼ. ψ(z) = Φ((1−z)/s) − Φ(−z/s) is the gate under Gaussian " +
		"noise of standard deviation s > 0.",
	Params: []theory.Param{
		hiddenBits(1, 1e9, "12"), relevantBits(1, 1e9, "3"),
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
			Domain: upToHalf, Default: "0.3"},
		uniformOrEqual,
		{Name: "bias", Symbol: "b", Meaning: "bias of the neuron before the second step", Domain: theory.Real(),
			Default: "0.05"},
		{Name: "noise", Symbol: "s", Meaning: "standard deviation of the injected noise", Domain: theory.Above(0),
			Default: "0.19245008972987526"},
	},
	Claim: "If y g < 1 on every input after the first step, with g averaged over its noise, then with u = Σφ_lq_l: Tⱼ = " +
		"ψ(b)γ/σ̃ + ψ′(b)((1−2μ)(γ/σ̃²)qⱼ + c Σ_{l∈A, l≠j} q_l) + R for j ∈ A, |R| ≤ ½ sup|ψ″|·E[|φⱼ|u²], where c = " +
		"E[yφᵢφⱼ] vanishes on laws that do not change when the bits are complemented and y is flipped; Tⱼ = " +
		"ψ″(b)σ_φ²qⱼ(γ/σ̃)Σ_{l∈A}q_l + R for j ∉ A, |R| ≤ (1/6) sup|ψ‴|·E[|φⱼ||u|³]. As q is proportional to η₁, T outside " +
		"A is of the order η₁². Without noise a neuron with b < 0 and b + u < 0 on all inputs has T = 0, and one with 0 < " +
		"b + u < 1 on all inputs has T = γ/σ̃ on A and 0 outside.",
	TeX: `T_j = \psi(b) \frac{\gamma}{\tilde\sigma} + O(\eta_1) \;(j \in A), \qquad T_j = \psi''(b)\, ` +
		`\sigma_\phi^2\, q_j ` +
		`\frac{\gamma}{\tilde\sigma} \sum_{l \in A} q_l + O(\eta_1^3) \;(j \notin A)`,
	Assumptions: []theory.Assumption{
		{ID: "balanced", Text: "Pr[y = 1] = 1/2 (A0)"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "small-step", Text: "y g < 1 on every input after the first step"},
		{ID: "forgetting", Text: "λ_w = 1/(2η₁) in the first step"},
		{ID: "exchangeable", Text: "given the count, all patterns on A are equally likely"},
		{ID: "noise", Text: "the injected noise is not zero, and ψ uses the same noise"},
	},
	Source: paper.At("Lemma 6"),
	Deviations: "The source prints Tⱼ ≈ βγ/σ̃ on A and |Tⱼ| ≤ O(σ_φ²ε_{e2}σ̃) + (1/σ̃)exp(−Θ(p_oD)) outside; the " +
		"size of ε_{e2} is in an appendix that was not read. Here β = ψ(b), and the remainders are explicit. The " +
		"source's noise k^(−3/2) is one choice of s.",
	Proof: "Taylor expansion of ψ at b. Outside A the terms of order 0 and 1 vanish, since φⱼ is independent of the " +
		"rest, centred, and E y = 0; E[yφⱼu²]/2 reduces to qⱼE[φⱼ²]Σ_{l∈A}q_lE[yφ_l]. On A, E[yφⱼ²] = (1−2μ)γ/σ̃², and " +
		"terms with an l ∉ A vanish. Derivatives of the normal density bound the remainders: sup|ψ″| ≤ 2·0.24198/s², " +
		"sup|ψ‴| ≤ 2·0.39895/s³. Forgetting makes q = −η₁ times a gradient.",
	Tolerance: "The remainders of the statement, and (N + 4D + 40)u/σ̃·(1 + Σ|q_l|/(σ̃s)) for the rounding of T over " +
		"N inputs. The remainder on A is attained to leading order by one relevant bit and b = s = 1/2, where yφⱼ " +
		"has one sign and |ψ″(b)| is largest: those cases have ratios near 1.",
	Limits: "Laws of at most 8 bits, two exact population steps. Nothing is claimed about the η₁ for which y g < 1, or " +
		"about sampled gradients.",
	Predict: func(v theory.Values) []theory.Quantity {
		m := mixtureOf(v)
		s := Second{Gamma: m.Covariance(), Sigma: m.Deviation(), Background: m.Background, Bias: v.Float("bias"),
			Noise: v.Float("noise"), Mean: 0.5}
		return []theory.Quantity{
			{Name: "beta", Symbol: "ψ(b)", Value: s.Beta(), Meaning: "β"},
			{Name: "level", Symbol: "ψ(b)γ/σ̃", Value: s.Level(), Meaning: "T on A"},
			{Name: "coefficient", Symbol: "ψ″(b)σ_φ²γ/σ̃", Value: s.Outside(1, 1),
				Meaning: "T outside A over qⱼ·Σ_{l∈A}q_l"},
		}
	},
	Violated: func(v theory.Values) error { return mixtureOf(v).Valid() },
	RestsOn:  []string{"emergence/inputs"},
}

// Second describes a neuron before the second step.
type Second struct {
	Gamma, Sigma float64 // γ, σ̃
	Mean         float64 // μ, of the bits on A
	Mixed        float64 // c = E[yφᵢφⱼ] for different i, j on A
	Background   float64 // p_o
	Bias, Noise  float64 // b, s
}

// Valid names the violated hypothesis.
func (s Second) Valid() error {
	return cmp.Or(
		theory.Require(s.Noise > 0, "emergence: the noise must be positive"),
		theory.Require(s.Sigma > 0 && math.Abs(s.Gamma) <= 0.5, "emergence: σ̃ must be positive and |γ| at most 1/2"),
	)
}

// Beta returns ψ(b).
func (s Second) Beta() float64 { return s.derivative(0) }

// Level returns ψ(b)γ/σ̃. It is NaN outside the hypotheses.
func (s Second) Level() float64 { return s.Beta() * s.Gamma / s.Sigma }

// On returns T on A to first order, for the neuron's own weight qⱼ and the sum of the others on A.
func (s Second) On(own, others float64) float64 {
	return s.Level() + s.derivative(1)*((1-2*s.Mean)*s.Gamma/(s.Sigma*s.Sigma)*own+s.Mixed*others)
}

// Outside returns the leading term of T outside A, for qⱼ and the sum of q over A.
func (s Second) Outside(own, sum float64) float64 {
	product := s.Background * (1 - s.Background) / (s.Sigma * s.Sigma) * own * s.Gamma / s.Sigma * sum
	if s.Valid() == nil && product == 0 { // even for an infinitely steep gate
		return 0
	}
	return s.derivative(2) * product
}

// Remainders returns bounds on ½ sup|ψ″| and (1/6) sup|ψ‴|: for the normal density φ, sup|φ′| = e^(−1/2)/√(2π) and
// sup|φ″| = 1/√(2π).
func (s Second) Remainders() (second, third float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	top := 1 / math.Sqrt(2*math.Pi)
	return math.Exp(-0.5) * top / (s.Noise * s.Noise), top / (3 * s.Noise * s.Noise * s.Noise)
}

// derivative returns ψ, ψ′ or ψ″ at b.
func (s Second) derivative(order int) float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	low, high := s.Bias/s.Noise, (s.Bias-1)/s.Noise
	density := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	slope := func(x float64) float64 { // of −density; 0 at ±∞
		if math.IsInf(x, 0) {
			return 0
		}
		return x * density(x)
	}
	switch order {
	case 0:
		return Gate(s.Bias, s.Noise)
	case 1:
		return (density(low) - density(high)) / s.Noise
	}
	return (slope(high) - slope(low)) / s.Noise / s.Noise
}
