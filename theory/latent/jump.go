package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Jump is the claim latent/jump.
var Jump = theory.Statement{
	Slug:  "latent/jump",
	Title: "Running means and a fitted step on a noisy step function",
	Plain: "Running means estimate a noisy step at rate n^(−1/2) and a fitted step at rate 1/n; on a sine only " +
		"running means converge.",
	Kind:     theory.Scaling,
	Standing: theory.Derivation,
	Setting: "y = f(i/n) + σ·N(0, 1) at i = 1, …, n with f = 1{x > t} or sin 2π(x − t), t uniform on [0.2, 0.8]. " +
		"Running means over 2h+1 samples, fewer at the ends, where windows are cut off; and the best-fitting step function " +
		"with one jump. Errors are mean squares at the samples.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerBetween(16, 1e5), Default: "256"},
		{Name: "noise", Symbol: "σ", Meaning: "standard deviation of the noise", Domain: theory.Between(0.1, 1),
			Default: "0.3"},
	},
	Claim: "The expected error of running means is (1/n)Σᵢ(bᵢ² + σ²/cᵢ), with the bias bᵢ of the window at i and the " +
		"number cᵢ of its samples. At the best h it is asymptotically σ/√(3n) for the step, whereas the error of the " +
		"fitted step falls as 1/n. For the sine the best expected error, averaged over t, falls faster than for the step, " +
		"with an exponent between −4/5, the exponent of whole windows, and −3/4, the exponent of windows cut off at the " +
		"ends. The error of every step function for the sine is at least ½ − 4/(n sin(π/n))², which grows to ½ − 4/π² > " +
		"0.09.",
	TeX: `\min_h \mathbb{E}\lVert \hat f_h - f \rVert^2 \sim \frac{\sigma}{\sqrt{3n}} \ \text{(running means)}, ` +
		`\quad \mathbb{E}\lVert \hat f - f \rVert^2 \sim n^{-1} \ \text{(step)}`,
	Assumptions: []theory.Assumption{
		{ID: "jump", Text: "f has a jump"},
		{ID: "noise", Text: "the samples have independent noise of variance σ²"},
	},
	Source: paper.At("companion slides on adaptivity to smoothness, the Heaviside function"),
	Deviations: "The slides fit a network and kernels to noiseless samples, where both give a ramp between the " +
		"neighbours of the jump and neither is better. Here the fitted step represents a network of two ReLUs that can " +
		"move, and running means represent linear methods.",
	Proof: "Bias and variance of each mean. For the step the squared biases add up to (w²−1)/(12w) with w = 2h+1, so " +
		"that the error is σ²/w + w/(12n) up to 0.39σ²/n from the ends and 1/(12wn); w = σ√(12n) is best. The jump is " +
		"located to O(1/n). For the sine the squared bias of a whole window is of order (w/n)⁴, and the squared bias of " +
		"the cut-off windows, a share w/n of all, is of order (w/n)². A step with its jump after k of n samples explains " +
		"(Σ_{i≤k} f(i/n))²n/(k(n−k)) ≤ 4n/(n sin(π/n))² of Σf² = n/2, by the sum of sines and sin²πa ≤ 4a(1−a).",
	Tolerance: "The expected error of running means at a window of about the best length is measured over the noise " +
		"vectors ±σ√n eᵢ, which have the first two moments of the noise, on which alone it depends; sums round by nu. " +
		"The exponent is a median over draws of 12 data sets; 70 % of 216 draws were between −1.033 and −0.982, from " +
		"which the margin follows. The noise around a jump is the same at all n, and errors of the two means are " +
		"replaced by their expectation σ²/n. The limit σ/√(3n) holds up to the terms of the proof and the grid of " +
		"windows. The means on both sides of the jump have a relative error of σ²/(0.2n), below 0.01, which moves " +
		"the exponent of the fitted step by less than 0.01.",
	Limits: "σ = 0.3, sizes from 64 to 1024, up to 4096 for the formula at its best window. If an oracle chooses the " +
		"window for each data set, exponents are measured and not claimed. At a single t the exponent for the sine " +
		"can be below −4/5, as at t = ¼, where the sine is flat at both ends. It is classical, and not checked here, " +
		"that no linear method has a better exponent.",
	Predict: func(v theory.Values) []theory.Quantity {
		s := Smoother{N: v.Int("n"), Noise: v.Float("noise")}
		return theory.Limits("n → ∞", []theory.Quantity{
			{Name: "smoother", Symbol: "σ/√(3n)", Value: s.StepLimit(),
				Meaning: "error of running means with the best window", Nonnegative: true},
			{Name: "best", Symbol: "min_h at t = ½", Value: s.BestError(s.step()), Meaning: "the same at this n"},
			{Name: "sine", Symbol: "≥ ½ − 4/(n sin(π/n))²", Value: s.SineFloor(),
				Meaning: "error of every step for the sine", Bound: "≥", Nonnegative: true},
		}, "best", "sine")
	},
}

// Smoother smooths N values at i/N with independent noise of standard deviation Noise.
type Smoother struct {
	N     int
	Noise float64
}

// Valid names the violated hypothesis.
func (s Smoother) Valid() error {
	return theory.Require(s.N >= 3 && s.Noise >= 0,
		"latent: need three samples and a standard deviation that is not negative")
}

// Error returns the expected mean square error of running means over windows that reach the given number of samples to
// either side, cut off at the ends, for N true values.
func (s Smoother) Error(truth []float64, reach int) float64 {
	if s.Valid() != nil || len(truth) != s.N || reach < 0 {
		return math.NaN()
	}
	window, from, to, sum := 0.0, 0, 0, 0.0 // of truth[from:to]
	for i, f := range truth {
		for ; to < min(s.N, i+reach+1); to++ {
			window += truth[to]
		}
		for ; from < i-reach; from++ {
			window -= truth[from]
		}
		count := float64(to - from)
		bias := window/count - f
		sum += bias*bias + s.Noise*s.Noise/count
	}
	return sum / float64(s.N)
}

// BestError returns the smallest [Smoother.Error] over windows whose reaches grow by an eighth.
func (s Smoother) BestError(truth []float64) float64 {
	best := math.Inf(1)
	for reach := 0; reach < s.N/2; reach += 1 + reach/8 {
		best = min(best, s.Error(truth, reach))
	}
	return best
}

// step returns the step with its jump in the middle.
func (s Smoother) step() []float64 {
	out := make([]float64, s.N)
	for i := s.N / 2; i < s.N; i++ {
		out[i] = 1
	}
	return out
}

// Reach returns about half of the best window: σ√(3N) for a step, and 0.22(σ/0.3)^(2/5)N^(4/5) for the sine, where σ²/w
// + (w/N)⁴·(4π²)²/1152 is smallest.
func (s Smoother) Reach(jump bool) int {
	n := float64(s.N)
	if jump {
		return int(math.Round(s.Noise * math.Sqrt(3*n)))
	}
	curvature := math.Pow(4*math.Pi*math.Pi, 2) / 1152
	return int(math.Round(math.Pow(s.Noise*s.Noise*math.Pow(n, 4)/(4*curvature), 0.2) / 2))
}

// StepLimit returns σ/√(3N), the asymptotic error for a step with the best window.
func (s Smoother) StepLimit() float64 {
	return theory.When(s.Valid() == nil, s.Noise/math.Sqrt(3*float64(s.N)))
}

// StepExcess bounds the relative difference between [Smoother.BestError] of a step and [Smoother.StepLimit]: 0.39σ²/N
// from the ends, 1/(12wN) at w = σ√(12N), and half the square of the distance of the windows from the best one.
func (s Smoother) StepExcess() float64 {
	n := float64(s.N)
	apart := 1./16 + 1/(s.Noise*math.Sqrt(12*n))
	return 0.39*s.Noise*math.Sqrt(3/n) + 1/(24*s.Noise*s.Noise*n) + apart*apart/2
}

// SineFloor returns ½ − 4/(N sin(π/N))²: no step function has a smaller mean square distance from the sine at the
// samples.
func (s Smoother) SineFloor() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	n := float64(s.N)
	return 0.5 - 4/math.Pow(n*math.Sin(math.Pi/n), 2)
}
