package emergence

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
)

// Kinks is the claim emergence/kinks: how many neurons a second layer needs after two exact steps.
var Kinks = theory.Statement{
	Slug:  "emergence/kinks",
	Title: "The kinks between the counts decide if a second layer fits the parity after two exact steps",
	Plain: "After two exact gradient steps, a second layer fits the parity unless neurons bend in too few places, " +
		"which has a probability between computed bounds.",
	Kind:     theory.Probability,
	Standing: theory.Derivation,
	Setting: "S ∈ {0, …, k} is the number of ones on A, with Pr[S = s] > 0 for every s, and y = ±1 its parity. h is " +
		"any linear combination, without a constant, of features σ(z) = min(1, max(z, 0)), z = rᵢ(S − E S) + bᵢ, " +
		"which neurons along the effective feature compute; a kink is where z changes its sign. Hinge loss. A gap " +
		"is an interval (s, s+1) between neighbouring counts. The initial network has m neurons at the source's " +
		"scales, a = ασ̃²/(γk²) and b = β/k² with independent standard normal α and β, each with its mirror, and " +
		"takes two steps on the population hinge loss under D_A(λ), 0 < λ < 1, k ≥ 3 odd, with forgetting and " +
		"Gaussian noise of standard deviation τ = k^(−3/2), whose gate is ψ(z) = Φ((1−z)/τ) − Φ(−z/τ): η₁ → 0 and η₂ " +
		"= 1.",
	Params: []theory.Param{
		relevantBits(3, 15, "5"),
		neurons(1, 400, "10"),
		{Name: "uniform", Symbol: "λ", Meaning: "share of the inputs whose bits on A are uniform",
			Domain: theory.Inside(0, 1), Default: "0.5"},
		{Name: "delta", Symbol: "δ", Meaning: "probability of failure for which neurons are counted",
			Domain: &theory.Domain{Min: ptr(1e-6), Max: ptr(1), OpenMax: true}, Default: "0.05"},
	},
	Claim: "Suppose that no pre-activation exceeds 1 at a count. If two gaps have no kink, each gap between them has " +
		"exactly one, and no kink lies on a count between them, then the least loss is at least twice the smallest " +
		"Pr[S = s] over the ends s of all these gaps. Otherwise it is 0 if 1 and S are combinations of the features, " +
		"for every label of the counts. After the two steps a neuron and its mirror have z = b ± αψ(b)(S − k/2)/k², " +
		"with kinks at k/2 ± t, and $P ≤ Pr[least loss > 0] ≤ P + Q$, up to 4mΦ(−2k²/√(4+k²)) for pre-activations " +
		"above 1. P is the probability that m independent pairs leave such gaps. Q is the probability that they do " +
		"not, but that no pair has b > 0 and t > k/2, and the first gap from k/2 outwards that does not hold exactly " +
		"one pair holds none. For Pr[least loss > 0] ≤ 0.05, 6, 8, 12, 19 and 30 pairs are needed at k = 3, 5, 7, 9 " +
		"and 11, and 8, 9, 13, 20 and 30 suffice.",
	TeX: `P \le \Pr\left[\min_w E \max\left(0, 1 - y \sum_i w_i \sigma(r_i (S - E S) + b_i)\right) > 0\right] ` +
		`\le P + Q`,
	Assumptions: []theory.Assumption{
		{ID: "aligned", Text: "all neurons lie along the effective feature"},
		{ID: "parity", Text: "for the loss above 0: the label is the parity of the count"},
		{ID: "affine", Text: "for the loss 0: the combinations contain 1 and S"},
		{ID: "uncut", Text: "no pre-activation exceeds 1 at a count"},
		{ID: "paired", Text: "every neuron has a mirror"},
		{ID: "scales", Text: "α and β have the same scale, and η₂ = 1"},
	},
	Source: paper.At("Theorem 1, second layer after two steps (Lemmas 4 and 6)"),
	Deviations: "The source shows that m of the order k¹²/ε^(3/2) neurons suffice for a loss of ε, by " +
		"concentration and by training. Here the steps are exact, the best second layer is taken, and the loss is " +
		"0 or bounded away from it.",
	Proof: "Let 1 and S be combinations: then so is (S − t)₊ for every kink t, and the combinations are the linear " +
		"splines with these knots. By Schoenberg and Whitney they take any values at 0, …, k if and only if there " +
		"are k − 1 different knots, one in each interval (s − 1, s + 1), 0 < s < k. By Hall's theorem they exist " +
		"unless some interval (i, j) has fewer than j − i − 1 knots. A shortest such interval has exactly j − i − " +
		"2, none in its first and last gap and one in each other gap, since every shorter one has enough. There, " +
		"with or without 1 and S, let K be linear between counts, 0 outside (i, j) and at its knots. Its values at " +
		"i+1, …, j−1 alternate in sign; c = K(s−1) − 2K(s) + K(s+1) alternates too, Σcₛh(s) = ΣK(s)(h(s−1) − 2h(s) " +
		"+ h(s+1)) is |r|K(t) = 0 for a feature, Σ|cₛ| = 4Σ|K| and |cₛ| ≤ 2Σ|K|. So π = ρ|c| with ρ = min pₛ/|cₛ| " +
		"is feasible for the dual programme, max Σπ with 0 ≤ π ≤ p and Σπₛyₛh(s) = 0, and Σπ ≥ 2 min pₛ. For pairs " +
		"and odd k an odd h suffices. With u = S − k/2 the odd combination of a pair is, for u > 0, u if b > 0 and " +
		"t > k/2, (u − t)₊ if b < 0, and 2u − (u − t)₊ if b > 0 and t < k/2. Without the first kind these are the " +
		"splines φ with φ(0) = 0 and φ′(0) + 2ΣJ = 0, where J are the changes of slope at the kinks with b > 0. If " +
		"the gaps from k/2 outwards have one pair each up to one with more, or to the last, some φ ≠ 0 with φ(0) = " +
		"0 vanishes at all counts; φ′(0) + 2ΣJ over φ′(0) is a rational function of the kinks that tends to ±1 as " +
		"the first tends to 0, so that it is almost surely not 0, and a multiple of this φ brings any other spline " +
		"to satisfy the equation. After the steps |z| ≤ (|β| + |α|k/2)/k², since ψ ≤ 1: the largest of four normal " +
		"numbers with variance (1 + k²/4)/k⁴.",
	Tolerance: "The programme is solved in rational arithmetic; 16 roundings of 1 are allowed between its value and " +
		"the bound. After two exact steps with η₁ = 10⁻⁹ the kinks are off by η₁ times the bounds on ψ′, on y, x " +
		"and on the first step; networks with a kink that close to a count, or with a pre-activation above 1, are " +
		"declined. Probabilities have intervals for a proportion, and their margins.",
	Limits: "k ≤ 8 for layers of any kinks, k = 3 and 5 for steps over all inputs, k = 3, 5, 7, 9 for probabilities. " +
		"At k = 3 and m ≥ 2 Q exceeds P, and P + Q is no sharp bound. That gradient descent finds the second layer is not " +
		"claimed, nor is anything for steps over samples: emergence/learning trains those.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := Started{Count: v.Int("k"), Pairs: v.Int("m")}
		lower, upper := s.Failure()
		necessary, sufficient := s.Needed(v.Float("delta"))
		k, lambda := float64(s.Count), v.Float("uniform")
		rarest := min(lambda*k*math.Ldexp(1, -s.Count), math.Ldexp(lambda, -s.Count)+(1-lambda)/2)
		return []theory.Quantity{
			{Name: "lower", Symbol: "P", Value: lower, Bound: "≥", Nonnegative: true,
				Meaning: "probability that no second layer fits the parity, from below"},
			{Name: "upper", Symbol: "P + Q", Value: upper, Bound: "≤", Nonnegative: true, Meaning: "and from above"},
			{Name: "necessary", Symbol: "m", Value: float64(necessary), Bound: "≥", Meaning: "pairs needed for P ≤ δ"},
			{Name: "sufficient", Symbol: "m", Value: float64(sufficient), Bound: "≤",
				Meaning: "pairs for which P + Q ≤ δ"},
			{Name: "loss", Symbol: "loss", Value: 2 * rarest, Bound: "≥", Meaning: "least loss where it is not 0"},
		}
	},
	Violated: func(v theory.Values) error { return Started{Count: v.Int("k"), Pairs: 1}.Valid() },
	RestsOn:  []string{"emergence/classifier", "emergence/secondstep"},
}

// Bends is a layer of features of a count.
type Bends struct {
	Count int       // k
	Kinks []float64 // where a pre-activation changes its sign, in any order
}

// Valid names the violated hypothesis.
func (b Bends) Valid() error {
	return theory.Require(b.Count >= 1 && !slices.ContainsFunc(b.Kinks, math.IsNaN),
		"emergence: k ≥ 1, and kinks are numbers")
}

// Floor returns the lower bound on the least loss, where p > 0 (length k+1) is the law of the count: the largest bound
// over all pairs of empty gaps to which the claim applies, or 0 if there are none. It is NaN outside the hypotheses.
func (b Bends) Floor(p []float64) float64 {
	if b.Valid() != nil || len(p) != b.Count+1 || !(slices.Min(p) > 0) {
		return math.NaN()
	}
	gaps, on := make([]int, b.Count+1), make([]bool, b.Count+1) // gap s is (s−1, s)
	for _, t := range slices.Compact(slices.Sorted(slices.Values(b.Kinks))) {
		if s := math.Ceil(t); t > 0 && t == s && t < float64(b.Count) {
			on[int(s)] = true
		} else if t > 0 && t < float64(b.Count) {
			gaps[int(s)]++
		}
	}
	floor, from := 0.0, 0 // the last empty gap, if every later gap has one kink
	for s := 1; s <= b.Count; s++ {
		switch {
		case gaps[s] > 1:
			from = 0
		case gaps[s] == 0:
			if from > 0 {
				floor = max(floor, 2*slices.Min(p[from-1:s+1]))
			}
			from = s
		}
		if on[s] {
			from = 0
		}
	}
	return floor
}

// Started describes pairs of neurons from the source's initial scales, after two steps.
type Started struct{ Count, Pairs int }

// Valid names the violated hypothesis.
func (s Started) Valid() error {
	return theory.Require(s.Count >= 3 && s.Count%2 != 0 && s.Pairs >= 1, "emergence: k is odd and at least 3, m ≥ 1")
}

// Failure returns bounds on the probability that the least loss is not 0, pre-activations above 1 included.
func (s Started) Failure() (lower, upper float64) {
	few, unsure := s.Odds()
	k := float64(s.Count)
	cut := 2 * float64(s.Pairs) * math.Erfc(k*k*math.Sqrt(2/(4+k*k)))
	return max(0, few-cut), min(1, few+unsure+cut)
}

// Odds returns P and Q. Both are NaN outside the hypotheses.
func (s Started) Odds() (few, unsure float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	gaps, affine := s.shares()
	few, _ = s.walk(gaps, affine, false)
	_, unsure = s.walk(gaps, affine, true)
	few = min(few, 1) // the sums may round above 1
	return few, min(unsure, 1-few)
}

// Needed returns the smallest m for which P ≤ δ, and for which P + Q ≤ δ; −1 unless 10⁻⁶ ≤ δ < 1. Both events become
// rarer with every pair.
func (s Started) Needed(delta float64) (necessary, sufficient int) {
	s.Pairs = 1
	if s.Valid() != nil || !(delta >= 1e-6 && delta < 1) {
		return -1, -1
	}
	gaps, affine := s.shares()
	for necessary = -1; ; s.Pairs++ {
		few, _ := s.walk(gaps, affine, false)
		_, unsure := s.walk(gaps, affine, true)
		if few <= delta && necessary < 0 {
			necessary = s.Pairs
		}
		if few+unsure <= delta {
			return necessary, s.Pairs
		}
	}
}

// shares returns the probabilities of 0 < t < 1/2, 1/2 < t < 3/2, …, up to k/2, and the probability of b > 0 and t >
// k/2.
func (s Started) shares() (gaps []float64, affine float64) {
	before := 0.0
	for reach := 0.5; reach <= float64(s.Count)/2; reach++ {
		below := kinkShare(s.Count, 1, reach, 1) + kinkShare(s.Count, 1, reach, -1)
		gaps = append(gaps, below-before)
		before = below
	}
	return gaps, 0.5 - kinkShare(s.Count, 1, float64(s.Count)/2, 1)
}

// walk goes through the gaps from the centre outwards. It returns the probability that two gaps are empty and each gap
// between them has one pair, and the probability that this is not so and no pair beyond all gaps has b > 0. If
// emptyFirst is set, the second event also requires that the first gap without exactly one pair is empty.
func (s Started) walk(gaps []float64, affine float64, emptyFirst bool) (few, none float64) {
	m, left := s.Pairs, 1.0
	free, armed := make([]float64, m+1), make([]float64, m+1) // indexed by the number of pairs farther out; see Floor
	free[m] = 1
	ones := 0.0 // probability that every gap so far has one pair
	if emptyFirst {
		free[m], ones = 0, 1
	}
	for j, p := range gaps {
		share := p / left
		left -= p
		nextFree, nextArmed := make([]float64, m+1), make([]float64, m+1)
		for r := range m + 1 {
			chance := math.Pow(1-share, float64(r)) // probability that n of r pairs are in this gap
			if r == m-j {
				nextArmed[r] += ones * chance
				ones *= float64(r) * share / (1 - share) * chance
			}
			for n := 0; n <= r; n++ {
				switch n {
				case 0:
					few += armed[r] * chance
					nextArmed[r] += free[r] * chance
				case 1:
					nextFree[r-1] += free[r] * chance
					nextArmed[r-1] += armed[r] * chance
				default:
					nextFree[r-n] += (free[r] + armed[r]) * chance
				}
				chance *= float64(r-n) / float64(n+1) * share / (1 - share)
			}
		}
		free, armed = nextFree, nextArmed
	}
	for r := range m + 1 {
		none += (free[r] + armed[r]) * math.Pow(1-affine/left, float64(r))
	}
	return few, none
}
