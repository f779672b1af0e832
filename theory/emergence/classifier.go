package emergence

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// Classifier is the claim emergence/classifier: the best second layer on neurons along the effective feature.
var Classifier = theory.Statement{
	Slug:  "emergence/classifier",
	Title: "For neurons along the effective feature, the loss stays at λ unless a kink lies between the counts",
	Plain: "If no neuron along the relevant direction bends between the counts, the hinge loss stays at λ; with " +
		"features of full rank it is zero.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Parity of the k bits in A, k odd, under D_A(λ). Features σ(rᵢ(S − E S) + bᵢ), i = 1, …, m, of the count S " +
		"on A, which neurons with the weights rᵢσ̃ Σ_A Mⱼ compute; σ(z) = min(1, max(z, 0)); h is any linear combination " +
		"of them without a constant; hinge loss.",
	Params: []theory.Param{
		relevantBits(1, 15, "5"), uniformShare,
		{Name: "m", Symbol: "m", Meaning: "number of neurons drawn, each with a mirror", Domain: theory.IntegerBetween(1,
			2000), Default: "300"},
		{Name: "rate", Symbol: "η₂", Meaning: "size of the second step", Domain: theory.Above(0), Default: "1"},
	},
	Claim: "The smallest loss is 0 if the matrix of the features at S = 0, …, k has rank k + 1. It is λ for k > 1 if no " +
		"feature has a kink between 0 and k and two of them are independent, and 1 if all features vanish. After a second " +
		"step with η₂ = 1 and the source's initial scales, the slope per count is aψ(b)γ/σ̃² and the kink of a neuron lies " +
		"at E S − β′/(αψ(b)) with α, β′ standard normal and b = β′/k². The kink lies in (0, k) with probability 0.562, " +
		"0.655, 0.718 for k = 5, 7, 9.",
	TeX: `\min_w E \max\left(0, 1 - y \sum_i w_i \sigma(r_i (S - E S) + b_i)\right) = \begin{cases} 0 & \text{rank ` +
		`} k+1 \\ ` +
		`\lambda & \text{no kink in } (0, k) \end{cases}`,
	Assumptions: []theory.Assumption{
		{ID: "aligned", Text: "all neurons lie along the effective feature"},
		{ID: "parity", Text: "the label is the parity of the bits on A"},
		{ID: "affine", Text: "for the loss λ: no feature has a kink between the counts 0 and k"},
		{ID: "rank", Text: "for the loss 0: the features at the k + 1 counts have rank k + 1"},
	},
	Source: paper.At("Section 5.1 and the slides' classifiers after one and two steps"),
	Deviations: "The source reports accuracies of about 52 % after one step and about 100 % after two, and proves " +
		"existence by a concentration argument with k^12 neurons. Here the smallest loss for given neurons is exact; the " +
		"explanation of the need for a second step is ours: a small first step turns the neurons without moving kinks " +
		"between the counts.",
	Proof: "With rank k + 1 every function of S is a combination. Affine functions of S are polynomials of degree 1, " +
		"whose smallest loss is λ (emergence/polynomials), attained by (2S − k)/k. The slope is that of w = −∂L/∂w, with a " +
		"~ σ̃²/(γk²), after a step that forgets.",
	Tolerance: "A linear programme on k + 1 inputs for an orthonormal basis of the features. Its dual is feasible up to " +
		"10⁻¹² and the backward error of an elimination of order k + 1 with the growth 2^k; this error times the size of " +
		"the vertex, plus the vertex's residual, bounds the distance from the optimum. If the features span two " +
		"directions, the error of these follows from the second singular value, which is at least 10⁻⁶ of the first. " +
		"The share of kinks is an integral.",
	Limits: "k ≤ 9. Weights lie exactly along the feature; emergence/learning has sampled ones.",
	Predict: func(v theory.Values) []theory.Quantity {
		k := v.Int("k")
		return []theory.Quantity{
			{Name: "kinks", Symbol: "Pr[kink in (0, k)]", Value: KinkShare(k, v.Float("rate")),
				Meaning: "of one neuron after the second step"},
			{Name: "before", Symbol: "λ", Value: PolynomialOptimum(k, 1, v.Float("uniform")),
				Meaning: "smallest loss if no kink lies between the counts"},
			{Name: "after", Symbol: "0", Value: 0, Meaning: "smallest loss if the features have rank k + 1"},
		}
	},
	Violated: func(v theory.Values) error { return relevantOf(v).Valid() },
	RestsOn:  []string{"emergence/polynomials", "emergence/secondstep"},
}

// Bent is a layer of features σ(r(s − k/2) + b) of a count s.
type Bent struct {
	Count  int
	Slopes []float64
	Biases []float64
}

// Valid names the violated hypothesis.
func (b Bent) Valid() error {
	return theory.Require(b.Count >= 1 && b.Count%2 != 0 && len(b.Slopes) != 0 && len(b.Slopes) == len(b.Biases),
		"emergence: k is odd, and every feature has a slope and a bias")
}

// Kinks returns the number of features with z = 0 or z = 1 strictly between the counts 0 and k.
func (b Bent) Kinks() int {
	if b.Valid() != nil {
		return -1
	}
	n := 0
	for i, r := range b.Slopes {
		low, high := b.Biases[i]-math.Abs(r)*float64(b.Count)/2, b.Biases[i]+math.Abs(r)*float64(b.Count)/2
		if low < 0 && 0 < high || low < 1 && 1 < high {
			n++
		}
	}
	return n
}

// KinkShare returns the probability with which the lower kink of a neuron lies in (0, k) after a second step of the
// given size, under the source's initial scales and noise k^(−3/2).
func KinkShare(k int, rate float64) float64 {
	if k < 1 || !(rate > 0) {
		return math.NaN()
	}
	reach := float64(k) / 2
	return kinkShare(k, rate, reach, 1) + kinkShare(k, rate, reach, -1)
}

// kinkShare returns the probability that the kink is within reach of k/2 and b has the given sign. With b = β/k² the
// slope is rate·αψ(b)/k², and |β| < reach·rate·|α|ψ(b) has probability 2(1 − Φ(|β|/(reach·rate·ψ(b)))) given β. The
// integral over β ~ N(0, 1) on one side of 0, where the integrand has a corner, is by Gauss's rule of order 12 on 36
// pieces.
func kinkShare(k int, rate, reach, side float64) float64 {
	size, noise := float64(k), math.Pow(float64(k), -1.5)
	const pieces = 36
	end, sum := 9*min(1, reach*rate), 0.0
	for piece := range pieces {
		from := end * float64(piece) / pieces
		sum += quad.Fixed(func(beta float64) float64 {
			chance := math.Erfc(beta / (reach * rate * Gate(side*beta/(size*size), noise)) / math.Sqrt2)
			return chance * math.Exp(-beta*beta/2) / math.Sqrt(2*math.Pi)
		}, from, from+end/pieces, 12, nil, 1)
	}
	return sum
}
