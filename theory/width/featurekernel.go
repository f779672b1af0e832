package width

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// FeatureKernel is the claim width/featurekernel: whether the kernel of the hidden layer survives the first step.
var FeatureKernel = theory.Statement{
	Slug:  "width/featurekernel",
	Title: "Change of the feature kernel in the first step, in maximal and in tangent parametrisation",
	Plain: "One step changes the kernel of the hidden features by order one in maximal parametrisation, and by one " +
		"over the width in tangent parametrisation.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Two layers of n ReLU units at one input x, |x| = 1, pre-activations uⱼ = wⱼ·x and output weights aⱼ " +
		"independent N(0, 1). f = n^(−1)Σ aⱼφ(uⱼ) with a step of rate n in maximal parametrisation, f = n^(−½)Σ aⱼφ(uⱼ) " +
		"with rate 1 in tangent parametrisation; s is minus the step size times the slope of the loss. K = n^(−1)Σ φ(uⱼ)².",
	Params: []theory.Param{
		{Name: "parametrisation", Symbol: "(a, b, c)", Meaning: "scaling of the output and of the rate",
			Domain: theory.OneOf("maximal", "tangent"), Default: "maximal"},
		{Name: "n", Symbol: "n", Meaning: "width", Domain: theory.IntegerBetween(1, 1e9), Default: "64"},
		{Name: "s", Symbol: "s", Meaning: "step size times minus the slope of the loss", Domain: theory.Between(-100, 100),
			Default: "1"},
		{Name: "u", Symbol: "u", Meaning: "pre-activations before the step", Shape: "n"},
		{Name: "a", Symbol: "a", Meaning: "output weights before the step", Shape: "n"},
		{Name: "after", Symbol: "u⁺", Meaning: "pre-activations after the step", Shape: "n"},
	},
	Claim: "$u⁺ⱼ = uⱼ + m aⱼ1{uⱼ>0}$ with m = s in maximal and m = s/√n in tangent parametrisation. At every n, $E ΔK " +
		"= ((1+m²)(π − arctan|m|) + |m|)/(2π) − ½$. So the change is of order one in the first; in the second $n E ΔK → " +
		"s²/2$ and $n² E ΔK² → s⁴/4 + 2s²$. To first order in s the output moves alike in both (width/mup): only the " +
		"features tell them apart.",
	TeX: `u_j^+ = u_j + m \, a_j 1_{u_j > 0}, \qquad \mathbb{E} \Delta K = \frac{(1+m^2)(\pi - \arctan |m|) + |m|}{2 ` +
		`\pi} - \frac12, \qquad n \, \mathbb{E} \Delta K \to \frac{s^2}{2}, \qquad n^2 \, \mathbb{E} \Delta K^2 \to ` +
		`\frac{s^4}{4} + 2 s^2`,
	Assumptions: []theory.Assumption{
		{ID: "slope", Text: "the slope of the loss does not depend on the weights",
			NoControl: "it would multiply s, which is given"},
		{ID: "independent", Text: "a and u are independent"},
		{ID: "gate", Text: "a unit whose pre-activation is negative does not move"},
		{ID: "scaling", Text: "output and rate are scaled as the named parametrisation says"},
	},
	Source: theory.Source{Paper: "This repository; after Yang, Hu: Tensor Programs IV", Version: "1", Year: 2026,
		Locus: "proof of theory/width.FeatureKernel"},
	Proof: "The gradient of aφ(u) in w is a1{u>0}x. With u = r cos ψ and a = r sin ψ, u + ma = r√(1+m²) cos(ψ − t), " +
		"tan t = m. Both are positive on an angle of π − |t|, where E r² = 2 and ∫cos² give the mean, and E r⁴ = 8 the " +
		"second moment of φ(u⁺)² − φ(u)², a trigonometric polynomial of ψ on two intervals; units are independent. For " +
		"small m the mean is m²/2 − |m|³/(3π), and the variance 2m²/n.",
	Tolerance: "A step: a few roundings of each term. Means and second moments are exact at every n, and integrals over " +
		"one unit round as sums of 6·10⁴ terms; medians of batches are off by a sixth of scatter times skewness.",
	Limits: "One step, one slope, and the kernel only at the input of the step. |s| from 0.1 to 4; networks of widths " +
		"8 and 32.",
	RestsOn: []string{"width/mup"},
	Predict: func(v theory.Values) []theory.Quantity {
		f := FeatureStep{v.Choice("parametrisation") == "tangent", v.Int("n"), v.Float("s")}
		return []theory.Quantity{
			{Name: "change", Symbol: "E ΔK", Value: f.Mean(), Meaning: "mean change of the kernel, which is ½ before"},
			{Name: "rms", Symbol: "(E ΔK²)^½", Value: math.Sqrt(f.Square()), Meaning: "its root mean square", Nonnegative: true},
		}
	},
}

// FeatureStep is a first step of N units.
type FeatureStep struct {
	Tangent bool // tangent parametrisation; else maximal
	N       int
	S       float64
}

// Valid names the violated hypothesis.
func (f FeatureStep) Valid() error {
	return theory.Require(f.N >= 1 && !math.IsNaN(f.S) && !math.IsInf(f.S, 0), "width: need n ≥ 1 and a finite step")
}

// Shift returns m, by which a unit moves for each unit of its output weight.
func (f FeatureStep) Shift() float64 {
	switch {
	case f.Valid() != nil:
		return math.NaN()
	case f.Tangent:
		return f.S / math.Sqrt(float64(f.N))
	}
	return f.S
}

// Mean returns E ΔK = m²/2 − ((1+m²) arctan m − m)/(2π), m = |m|.
func (f FeatureStep) Mean() float64 {
	m := math.Abs(f.Shift())
	rest := (1+m*m)*math.Atan(m) - m
	if m < 0.01 {
		rest = m * m * m * (2./3 - m*m*(2./15-m*m*2/35))
	}
	return m*m/2 - rest/(2*math.Pi)
}

// Square returns E ΔK².
func (f FeatureStep) Square() float64 {
	m := math.Abs(f.Shift())
	t := math.Atan(m)
	dead := func(psi float64) float64 { return math.Pow(math.Cos(psi), 4) }
	alive := func(psi float64) float64 { return math.Pow(m*math.Sin(psi)*(2*math.Cos(psi)+m*math.Sin(psi)), 2) }
	unit := 4 / math.Pi * (quad.Fixed(dead, -math.Pi/2, t-math.Pi/2, 24, quad.Legendre{}, 0) +
		quad.Fixed(alive, t-math.Pi/2, math.Pi/2, 24, quad.Legendre{}, 0))
	return f.Mean()*f.Mean() + (unit-f.Mean()*f.Mean())/float64(f.N)
}
