package emergence

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// Orders is the claim emergence/orders: β and ε of Lemma 5, averaged over Gaussian starting weights.
var Orders = theory.Statement{
	Slug:  "emergence/orders",
	Title: "β and ε of Lemma 5 for Gaussian starting weights: means at every D, and their orders",
	Plain: "At Gaussian starting weights, one hidden bit changes a neuron's gate with a probability of order one over " +
		"the square root of the dimension.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "The laws of emergence/firststep with 0 < p_o < 1 and D ≥ k + 2. The weights q are independent " +
		"N(0, s²), and the bias b is fixed. The gate is I(z) = 1{0 < z < 1} at z = Σⱼ φⱼqⱼ + b + ξ, with noise " +
		"ξ ~ N(0, σ_ξ²) or without noise. β is the mean of the gate without the terms on A, ε_A the probability " +
		"that these terms change the gate, and ε the probability that the value of a given bit outside A decides it, " +
		"all three over q, φ and ξ.",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates, at least k + 2",
			Domain: theory.IntegerBetween(3, 1e5), Default: "400"},
		relevantBits(1, 9, "5"),
		{Name: "background", Symbol: "p_o", Meaning: "probability of a one outside A",
			Domain: theory.Between(1e-3, 0.5), Default: "0.5"},
		uniformOrEqual,
		{Name: "scale", Symbol: "s", Meaning: "standard deviation of a weight; the source's is 1/k",
			Domain: &theory.Domain{Min: ptr(1e-3), Max: ptr(10)}, Default: "0.2"},
		{Name: "bias", Symbol: "b", Meaning: "bias of the neuron", Domain: theory.Between(-10, 10), Default: "0.04"},
		{Name: "noise", Symbol: "σ_ξ", Meaning: "standard deviation of the injected noise, 0 for none",
			Domain: theory.Between(0, 100), Default: "0.089442719099991588"},
	},
	Claim: "For an input let $τ² = σ_ξ² + s²Σ_{l∉A} φ_l²$ and r² = s²Σ_{l∈A} φ_l². Then β = E[Φ((1−b)/τ) − " +
		"Φ(−b/τ)] and ε_A = E Pr[I(U) ≠ I(U + rV)], with independent U ~ N(b, τ²) and V ~ N(0, 1). ε = E Pr[I(U − " +
		"p_o·sV/σ̃) ≠ I(U + (1−p_o)·sV/σ̃)] if τ² adds up all bits but the given one. The outer means are finite " +
		"sums, because τ depends on the bits outside A through their number of ones. As D → ∞ with all else fixed: β → " +
		"Φ((1−b)/τ) − Φ(−b/τ) with τ² = σ_ξ² + s², and ε·√(p_o(1−p_o)D) → (c/π)·(s/τ) with c = e^(−b²/(2τ²)) + " +
		"e^(−(1−b)²/(2τ²)); ε_A/ε → E‖φ̃_A − E φ̃_A‖, which is at most √k/2, and √k/2 for fair bits on A.",
	TeX: `\beta = E\left[\Phi\left(\tfrac{1-b}{\tau}\right) - \Phi\left(\tfrac{-b}{\tau}\right)\right], \quad ` +
		`\epsilon_A = E \Pr[I(U) \ne I(U + r V)], \quad \tau^2 = \sigma_\xi^2 + s^2 \sum_{l \notin A} \phi_l^2`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the weights are independent and Gaussian, with one variance"},
		{ID: "independent-background", Text: "the bits outside A are independent of all others (A2)"},
		{ID: "same-noise", Text: "the gate has the same noise with and without the bits"},
	},
	Source: paper.At("Lemma 5, for the starting weights of section 3"),
	Deviations: "The source's β and ε_e are orders of magnitude that hold for all neurons at once, with high " +
		"probability; the order of ε_e is in an appendix that was not read. Here are means over the weights, exact at " +
		"every D. E|ψ(z) − ψ(z′)| of emergence/firststep, where the noise is averaged before the difference is taken, " +
		"is at most the probability here.",
	Proof: "Given the input, sums of Gaussian weights times coordinates are Gaussian and independent for " +
		"disjoint sets of coordinates: the background sum with bias and noise is N(b, τ²), the sum over A is " +
		"N(0, r²). For one bit outside A the two values of z differ by qⱼ/σ̃, and all else is one Gaussian. " +
		"For the limits, r and s/σ̃ vanish, and I(U) ≠ I(U + v) has probability |v| times the density of U " +
		"at 0 and 1, to first order in v; E|V| = √(2/π). σ̃² ~ p_o(1−p_o)D, and τ² → σ_ξ² + s² by the law of " +
		"large numbers. By Jensen's inequality E‖φ̃_A − E φ̃_A‖ ≤ √Σμᵢ(1−μᵢ).",
	Tolerance: "The probability that z is in (0, 1), or that two such sums are, is a Fourier integral over the " +
		"characteristic functions of their independent terms. By Poisson's summation formula the trapezoidal rule of " +
		"step 2π/P adds the probabilities of the translates of (0, 1) by multiples of P, which are farther from b than " +
		"P − 1/2 − |b − 1/2|. By Chernoff's bound these and the omitted frequencies are below 10⁻¹² for all four " +
		"probabilities. A double sum of m rows of up to n terms errs by 4(n + m + 4D + 200)u times the density at b. " +
		"Counts of drawn neurons have an interval for a proportion.",
	Limits: "Averages at k = 1 and 3, 0.02 ≤ p_o ≤ 0.98 and D − k up to 100, or up to 3000 for p_o = 1/2; counts at D = " +
		"10 and 30. The limits are checked between closed forms alone, by a test. Nothing is said about the largest of " +
		"many neurons.",
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
			{Name: "changedA-order", Symbol: "≈ ε_A", Value: onA, Meaning: "for large D; may exceed 1 for small D"},
			{Name: "changed-order", Symbol: "≈ ε", Value: outside, Meaning: "for large D; may exceed 1 for small D"},
		}
	},
	Violated: func(v theory.Values) error { return cmp.Or(mixtureOf(v).Valid(), startsOf(v).Valid()) },
	RestsOn:  []string{"emergence/firststep"},
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
	case !(slices.Min(s.Law.Pattern) >= 0 && math.Abs(floats.Sum(s.Law.Pattern)-1) < 1e-9):
		return errors.New("emergence: the probabilities of the patterns on A add up to 1")
	case s.Law.Dim < k+2 || !(p > 0 && p < 1):
		return errors.New("emergence: D ≥ k + 2 and 0 < p_o < 1, so that there is a background")
	case !(s.Scale > 0 && s.Noise >= 0) || math.IsNaN(s.Bias) || math.IsInf(s.Scale+s.Noise+s.Bias, 0):
		return errors.New("emergence: the weights have s > 0, the noise σ_ξ ≥ 0, and b is finite")
	}
	return nil
}

// share holds a squared length, in units of σ̃², and its probability.
type share struct{ square, probability float64 }

// relevant lists ‖φ̃_A − E φ̃_A‖² with probabilities, and returns σ̃.
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
		lengths = append(lengths, share{square, probability})
	}
	return merged(lengths), math.Sqrt(variance)
}

// background lists the squared lengths of n bits outside A less their means. It goes up and down from the most likely
// number of ones by the ratios of neighbouring probabilities, until these have fallen by 10⁻²⁰.
func (s Starts) background(n int) (lengths []share) {
	p, total := s.Law.Background, 0.0
	add := func(ones int, probability float64) {
		total += probability
		square := float64(ones)*(1-p)*(1-p) + float64(n-ones)*p*p
		lengths = append(lengths, share{square, probability})
	}
	mode := min(int(float64(n+1)*p), n)
	below := func(ones int) float64 { return float64(ones) / float64(n-ones+1) * (1 - p) / p }
	for ones, ratio := mode, 1.0; ratio > 1e-20; ones++ {
		add(ones, ratio)
		ratio /= below(ones + 1)
	}
	for ones, ratio := mode, below(mode); ratio > 1e-20; ratio *= below(ones) {
		ones--
		add(ones, ratio)
	}
	for i := range lengths {
		lengths[i].probability /= total
	}
	return merged(lengths)
}

// merged adds up the shares of the same length, up to rounding.
func merged(lengths []share) []share {
	slices.SortFunc(lengths, func(a, b share) int { return cmp.Compare(a.square, b.square) })
	out := lengths[:1]
	for _, x := range lengths[1:] {
		if last := &out[len(out)-1]; x.square-last.square <= 1e-13*x.square {
			last.probability += x.probability
		} else {
			out = append(out, x)
		}
	}
	return out
}

// average returns the mean of a probability over lengths, at most 1.
func average(lengths []share, probability func(square float64) float64) float64 {
	sum := 0.0
	for _, x := range lengths {
		sum += x.probability * probability(x.square)
	}
	return min(sum, 1)
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
	return average(s.background(s.Law.Dim-len(s.Law.Support)), func(out float64) float64 {
		return Gate(s.Bias, s.spread(out, sigma))
	})
}

// ChangedByA returns ε_A, NaN outside the hypotheses.
func (s Starts) ChangedByA() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	relevant, sigma := s.relevant()
	return average(s.background(s.Law.Dim-len(s.Law.Support)), func(out float64) float64 {
		return average(relevant, func(on float64) float64 {
			return moves{s.Bias, s.spread(out, sigma), 0, s.Scale * math.Sqrt(on) / sigma}.chance()
		})
	})
}

// ChangedByOne returns ε, NaN outside the hypotheses.
func (s Starts) ChangedByOne() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	relevant, sigma := s.relevant()
	p, step := s.Law.Background, s.Scale/sigma
	return average(s.background(s.Law.Dim-len(s.Law.Support)-1), func(out float64) float64 {
		return average(relevant, func(on float64) float64 {
			return moves{s.Bias, s.spread(out+on, sigma), -p * step, (1 - p) * step}.chance()
		})
	})
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

// moves describes a pair of Gaussian pre-activations, U + from·V and U + to·V with U ~ N(mean, tau²) and V ~ N(0, 1).
type moves struct{ mean, tau, from, to float64 }

// chance returns the probability that exactly one of the pair is in (0, 1), by Gauss–Legendre rules on panels between
// the kinks. Panels are at most 3 long, and where one of the pair is within 9τ of 0 or 1, it moves by at most 3τ.
func (m moves) chance() float64 {
	const reach, step, nodes = 9, 3, 16
	panels := []float64{-1 / (m.to - m.from), 1 / (m.to - m.from)}
	for i := -reach; i <= reach; i += step {
		panels = append(panels, float64(i))
		for _, slope := range []float64{m.from, m.to} {
			at := float64(i)*m.tau - m.mean
			panels = append(panels, at/slope, (1+at)/slope)
		}
	}
	panels = slices.DeleteFunc(panels, func(v float64) bool { return !(math.Abs(v) <= reach) })
	slices.Sort(panels)
	sum := 0.0
	for i, to := range panels[1:] {
		sum += quad.Fixed(m.changed, panels[i], to, nodes, nil, 0)
	}
	return sum
}

// changed returns that probability given V = v, times the density of V.
func (m moves) changed(v float64) float64 {
	low, high := min(m.from*v, m.to*v), max(m.from*v, m.to*v)
	var changed float64
	if high-low < 1 {
		changed = m.between(-high, -low) + m.between(1-high, 1-low)
	} else { // the two intervals for U are disjoint
		changed = m.between(-high, 1-high) + m.between(-low, 1-low)
	}
	return changed * math.Exp(-v*v/2) / math.Sqrt(2*math.Pi)
}

// between returns Pr[from < U < to].
func (m moves) between(from, to float64) float64 {
	scale := m.tau * math.Sqrt2
	return (math.Erf((to-m.mean)/scale) - math.Erf((from-m.mean)/scale)) / 2
}
