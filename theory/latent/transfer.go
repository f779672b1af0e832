package latent

import "github.com/thm-suite/thm/theory"

// Transfer is the claim latent/transfer: a learned subspace serves a second target.
var Transfer = theory.Statement{
	Slug:  "latent/transfer",
	Title: "A second target on a learned subspace, at d = 16 and 32 from 300 samples",
	Plain: "In experiments, a first layer that learned one target lets 300 samples teach it a second one on the " +
		"same latent direction.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "The first layer after the step on n samples of ½He₂(u·x) + He₃(u·x)/√12 in d dimensions, with rows of " +
		"root mean square length 1 and biases N(0, 1), is frozen; with n = 0 it stays at its initial weights. The output " +
		"weights are fitted by tuned ridge regression to N noise-free samples of He₃(u·x)/√6, whose own population " +
		"gradient is zero.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 100), Default: "20"},
		{Name: "n", Symbol: "n", Meaning: "samples of the first target; 0 leaves the first layer at its initial weights",
			Domain: theory.IntegerBetween(0, 20000), Default: "1600"},
		{Name: "N", Symbol: "N", Meaning: "samples of the second target",
			Domain: theory.IntegerBetween(10, 20000), Default: "400"},
	},
	Claim: "With n = 4d², N = 300 and m = 160 the median error is below the bound of latent/kernelbound for methods " +
		"that use only the N samples, at d = 16 and at d = 32, and the median ratio of an error at d = 32 to one at d = 16 " +
		"is less than 2: errors do not grow in proportion to d. A first layer that has not learned, n = 0, has a median " +
		"error above the bound at d = 32, and so has the tuned polynomial kernel of degree 3.",
	TeX: `N = O(r^p) \ \text{samples, whatever } d \text{ is}`,
	Assumptions: []theory.Assumption{
		{ID: "pretrained", Text: "the first layer has learned from n ≳ d² samples"},
		{ID: "shared", Text: "both targets depend on the same direction"},
	},
	Source: paper.At("Theorem 3"),
	Deviations: "The source bounds the excess absolute loss up to logarithms. This claim is about mean squares at " +
		"finite sizes.",
	Proof: "None: this is an observation. latent/energy gives the share of the frozen layer along u.",
	Tolerance: "Confidence intervals for medians over independent data sets, which must lie entirely on the claimed " +
		"side of the bound, 2 % of it away. A ratio is of one run at each d. Only the sizes were chosen after pilot " +
		"runs; 2 is the ratio of the dimensions.",
	Limits:  "One pair of targets, two dimensions, one N.",
	RestsOn: []string{"latent/energy"},
	Predict: func(v theory.Values) []theory.Quantity {
		share := 0.0
		if v.Int("n") > 0 {
			h := Target{{Coefficient: 0.5, Degrees: []int{2}}}.Hessian(1)
			share = Step{D: v.Int("d"), N: v.Int("n"), H: h}.Share()
		}
		return []theory.Quantity{
			{Name: "share", Symbol: "ρ", Value: share, Meaning: "share of the frozen layer along u"},
			{Name: "error", Symbol: "kernels ≥", Value: TransferBound(v.Int("d"), v.Float("N")),
				Meaning: "error after transfer, compared with the lower bound for kernels on the N samples alone",
				Bound:   "kernels ≥", Nonnegative: true},
		}
	},
}

// TransferBound returns the bound of latent/kernelbound for He₃(u·x)/√6 in d dimensions and n samples with a constant
// and a linear part.
func TransferBound(d int, n float64) float64 {
	return Zonal{d, []float64{0, 0, 0, 1}}.SpanBound(n + float64(d) + 1)
}
