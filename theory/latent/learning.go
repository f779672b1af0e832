package latent

import "github.com/thm-suite/thm/theory"

// Learning is the claim latent/learning: Algorithm 1 against every kernel.
var Learning = theory.Statement{
	Slug:     "latent/learning",
	Title:    "Algorithm 1 below the error of every kernel method",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "x ~ N(0, I) in d dimensions, f⋆ = ½He₂(u·x) + He₃(u·x)/√12 or one of two directions, noise-free labels. " +
		"Algorithm 1 with m neurons, rows of W⁽¹⁾ of root mean square length 1, and the ridge penalty of 13 between 10⁻⁴ " +
		"and 10² that is best on fresh validation samples. Kernel ridge regression with the neural tangent kernel, " +
		"random features, the polynomial kernel of degree 3 and a Gaussian one, with a bias, tuned in the same way. " +
		"Errors are E(f − f⋆)² by Gauss-Hermite quadrature along the latent directions.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 100), Default: "20"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(10, 20000), Default: "800"},
		{Name: "p", Symbol: "p", Meaning: "degree of the target ½He₂ + He_p/√(2·p!)",
			Domain: theory.IntegerBetween(3, 6), Default: "3"},
	},
	Claim: "At d = 30, n = 2d² and m = 250 the median error of Algorithm 1 over data sets lies below the bound of " +
		"latent/kernelbound, which no kernel method falls below in the mean; without the step, without biases, or " +
		"without pairs of opposite neurons it lies above. The median errors of the four tuned kernels lie above the " +
		"bound at d = 10 and n = d². With two directions and H of rank 2 the median error at d = 12 and n = 8d² is below " +
		"⅓, and with H of rank 1 it is not.",
	TeX: `\operatorname{median} \lVert f_{\theta^{(T)}} - f^\star \rVert^2 < 1 - \sum_{i \le n+d+1} \lambda_i`,
	Assumptions: []theory.Assumption{
		{ID: "step", Text: "the first layer takes the step"},
		{ID: "biases", Text: "the biases are drawn after the step"},
		{ID: "paired", Text: "the output is zero at the start"},
		{ID: "rank", Text: "H has full rank on the latent directions (Assumption 2)"},
		{ID: "preprocessed", Text: "the linear part is subtracted first",
			NoControl: "targets of one direction are learned without it too; it is needed where the linear part leaves the " +
				"latent subspace, see latent/concentration"},
	},
	Source: paper.At("Theorem 1 and section 6; comparison with kernels after Theorem 1"),
	Deviations: "The source proves an upper bound for n ≥ Ω̃(d²) and shows one figure. The lower bound that kernels " +
		"are compared with is that of latent/kernelbound, at the dimension n + d + 1 of sections, a constant and a " +
		"linear part.",
	Proof: "None: measured. latent/energy says why n ∝ d², latent/kernelbound why kernels cannot follow.",
	Tolerance: "Confidence intervals for medians over independent data sets; a whole interval must lie on its side of " +
		"the bound. The quadrature along u is exact for the target's own square, with 5 random completions at each node.",
	Limits:  "One size for each sentence. Nothing about rates; medians, since single runs scatter.",
	RestsOn: []string{"latent/kernelbound", "latent/energy"},
	Predict: func(v theory.Values) []theory.Quantity {
		bound := ZonalTarget(v.Int("d"), v.Int("p")).SpanBound(v.Float("n") + v.Float("d") + 1)
		return []theory.Quantity{
			{Name: "algorithm", Symbol: "kernels ≥", Value: bound,
				Meaning: "error of Algorithm 1, beside what no kernel falls below"},
			{Name: "tangent", Symbol: "NTK ≥", Value: bound,
				Meaning: "error of the neural tangent kernel, beside the same bound"},
			{Name: "features", Symbol: "RF ≥", Value: bound, Meaning: "error of the kernel of random features, beside it"},
			{Name: "polynomial", Symbol: "poly ≥", Value: bound,
				Meaning: "error of the polynomial kernel of degree p, beside it"},
			{Name: "gaussian", Symbol: "RBF ≥", Value: bound, Meaning: "error of the Gaussian kernel, beside it"},
			{Name: "metric", Symbol: "NTK, learned metric", Value: bound,
				Meaning: "error of the neural tangent kernel with the metric of the step, see latent/metric"},
		}
	},
}
