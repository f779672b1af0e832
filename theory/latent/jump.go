package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Jump is the claim latent/jump.
var Jump = theory.Statement{
	Slug:     "latent/jump",
	Title:    "A noisy step, seen by linear smoothers and by a fitted step",
	Kind:     theory.Scaling,
	Standing: theory.Finding,
	Setting: "y = f(i/n) + 0.3·N(0, 1) at i = 1, …, n with f = 1{x > t} or sin 2π(x − t), t uniform on [0.2, 0.8]. " +
		"Running means with the window that is best for the data set at hand, known to an oracle, and the step with one " +
		"jump that fits best. Errors are mean squares at the samples, averaged over data sets.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerBetween(8, 1e6), Default: "256"},
	},
	Claim: "For the step the error of running means falls as n^(−1/2), although an oracle chooses the window, and " +
		"that of the fitted step as 1/n. For the sine running means are as n^(−4/5), and the fitted step does not " +
		"converge.",
	TeX: `\mathbb{E}\lVert \hat f - f \rVert^2 \sim n^{-1/2} \ \text{(linear)}, \quad n^{-1} \ \text{(step)}`,
	Assumptions: []theory.Assumption{
		{ID: "jump", Text: "f has a jump"},
		{ID: "noise", Text: "the samples have noise"},
	},
	Source: paper.At("companion slides on adaptivity to smoothness, the Heaviside function"),
	Deviations: "The slides fit a network and kernels to noiseless samples, where both draw a ramp between the " +
		"neighbours of the jump and neither is better. The step stands for a network of two ReLUs that are free to move.",
	Proof: "A window of length h has variance σ²/(nh) and near the jump a squared bias of order 1 on a length h: h ~ " +
		"n^(−1/2). The jump is located to O(1/n). For smooth f the squared bias is h⁴: h ~ n^(−1/5).",
	Tolerance: "Medians of slopes over independent sweeps of three sizes; a draw is a mean over 18 data sets, whose " +
		"scatter, at most 0.24 of it, enters the margin. Finite sizes are allowed 0.08 in an exponent, which was chosen " +
		"after pilot runs; reports print the measured exponents with their intervals.",
	Limits: "One noise level, sizes from 64 to 1024, running means as the linear method. That no linear method is " +
		"faster is classical and not checked.",
	Predict: func(v theory.Values) []theory.Quantity {
		n := v.Float("n")
		return []theory.Quantity{
			{Name: "smoother", Symbol: "n^(−1/2)", Value: math.Pow(n, JumpExponent("box", true)),
				Meaning: "order of the error of running means"},
			{Name: "step", Symbol: "1/n", Value: math.Pow(n, JumpExponent("step", true)),
				Meaning: "order of the error of the fitted step"},
		}
	},
}

// JumpExponent returns the exponent of n in the squared error of running means or of a fitted step, for a function
// with or without a jump.
func JumpExponent(method string, jump bool) float64 {
	switch {
	case method == "step" && jump:
		return -1
	case method == "step":
		return 0
	case jump:
		return -0.5
	}
	return -0.8
}
