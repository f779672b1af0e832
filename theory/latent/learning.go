package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Learning is the claim latent/learning: Algorithm 1 compared with every kernel.
var Learning = theory.Statement{
	Slug:  "latent/learning",
	Title: "Algorithm 1 below the error of every kernel method, at d = 26 and n = 2d²",
	Plain: "In experiments at d = 26 and n = 2d², the median error of Algorithm 1 lies below the bound for all " +
		"kernel methods.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "x ~ N(0, I) in d dimensions, f⋆ = ½He₂(u·x) + He₃(u·x)/√12, one of two directions, or one with a " +
		"linear part; noise-free labels. Algorithm 1 with m neurons, rows of W⁽¹⁾ of root mean square length 1, and " +
		"the best of 13 ridge penalties between 10⁻⁴ and 10², chosen on fresh validation samples. Kernel ridge " +
		"regression with the neural tangent kernel, random features, the polynomial kernel of degree 3 and a " +
		"Gaussian one, with a bias, tuned in the same way. The target with a linear part is 3u·x + He₂(v·x)/√2. " +
		"Errors are E(f − f⋆)² by Gauss-Hermite quadrature along the latent directions.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 100), Default: "20"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(10, 20000), Default: "800"},
		{Name: "p", Symbol: "p", Meaning: "degree of the target ½He₂ + He_p/√(2·p!)",
			Domain: theory.IntegerBetween(3, 6), Default: "3"},
	},
	Claim: "At d = 26, n = 2d² and m = 200 the median error of Algorithm 1 over data sets lies below the bound of " +
		"latent/kernelbound on the mean error of every kernel method; without the step, without biases, or without pairs " +
		"of opposite neurons it lies above. The median errors of the four tuned kernels lie above the bound at d = 10 and " +
		"n = d². For f⋆ = (He₂(x₁) + He₂(x₂) + x₁He₂(x₂) + x₂He₂(x₁))/√8 the median error at d = 18, n = 6d² and m = 160 " +
		"is below ⅜, the least error of any function of a single direction; for ½He₂(x₁) + He₃(x₂)/√12, with H of rank 1, " +
		"it is not. With a linear part along another direction, d = 12, n = 6d² and m = 100, the median error is smaller " +
		"with preprocessing than without.",
	TeX: `\operatorname{median} \lVert f_{\theta^{(T)}} - f^\star \rVert^2 < 1 - \sum_{i \le n+d+1} \lambda_i`,
	Assumptions: []theory.Assumption{
		{ID: "step", Text: "the first layer takes the step"},
		{ID: "biases", Text: "the biases are drawn after the step"},
		{ID: "paired", Text: "the output is zero at the start"},
		{ID: "rank", Text: "H has full rank on the latent directions (Assumption 2)"},
		{ID: "preprocessed", Text: "the linear part is subtracted first, if it lies along another direction"},
	},
	Source: paper.At("Theorem 1 and section 6; comparison with kernels after Theorem 1"),
	Deviations: "The source proves an upper bound for n ≥ Ω̃(d²) and shows one figure. Kernels are compared with the " +
		"lower bound of latent/kernelbound at the dimension n + d + 1, for sections, a constant and a linear part.",
	Proof: "None: this is an observation. latent/energy explains n ∝ d², and latent/kernelbound explains the limit of " +
		"kernels. For ⅜: the part of the target of two directions that depends only on cos φ x₁ + sin φ x₂ has the mean " +
		"square ¼ + (3/16)·sin²2φ(1 + sin 2φ), at most 5/8.",
	Tolerance: "Confidence intervals for medians over independent data sets; the whole interval must lie on the claimed " +
		"side of the bound, 2 % of the bound away from it. The bounds are derived; the sizes were chosen after pilot " +
		"runs. The quadrature along u is exact for the target's own square, with 20 random completions at each node, or " +
		"5 for kernels, two directions and a linear part.",
	Limits:  "One size for each sentence. Nothing is said about rates. The claim uses medians, since single runs scatter.",
	RestsOn: []string{"latent/kernelbound", "latent/energy", "width/ntk"},
	Contradicted: map[string]string{"latent/kernels": "At d = 20 and n = 4d² Algorithm 1 with 500 neurons is not below " +
		"every kernel method: its mean squared error is 0.0749 [0.0428, 0.107], above the bound of 0.0366, and that of the " +
		"tuned polynomial kernel is 0.0708 [0.0484, 0.0933]."},
	Predict: func(v theory.Values) []theory.Quantity {
		bound := ZonalTarget(v.Int("d"), v.Int("p")).SpanBound(v.Float("n") + v.Float("d") + 1)
		return []theory.Quantity{
			{Name: "algorithm", Symbol: "kernels ≥", Value: bound,
				Meaning: "error of Algorithm 1, compared with the lower bound for kernels",
				Bound:   "kernels ≥", Nonnegative: true},
			{Name: "tangent", Symbol: "NTK ≥", Value: bound,
				Meaning: "error of the neural tangent kernel, compared with the same bound", Bound: "≥", Nonnegative: true},
			{Name: "features", Symbol: "RF ≥", Value: bound, Meaning: "error of the kernel of random features, compared with " +
				"the same bound", Bound: "≥", Nonnegative: true},
			{Name: "polynomial", Symbol: "poly ≥", Value: bound,
				Meaning: "error of the polynomial kernel of degree p, compared with the same bound", Bound: "≥", Nonnegative: true},
			{Name: "gaussian", Symbol: "RBF ≥", Value: bound, Meaning: "error of the Gaussian kernel, compared with the same " +
				"bound",
				Bound: "≥", Nonnegative: true},
			{Name: "metric", Symbol: "NTK, learned metric", Value: bound,
				Meaning: "error of the neural tangent kernel with the metric of the step, see latent/metric",
				Bound:   "kernels ≥", Nonnegative: true},
		}
	},
}

// OneDirectionLeft returns the error of the best function of one direction for (He₂(x₁) + He₂(x₂) + x₁He₂(x₂) +
// x₂He₂(x₁))/√8: 1 minus the largest Σ_k C_k(v^⊗k)²/k! over unit vectors v, which is at (1, 1)/√2.
func OneDirectionLeft() float64 {
	c := 1 / math.Sqrt(8)
	f := Target{{c, []int{2, 0}}, {c, []int{0, 2}}, {c, []int{1, 2}}, {c, []int{2, 1}}}
	v := []float64{math.Sqrt(0.5), math.Sqrt(0.5)}
	left := f.MeanSquare()
	for k := 2; k <= 3; k++ {
		form := f.Form(k, v)
		left -= form * form / hermite.Factorial(k)
	}
	return left
}
