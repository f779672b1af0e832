package vcl

import "github.com/thm-suite/thm/theory"

// Diagonal is the claim vcl/diagonal.
var Diagonal = theory.Statement{
	Slug:  "vcl/diagonal",
	Title: "Figure 1 on 128 points at width 16: the diagonal of WᵀW follows the accumulated shift more closely than AGOP",
	Plain: "In a small experiment, the diagonal of WᵀW follows the accumulated covariance shift more closely " +
		"than the average gradient outer product.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Two-layer GELU networks 10→16→1 without trained biases from PyTorch's default weights, on 128 Gaussian " +
		"inputs whose coordinates have standard deviations from ½ to 2, with target x₁x₂ + x₁/2; 200 full-batch " +
		"gradient steps of 0.2 on the mean of ½(f − y)², or, if training diverges, twice as many steps of half the " +
		"size, repeatedly until it does not. Pearson's correlation compares the diagonals of the first layer's WᵀW, " +
		"of the sum of the virtual covariance's shifts over all steps, and of AGOP = (1/N)Σ ∇_x f ∇_x fᵀ after " +
		"training.",
	Params: []theory.Param{
		{Name: "W", Symbol: "W", Meaning: "weights of the first layer", Shape: "m×n"},
	},
	Claim: "In the median over data and starts the diagonals of WᵀW and of the accumulated shift correlate at more " +
		"than 0.97, and that correlation is less than half as far from one as the correlation of WᵀW and AGOP.",
	TeX: `\operatorname{med} \rho \left( \operatorname{diag} W^{\top} W, \operatorname{diag} \sum_{\tau} ` +
		`D_{\tau} \right) > 0.97, \quad \operatorname{med} \frac{1 - \rho(\operatorname{diag} W^{\top} W, ` +
		`\operatorname{diag} \sum_{\tau} D_{\tau})}{1 - \rho(\operatorname{diag} W^{\top} W, ` +
		`\operatorname{diag} \mathrm{AGOP})} < \tfrac12`,
	Assumptions: []theory.Assumption{
		{ID: "trained", Text: "W are the weights after training"},
		{ID: "small-start", Text: "the learnt change outweighs the initial weights"},
	},
	Source: paper.At("figure 1"),
	Deviations: "The source shows one network of 256 hidden units trained on CIFAR-10 at γ = 0.05, with correlations " +
		"0.9854 and 0.7167. Network, data, step size and thresholds are ours; thm experiment repeats the figure on " +
		"pictures. The source's AGOP has ten outputs; here there is one.",
	Proof: "None: this is an observation. By vcl/steps, WᵀW − W₀ᵀW₀ is the sum of shifts and residuals, so the first " +
		"correlation measures how far the shifts outweigh the initial weights and the residuals.",
	Tolerance: "A median has an exact interval between order statistics, whatever the distribution of the draws. The " +
		"correlation is compared with 1 ± 0.03. The effect of the shift is the logarithm of the ratio of its " +
		"distance from one to AGOP's, 0 without an effect. In 300 replicates it left more than half of it in four; " +
		"at that rate, 80 networks leave the interval undecided with a probability below 10⁻⁹.",
	Limits: "One target, one width, one step size, one initial scale. The shifts are summed along the training that " +
		"produces WᵀW, whereas AGOP is taken at the end: the source makes this comparison, and it is not a comparison of " +
		"equals. A high correlation does not show that the shifts belong to this network: the shifts of another network, " +
		"trained on other data from the same target, correlate nearly as well, and every report prints that correlation. " +
		"When the initial weights outweigh the learnt change, the first correlation falls.",
	Cost:    "Every case trains a network and adds up its shifts during training.",
	RestsOn: []string{"vcl/steps"},
}
