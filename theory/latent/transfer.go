package latent

import "github.com/thm-suite/thm/theory"

// Transfer is the claim latent/transfer: a subspace that was learned is used for another target.
var Transfer = theory.Statement{
	Slug:     "latent/transfer",
	Title:    "A second target on a learned subspace",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "The first layer after the step on n samples of ½He₂(u·x) + He₃(u·x)/√12 in d dimensions, with rows of " +
		"root mean square length 1 and biases N(0, 1), is frozen. The output weights are fitted by tuned ridge " +
		"regression to N noise-free samples of He₃(u·x)/√6, whose own population gradient is zero.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 100), Default: "20"},
		{Name: "n", Symbol: "n", Meaning: "samples of the first target",
			Domain: theory.IntegerBetween(10, 20000), Default: "1600"},
		{Name: "N", Symbol: "N", Meaning: "samples of the second target",
			Domain: theory.IntegerBetween(10, 20000), Default: "400"},
	},
	Claim: "With n = 4d² and N = 400 the median error is below ½ at d = 10 and at d = 20, and less than three times " +
		"as large at the larger d. A first layer that has not learned gives a median error above 0.9 at d = 20, and so " +
		"does the tuned polynomial kernel of degree 3 on the N samples.",
	TeX: `N = O(r^p) \ \text{samples, whatever } d \text{ is}`,
	Assumptions: []theory.Assumption{
		{ID: "pretrained", Text: "the first layer has learned from n ≳ d² samples"},
		{ID: "shared", Text: "both targets depend on the same direction"},
	},
	Source:     paper.At("Theorem 3"),
	Deviations: "The source bounds the excess absolute loss with logarithms. Here mean squares at finite sizes.",
	Proof:      "None: measured. latent/energy says how much of the frozen layer lies along u.",
	Tolerance: "Confidence intervals for medians over independent data sets, whose whole length must lie on its side " +
		"of the stated numbers. The quotient is that of a run at each d.",
	Limits:  "One pair of targets, two dimensions, one N.",
	RestsOn: []string{"latent/energy"},
	Predict: func(v theory.Values) []theory.Quantity {
		h := Step{D: v.Int("d"), N: v.Int("n"), H: Target{{Coefficient: 0.5, Degrees: []int{2}}}.Hessian(1)}
		alone := make([]float64, 4)
		alone[3] = 1
		return []theory.Quantity{
			{Name: "share", Symbol: "ρ", Value: h.Share(), Meaning: "share of the frozen layer along u"},
			{Name: "error", Symbol: "kernels ≥", Value: Zonal{v.Int("d"), alone}.SpanBound(v.Float("N") + v.Float("d") + 1),
				Meaning: "error after transfer, beside what no kernel falls below on the N samples alone"},
		}
	},
}
