package emergence

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/theory"
)

// Orders is the claim emergence/orders: β and ε of Lemma 5, averaged over Gaussian starting weights.
var Orders = theory.Statement{
	Slug: "emergence/orders",
	Title: "Averaged over Gaussian starting weights, β and the gate's changes by A and by a background bit " +
		"are closed forms",
	Plain: "For Gaussian starting weights, a hidden bit changes a neuron's gate with a probability of the " +
		"order of one over the root of the dimension.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "The laws of emergence/firststep, 0 < p_o < 1, D ≥ k + 2, N = D − k. The weights q are " +
		"independent N(0, s²), the bias b is fixed, and the gate is I(z) = 1{0 < z < 1} at z = Σⱼ φⱼqⱼ + b + " +
		"ξ with noise ξ ~ N(0, σ_ξ²), or without noise. β is the mean of the gate at φ without the bits on " +
		"A, ε_A the probability that these bits change the gate, and ε that the value of one bit outside A " +
		"decides it, all three over q, φ and ξ.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates, at least k + 2",
			Domain: theory.IntegerBetween(3, 1e5), Default: "400"},
		{Name: "k", Symbol: "k", Meaning: "number of relevant bits, odd", Domain: theory.IntegerBetween(1, 9), Default: "5"},
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
			Domain: &theory.Domain{Min: ptr(1e-3), Max: ptr(0.5)}, Default: "0.5"},
		{Name: "uniform", Symbol: "λ",
			Meaning: "share of the inputs whose bits on A are uniform; on the others they are all equal",
			Domain:  theory.Between(0, 1), Default: "0.5"},
		{Name: "scale", Symbol: "s", Meaning: "standard deviation of a weight; the source's is 1/k",
			Domain: &theory.Domain{Min: ptr(1e-3), Max: ptr(10)}, Default: "0.2"},
		{Name: "bias", Symbol: "b", Meaning: "bias of the neuron", Domain: theory.Between(-10, 10), Default: "0.04"},
		{Name: "noise", Symbol: "σ_ξ", Meaning: "standard deviation of the injected noise, 0 for none",
			Domain: theory.Between(0, 100), Default: "0.089442719099991588"},
	},
	Claim: "Let $τ² = σ_ξ² + s²Σ_{l∉A} φ_l²$, which depends on the number of ones outside A alone, and not " +
		"even on that if p_o = 1/2; let r² = s²Σ_{l∈A} φ_l². Then β = E[Φ((1−b)/τ) − Φ(−b/τ)], and ε_A = E " +
		"Pr[I(U) ≠ I(U + rV)] with independent U ~ N(b, τ²) and V ~ N(0, 1), where the outer means are " +
		"finite sums over the inputs. For a bit outside A, ε = E Pr[I(U − p_o·sV/σ̃) ≠ I(U + (1−p_o)·sV/σ̃)] " +
		"with U ~ N(b, τ′²) and τ′² of all other bits. As D → ∞: β → Φ((1−b)/τ) − Φ(−b/τ) with τ² = σ_ξ² + " +
		"s², ε_A·√(p_o(1−p_o)D) → (c/π)·(s/τ)·E‖φ̃_A − E φ̃_A‖ and ε·√(p_o(1−p_o)D) → (c/π)·(s/τ) with c = " +
		"e^(−b²/(2τ²)) + e^(−(1−b)²/(2τ²)). So β is of order 1, ε_A of order √(k/(p_o(1−p_o)D)), and ε of " +
		"order 1/√(p_o(1−p_o)D).",
	TeX: `\beta = E\left[\Phi\left(\tfrac{1-b}{\tau}\right) - \Phi\left(\tfrac{-b}{\tau}\right)\right], \quad ` +
		`\epsilon_A = E \Pr[I(U) \ne I(U + r V)], \quad \tau^2 = \sigma_\xi^2 + s^2 \sum_{l \notin A} \phi_l^2`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the weights are independent and Gaussian, with one variance"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "same-noise", Text: "the gate has the same noise with and without the bits"},
	},
	Source: paper.At("Lemma 5, for the starting weights of section 3"),
	Deviations: "The source bounds β and ε_e in order of magnitude, for all neurons at once and with high " +
		"probability; these are means over the weights, exact at every D. E|ψ(z) − ψ(z′)| of " +
		"emergence/firststep, where the noise is averaged before the difference is taken, is at most the " +
		"probability here.",
	Proof: "Given the input, sums of Gaussian weights times coordinates are Gaussian and independent for " +
		"disjoint sets of coordinates: the background sum with bias and noise is N(b, τ²), the sum over A is " +
		"N(0, r²). For one bit outside A the two values of z differ by qⱼ/σ̃, and all else is one Gaussian. " +
		"For the limits, r and s/σ̃ vanish, and I(U) ≠ I(U + v) has probability |v| times the density of U " +
		"at 0 and 1, to first order in v; E|V| = √(2/π). σ̃² ~ p_o(1−p_o)D, and τ² → σ_ξ² + s² by the law of " +
		"large numbers.",
	Tolerance: "At D = 3 both sides are integrals over the weights of the gate's probability over the noise, " +
		"summed over all inputs. A weight in which the integrand is analytic takes the trapezoidal rule with " +
		"a step for which its error, by the width of the strip in which the integrand is bounded, is below " +
		"8e^(−28); the weight in which it has kinks takes Gauss rules between them, whose error is below " +
		"4^(−19). Weights beyond 7s are left out, of probability 2.6·10⁻¹². Together less than 10⁻¹⁰; and " +
		"the roundings of nested sums, (nodes + 3000)u. Larger networks are drawn, one input each, and the " +
		"three events are counted, with an interval for a proportion.",
	Limits: "Integrals at D = 3 with 0.05 ≤ σ_ξ ≤ 2 and s ≤ σ̃σ_ξ; counts at D = 30, 100 and 400. The limits " +
		"are checked between closed forms alone, by a test. Nothing is said about the largest of many " +
		"neurons.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := startsOf(v)
		beta, onA, outside := s.Limits()
		return []theory.Quantity{
			{Name: "beta", Symbol: "β", Value: s.Beta(), Meaning: "mean of the gate without the bits on A"},
			{Name: "changedA", Symbol: "ε_A", Value: s.ChangedByA(),
				Meaning: "probability that the bits on A change the gate"},
			{Name: "changed", Symbol: "ε", Value: s.ChangedByOne(),
				Meaning: "probability that one bit outside A decides it"},
			{Name: "beta-limit", Symbol: "lim β", Value: beta, Meaning: "as D → ∞"},
			{Name: "changedA-order", Symbol: "≈ ε_A", Value: onA, Meaning: "of the order √(k/(p_o(1−p_o)D)), for large D"},
			{Name: "changed-order", Symbol: "≈ ε", Value: outside, Meaning: "of the order 1/√(p_o(1−p_o)D), for large D"},
		}
	},
	Violated: func(v theory.Values) error {
		if err := mixtureOf(v).Valid(); err != nil {
			return err
		}
		return startsOf(v).Valid()
	},
	RestsOn: []string{"emergence/firststep"},
}

// startsOf returns the neurons for a user's parameters.
func startsOf(v theory.Values) Starts {
	m := mixtureOf(v)
	if m.Valid() != nil {
		return Starts{}
	}
	return Starts{Law: m.Bits(), Scale: v.Float("scale"), Bias: v.Float("bias"), Noise: v.Float("noise")}
}

// Starts describes neurons whose weights are independent N(0, Scale²) in the coordinates of φ. Their gate is open where
// 0 < z < 1, z = ⟨q, φ⟩ + Bias + ξ with ξ ~ N(0, Noise²).
type Starts struct {
	Law         Bits
	Scale, Bias float64
	Noise       float64 // σ_ξ ≥ 0
}

// Valid names the violated hypothesis.
func (s Starts) Valid() error {
	p, k := s.Law.Background, len(s.Law.Support)
	switch {
	case k < 1 || len(s.Law.Pattern) != 1<<k || len(s.Law.Accept) != k+1:
		return errors.New("emergence: A has k ≥ 1 bits, with a probability for each pattern and a label for each count")
	case s.Law.Dim < k+2 || !(p > 0 && p < 1):
		return errors.New("emergence: D ≥ k + 2 and 0 < p_o < 1, so that there is a background")
	case !(s.Scale > 0 && s.Noise >= 0) || math.IsNaN(s.Bias) || math.IsInf(s.Scale+s.Noise+s.Bias, 0):
		return errors.New("emergence: the weights have s > 0, the noise σ_ξ ≥ 0, and b is finite")
	}
	return nil
}

// share is the probability of a squared length, in units of σ̃².
type share struct{ square, probability float64 }

// relevant lists ‖φ̃_A − E φ̃_A‖², and sigma is σ̃.
func (s Starts) relevant() (lengths []share, sigma float64) {
	mean, _, _ := s.Law.frequencies()
	p := s.Law.Background
	variance := p * (1 - p) * float64(s.Law.Dim-len(mean))
	for _, m := range mean {
		variance += m * (1 - m)
	}
	for a, probability := range s.Law.Pattern {
		square := 0.0
		for i, m := range mean {
			x := float64(a>>i&1) - m
			square += x * x
		}
		lengths = merged(lengths, share{square, probability})
	}
	return lengths, math.Sqrt(variance)
}

// background lists the squared length of n bits outside A less their means. Counts of ones with a probability below
// 10⁻²⁰ are left out.
func (s Starts) background(n int) (lengths []share) {
	p := s.Law.Background
	law := distuv.Binomial{N: float64(n), P: p}
	for ones := range n + 1 {
		if probability := law.Prob(float64(ones)); probability > 1e-20 {
			square := float64(ones)*(1-p)*(1-p) + float64(n-ones)*p*p
			lengths = merged(lengths, share{square, probability})
		}
	}
	return lengths
}

// merged adds a share to that of the same length.
func merged(lengths []share, new share) []share {
	for i := range lengths {
		if lengths[i].square == new.square {
			lengths[i].probability += new.probability
			return lengths
		}
	}
	return append(lengths, new)
}

// spread returns √(σ_ξ² + s²·square/σ̃²).
func (s Starts) spread(square, sigma float64) float64 {
	return math.Hypot(s.Noise, s.Scale*math.Sqrt(square)/sigma)
}

// Beta returns β, NaN outside the hypotheses.
func (s Starts) Beta() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	_, sigma := s.relevant()
	beta := 0.0
	for _, out := range s.background(s.Law.Dim - len(s.Law.Support)) {
		beta += out.probability * Gate(s.Bias, s.spread(out.square, sigma))
	}
	return beta
}

// ChangedByA returns ε_A, NaN outside the hypotheses.
func (s Starts) ChangedByA() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	relevant, sigma := s.relevant()
	changed := 0.0
	for _, out := range s.background(s.Law.Dim - len(s.Law.Support)) {
		for _, on := range relevant {
			moved := moves{s.Bias, s.spread(out.square, sigma), s.Scale * math.Sqrt(on.square) / sigma, 0, 1}
			changed += out.probability * on.probability * moved.chance()
		}
	}
	return changed
}

// ChangedByOne returns ε, NaN outside the hypotheses.
func (s Starts) ChangedByOne() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	relevant, sigma := s.relevant()
	p, changed := s.Law.Background, 0.0
	for _, out := range s.background(s.Law.Dim - len(s.Law.Support) - 1) {
		for _, on := range relevant {
			moved := moves{s.Bias, s.spread(out.square+on.square, sigma), s.Scale / sigma, -p, 1 - p}
			changed += out.probability * on.probability * moved.chance()
		}
	}
	return changed
}

// Limits returns the limit of β as D → ∞, and ε_A and ε to leading order in D, NaN outside the hypotheses.
func (s Starts) Limits() (beta, changedByA, changedByOne float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN(), math.NaN()
	}
	relevant, sigma := s.relevant()
	tau, length := math.Hypot(s.Noise, s.Scale), 0.0
	for _, on := range relevant {
		length += on.probability * math.Sqrt(on.square)
	}
	density := func(z float64) float64 { return math.Exp(-z * z / (2 * tau * tau)) }
	one := (density(s.Bias) + density(1-s.Bias)) / math.Pi * s.Scale / (tau * sigma)
	return Gate(s.Bias, tau), one * length, one
}

// moves describes a pair of Gaussian pre-activations, U + from·V and U + to·V with U ~ N(mean, tau²) and V ~ N(0, r²).
type moves struct{ mean, tau, r, from, to float64 }

// chance returns the probability that exactly one of them is in (0, 1), by Gauss–Legendre rules on panels as short as
// the shorter of the two lengths in which the integrand changes.
func (m moves) chance() float64 {
	if m.r == 0 {
		return 0
	}
	const reach, nodes = 9, 20
	changed := func(v float64) float64 {
		low, high := min(m.from*v, m.to*v), max(m.from*v, m.to*v)
		var sum float64
		if high-low < 1 {
			sum = m.between(-high, -low) + m.between(1-high, 1-low)
		} else { // the two intervals for U are disjoint
			sum = m.between(-high, 1-high) + m.between(-low, 1-low)
		}
		return sum * math.Exp(-v*v/(2*m.r*m.r)) / (m.r * math.Sqrt(2*math.Pi))
	}
	sum, kink := 0.0, 1/(m.to-m.from)
	for _, side := range []float64{-1, 1} {
		for _, piece := range [][2]float64{{0, min(kink, reach*m.r)}, {min(kink, reach*m.r), reach * m.r}} {
			panels := math.Ceil((piece[1] - piece[0]) / min(m.r, m.tau))
			width := (piece[1] - piece[0]) / panels
			for i := range int(panels) {
				from := piece[0] + float64(i)*width
				sum += quad.Fixed(func(v float64) float64 { return changed(side * v) }, from, from+width, nodes, nil, 0)
			}
		}
	}
	return sum
}

// between returns Pr[from < U < to].
func (m moves) between(from, to float64) float64 {
	scale := m.tau * math.Sqrt2
	return (math.Erf((to-m.mean)/scale) - math.Erf((from-m.mean)/scale)) / 2
}
