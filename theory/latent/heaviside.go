package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Heaviside is the claim latent/heaviside: a trained network on noiseless samples of a step.
var Heaviside = theory.Statement{
	Slug:  "latent/heaviside",
	Title: "A trained network and kernels on noiseless samples of a step, at n = 16",
	Plain: "In experiments, a trained network and a Laplace kernel come close to the best fit of noiseless samples of a " +
		"step, unlike a Gaussian kernel.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "n = 16 samples of 1{x > x₀} on a grid of spacing h over [−1, 1], x₀ uniform in a cell behind the 6th to " +
		"the 9th sample. A network of m = 40 ReLUs, with kinks initially uniform on [−1, 1], takes T = 1000 steps of " +
		"Adam on the mean square, of all weights and all samples, with a rate that falls from 0.03 to 0. Kernels " +
		"interpolate: the Gaussian kernel of width 0.3 and the Laplace kernel of width 1, with 10⁻¹⁰ on the " +
		"diagonal. The error is the squared L² distance from the step, averaged over x₀ in its cell. The excess is " +
		"the amount by which the error exceeds the bound h/6 of latent/ramp, as a share of the error, and the " +
		"overshoot is the share of the range of the fit outside [0, 1].",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(6, 200), Default: "16"},
		{Name: "m", Symbol: "m", Meaning: "neurons", Domain: theory.IntegerBetween(1, 200), Default: "40"},
		{Name: "steps", Symbol: "T", Meaning: "steps", Domain: theory.IntegerBetween(0, 1e5), Default: "1000"},
	},
	Claim: "The median excess of the network is below a third, so that its error is below 1.5 times the smallest that " +
		"any method can have, and its median overshoot is below 0.1. The excess of the Laplace kernel is below a third " +
		"too, and that of the Gaussian kernel above a half, with an overshoot above 0.1. So on noiseless samples a fit is " +
		"good if it draws the ramp, and a kernel can do that without learning a feature.",
	TeX: `\mathbb{E}_{x_0} \lVert f - y \rVert^2 = \tfrac{h}{6} + \lVert f - \mathrm{ramp} \rVert^2`,
	Assumptions: []theory.Assumption{
		{ID: "trained", Text: "the network is trained"},
		{ID: "noiseless", Text: "the samples have no noise"},
	},
	Source: paper.At("companion slides on adaptivity to smoothness, the Heaviside function"),
	Deviations: "The slides show pictures. Sizes, widths, the optimiser and the measure of error are ours; by " +
		"latent/ramp no method does better than the bound.",
	Proof: "None: this is an observation. latent/ramp gives the bound, and the excess of any fit.",
	Tolerance: "Confidence intervals for medians over independent runs; the whole interval must lie on the claimed side " +
		"of the bound, 2 % of it away. Sizes and bounds were chosen after pilot runs. Of 1000 later, none had an excess of " +
		"the network above a third or an overshoot above 0.1; the medians were 0.0002 and 0.006.",
	Limits: "One size, one width and one optimiser. With as many steps the excess grows with n, as the slope of the " +
		"ramp does: thm try measures it. With noise the order of the methods is different, see latent/jump.",
	RestsOn: []string{"latent/ramp"},
	Predict: func(v theory.Values) []theory.Quantity {
		h := 2 / (v.Float("n") - 1)
		return []theory.Quantity{
			{Name: "error", Symbol: "E ≥ h/6", Value: CellRamp{h, 0, 1}.Bound(), Bound: "≥", Nonnegative: true,
				Meaning: "squared error, averaged over the jump"},
			{Name: "root", Symbol: "√(h/12)", Value: math.Sqrt(h / 12), Bound: "≥", Nonnegative: true,
				Meaning: "root mean square error over [−1, 1]"},
		}
	},
}
