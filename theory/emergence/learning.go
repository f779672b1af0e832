package emergence

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/thm-suite/thm/theory"
)

// Learning is the claim emergence/learning: the conclusion of Theorem 1, at a size that can be trained.
var Learning = theory.Statement{
	Slug: "emergence/learning",
	Title: "Two steps learn parities of 3 and 5 of 20 to 60 structured bits with 64 or 128 neuron pairs; initial " +
		"features do not",
	Plain: "In experiments with structured inputs, two gradient steps learn parities of three and five among " +
		"20 to 60 bits, and random features do not.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Parity of k of D bits, fair bits outside A; the bits on A are uniform with probability 1/2 and " +
		"otherwise all equal (structured inputs), or always uniform (uniform inputs). 2·m paired neurons in the " +
		"source's initial scales, two steps of gradient descent on the hinge loss over 8000 fresh samples each, with " +
		"noise k^(−3/2), forgetting, λ_w = 1/(2η), and η₁ = 10⁻³, η₂ = 1, then 600 or, for k = 5, 1000 steps of Adam " +
		"(0.3, batches of 250) on the output weights from zero; or Adam on the initial neurons (random features). " +
		"(D, k, m) = (20, 3, 64), (30, 3, 64), (60, 3, 64) and (30, 5, 128).",
	Params: []theory.Param{
		{Name: "D", Symbol: "D", Meaning: "number of hidden coordinates",
			Domain: theory.IntegerBetween(3, 1000), Default: "30"},
		relevantBits(3, 9, "3"),
		{Name: "uniform", Symbol: "λ", Meaning: "share of the inputs whose bits on A are uniform; γ = (1−λ)/2",
			Domain: theory.Between(0, 1), Default: "0.5"},
		neurons(1, 1000, "64"),
		{Name: "delta", Symbol: "δ", Meaning: "probability of failure that Theorem 1 allows",
			Domain: theory.Inside(0, 1), Default: "0.05"},
		{Name: "epsilon", Symbol: "ε", Meaning: "loss that Theorem 1 asks for",
			Domain: theory.Inside(0, 1), Default: "0.1"},
	},
	Claim: "On structured inputs the network's test error is at most 0.01; random features have an accuracy below " +
		"that of the best threshold on the number of ones in A, 13/16 for k = 3 and 27/32 for k = 5, and a hinge " +
		"loss above 1/2, the least hinge loss of polynomials of degree below k. On uniform inputs both have an " +
		"accuracy of 1/2 up to 0.03. In every case Pr[sign g ≠ y] ≤ E max(0, 1 − y g).",
	TeX: `\Pr[\operatorname{sign} g(x) \ne y] \le E \max(0, 1 - y g(x))`,
	Assumptions: []theory.Assumption{
		{ID: "structured", Text: "the bits on A are equal on part of the inputs: γ > 0"},
		{ID: "second-step", Text: "two steps are taken on the first layer"},
		{ID: "forgetting", Text: "λ_w = 1/(2η) in both"},
	},
	Source: paper.At("Theorem 1 and figure 1"),
	Deviations: "A finding at some sizes, not the theorem: its hypotheses are out of reach of any experiment, the " +
		"source's own included, where log²(Dm/(δγ)) is about 216 and k = 5. At these sizes, with δ = 0.05 and ε = " +
		"0.01, k would have to be of the order 133 to 160, and m of the order 5·10⁸ for k = 3 and 2·10¹¹ for k = 5; " +
		"the printed orders come without constants. emergence/kinks says how many neurons are needed after exact " +
		"steps. The bits on A follow the source's hard distribution; the figure's is not printed in the main text. " +
		"Adam trains the second layer.",
	Proof: "None is claimed for the sizes. The inequality holds point by point: where sign g ≠ y, an output of 0 " +
		"included, y g ≤ 0 and the hinge is at least 1.",
	Tolerance: "Errors are counted on fresh test inputs and come with an interval for a proportion; the margins 0.01 " +
		"and 0.03 are part of the finding; the width of the interval is added to the second. Sums of the same " +
		"samples satisfy the inequality up to their rounding, 10⁻¹².",
	Limits: "Four sizes and some seeds. Nothing is said about rates or about the effect of training beyond the " +
		"second layer.",
	Cost: "Every case trains a network.",
	Predict: func(v theory.Values) []theory.Quantity {
		k := v.Int("k")
		m := Mixture{Dim: v.Int("D"), Count: k, Background: 0.5, Uniform: v.Float("uniform")}
		t := asks{dim: m.Dim, count: k, neurons: v.Int("m"), gamma: m.Covariance(), delta: v.Float("delta"),
			epsilon: v.Float("epsilon")}
		var out []theory.Quantity
		observed := [][3]int{{20, 3, 64}, {30, 3, 64}, {60, 3, 64}, {30, 5, 128}}
		if slices.Contains(observed, [3]int{m.Dim, k, t.neurons}) {
			network, random := 1.0, float(BestAccuracy(k, 1, big.NewRat(1, 2)))
			if t.gamma == 0 {
				network, random = 0.5, 0.5
			}
			out = append(out, theory.Quantity{Name: "network", Symbol: "accuracy", Value: network,
				Meaning: "of the network, observed at these sizes"},
				theory.Quantity{Name: "random", Symbol: "≤", Value: random, Bound: "≤", Nonnegative: true,
					Meaning: "accuracy of random features, observed at these sizes; 1/2 up to 0.03 for λ = 1"})
		}
		if t.gamma > 0 {
			out = append(out, theory.Quantity{Name: "order-k", Symbol: "log²(Dm/(δγ))", Value: t.relevant(),
				Meaning: "Theorem 1 asks for k of at least this order"})
		}
		return append(out, theory.Quantity{Name: "order-m", Symbol: "k¹²/ε^(3/2)", Value: t.width(),
			Meaning: "Theorem 1 asks for m of at least this order"},
			theory.Quantity{Name: "order-p", Symbol: "k²/D", Value: t.background(),
				Meaning: "Theorem 1 asks for p_o of at least this order"})
	},
	Violated: func(v theory.Values) error {
		if l := v.Float("uniform"); l != 0.5 && l != 1 {
			return errors.New("emergence: the finding is about λ = 1/2 and λ = 1")
		}
		return Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: 0.5, Uniform: v.Float("uniform")}.Valid()
	},
	RestsOn: []string{"emergence/sampling", "emergence/classifier", "emergence/kinks"},
}

// asks holds the sizes of Theorem 1, whose hypotheses are orders without constants.
type asks struct {
	dim, count, neurons   int     // D, k, m
	gamma, delta, epsilon float64 // γ, δ, ε
}

// relevant returns log²(Dm/(δγ)), the order of k. It is NaN unless γ > 0 and δ > 0.
func (a asks) relevant() float64 {
	return theory.When(a.gamma > 0 && a.delta > 0,
		math.Pow(math.Log(float64(a.dim)*float64(a.neurons)/(a.delta*a.gamma)), 2))
}

// width returns k¹²/ε^(3/2), the order of m.
func (a asks) width() float64 { return math.Pow(float64(a.count), 12) / math.Pow(a.epsilon, 1.5) }

// background returns k²/D, the order of p_o.
func (a asks) background() float64 { return float64(a.count*a.count) / float64(a.dim) }
