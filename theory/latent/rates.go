package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Rates is the claim latent/rates: the dependence of the error of Algorithm 1 on samples, dimension and width.
var Rates = theory.Statement{
	Slug:  "latent/rates",
	Title: "Error of Algorithm 1 as a function of samples, dimension and width, at d = 10 and 24",
	Plain: "In experiments up to dimension 24, the error of Algorithm 1 grows with d for samples proportional " +
		"to d, and falls for d³.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "x ~ N(0, I) in d dimensions, f⋆ = ½He₂(u·x) + He₃(u·x)/√12, so that r = 1, p = 3 and κ = 1; n samples, " +
		"noise-free unless stated. Algorithm 1 with m neurons, rows of W⁽¹⁾ of root mean square length 1 and the ridge " +
		"penalty that is best on fresh samples. Errors are by Gauss-Hermite quadrature along u.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 100), Default: "20"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(10, 20000), Default: "800"},
		{Name: "m", Symbol: "m", Meaning: "neurons", Domain: theory.IntegerBetween(2, 1000), Default: "100"},
		{Name: "noise", Symbol: "ς", Meaning: "size of the noise", Domain: theory.Between(0, 10), Default: "0"},
	},
	Claim: "From d = 10 to 24 the median of the error E(f − f⋆)² grows for n = 20d and falls for n = d³/5; for n = " +
		"2d², in between, it is measured but nothing is claimed. At d = 10 and at d = 24, n = 2d² and m = 100, the " +
		"median of E|f − f⋆| lies below the right side of Theorem 1 with the constant 1 and without logarithms, " +
		"√(d/n) + √(1/m) + n^(−1/4); at d = 24 the median error is smaller than with m = 20, and larger with noise " +
		"±1 in the labels.",
	TeX: `\mathbb{E}|f_{\theta^{(T)}} - f^\star| \lesssim \sqrt{\tfrac{d r^p \kappa^{2p}}{n}} + ` +
		`\sqrt{\tfrac{r^p \kappa^{2p}}{m}} + n^{-1/4}`,
	Assumptions: []theory.Assumption{
		{ID: "step", Text: "the first layer takes the step"},
		{ID: "samples", Text: "n grows in proportion to d in the first comparison, and to d³ in the second"},
	},
	Source: paper.At("Theorem 1 and its remark on n ≳ d²r"),
	Deviations: "The source bounds the excess of the absolute error up to a constant and logarithms. With two-point " +
		"noise that excess vanishes below the noise (latent/excess), so the labels are noise-free in the comparison with " +
		"the right side.",
	Proof: "None: this is an observation. latent/energy explains n/d².",
	Tolerance: "Confidence intervals for medians over independent runs, compared with 1 and with the right side; the " +
		"whole interval must lie 2 % of the bound away from it. With few samples, errors are means of three runs. " +
		"The dimensions, sizes, widths and noise were chosen after pilot runs.",
	Limits: "One target, and one ratio n/d² for dimensions, widths and noise. The dependence of the error on d at fixed " +
		"n/d² is only measured, at two dimensions. The claim does not say that the right side with the constant 1 is a " +
		"bound elsewhere.",
	RestsOn: []string{"latent/energy", "latent/learning"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := Sizes{D: v.Int("d"), N: v.Int("n"), M: v.Int("m")}
		bound := ZonalTarget(s.D, 3).SpanBound(float64(s.N + s.D + 1))
		return []theory.Quantity{
			{Name: "absolute", Symbol: "E|f−f⋆| ≤", Value: s.RightSide(),
				Meaning: "mean absolute error, compared with the right side of Theorem 1 with the constant 1",
				Bound:   "≤ C·", Nonnegative: true},
			{Name: "square", Symbol: "kernels ≥", Value: bound,
				Meaning: "mean squared error, compared with the lower bound for kernel methods",
				Bound:   "kernels ≥", Nonnegative: true},
		}
	},
}

// Sizes holds the sizes of a run for a target of one direction with p = 3 and κ = 1.
type Sizes struct{ D, N, M int }

// Valid names the violated hypothesis.
func (s Sizes) Valid() error {
	return theory.Require(s.D >= 1 && s.N >= 1 && s.M >= 1, "latent: need dimensions, samples and neurons")
}

// RightSide returns √(D/N) + √(1/M) + N^(−1/4); NaN outside the hypotheses.
func (s Sizes) RightSide() float64 { return s.RightSideOf(1) }

// RightSideOf returns [Sizes.RightSide] for a target with the given r^p κ^2p, which multiplies both ratios.
func (s Sizes) RightSideOf(complexity float64) float64 {
	if s.Valid() != nil || !(complexity > 0) {
		return math.NaN()
	}
	n := float64(s.N)
	return math.Sqrt(float64(s.D)*complexity/n) + math.Sqrt(complexity/float64(s.M)) + math.Pow(n, -0.25)
}
