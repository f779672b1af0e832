package latent

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Angles is the claim latent/angles: the leading directions of the first step need fewer samples than its bulk.
var Angles = theory.Statement{
	Slug:  "latent/angles",
	Title: "Angle between the leading directions of the first step and the latent subspace",
	Plain: "With at least d neurons, the first step's leading directions find the latent subspace from a number " +
		"of samples proportional to d.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "n samples x ~ N(0, I) in d dimensions, y = Σ_{i≤r}(xᵢ²−1)/√(2r) + ϵ with fair ϵ = ±ς; preprocessing by " +
		"the sample's α and β; W⁽¹⁾ is the first step of m neurons in symmetric pairs without bias, with λ₁ = 1/η₁. V is " +
		"the span of the right singular vectors of its r largest singular values, and sin²θ = ‖(I−Π⋆)Π_V‖_F²/r the mean " +
		"squared sine of the angles between V and the latent subspace S⋆.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e6), Default: "64"},
		{Name: "r", Symbol: "r", Meaning: "latent directions, at most d", Domain: theory.IntegerBetween(1, 100),
			Default: "1"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(1, 1e9), Default: "2048"},
		{Name: "noise", Symbol: "ς", Meaning: "size of the noise", Domain: theory.Between(0, 100), Default: "0"},
		{Name: "m", Symbol: "m", Meaning: "neurons", Domain: theory.IntegerBetween(2, 1e4), Default: "512"},
	},
	Claim: "For d → ∞, m ≫ r and rd(1+ς²)(1 + d/m) ≪ n ≪ md²/r, sin²θ is asymptotically (d−r)/(2n)·(r + 4 + rς² + " +
		"πrd(1+ς²)/m). With m ≳ d neurons the leading directions find the subspace from n ∝ d samples, whereas most of the " +
		"step lies in the subspace only from n ∝ d².",
	TeX: `\sin^2\theta \approx \frac{d - r}{2n} ` +
		`\left( r + 4 + r\varsigma^2 + \frac{\pi r d (1 + \varsigma^2)}{m} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "labels", Text: "the labels belong to the samples"},
		{ID: "noise", Text: "the noise has variance ς²"},
		{ID: "preprocessed", Text: "the linear part of the sample is subtracted",
			NoControl: "without it ββᵀ/4 joins the second moment of the rows, which at these sizes is not among the largest"},
		{ID: "rank", Text: "H has rank r", NoControl: "the controls of latent/energy and latent/learning drop it"},
	},
	Source: paper.At("section 3: the first step learns the latent subspace"),
	Deviations: "The source needs n ≥ Ω̃(d²r) for every neuron. The span of all neurons together, derived here, " +
		"averages over them; it acts as a spectral estimator.",
	Proof: "The part of 1{w·x≥0} that is linear in ŵ is proportional to ŵ·x/‖x‖, so that WᵀW is to leading order the " +
		"square of Ĥ = (1/n)Σ ŷxxᵀ plus a multiple of I. First-order perturbation: Ĥ has the mean H = √(2/r)Π⋆ and a block " +
		"(I−Π⋆)ĤΠ⋆ whose entries have the variance E y²x₁²/n = (1 + 4/r + ς²)/n, and there are r(d−r) of them. The part " +
		"that is not linear in ŵ is independent noise of m/2 neurons, of variance (1+ς²)/(4n) in each coordinate; along a " +
		"latent direction the m/2 neurons together have (m/2)‖H‖_F²/(2πdr), with ‖H‖_F² = 2. On the population a neuron " +
		"has −½(ŵᵀHŵ)ŵ in addition to Hŵ, which leaves sin²θ = (r+2)(r+4)/(2md): n ≪ md²/r.",
	Tolerance: "The check takes the median over data sets of sin²θ divided by its prediction. If errors are normal, a " +
		"single value scatters by √(2/(r(d−r))), 0.25; 0.3 is allowed. Taking 1/√d for 1/‖x‖ changes the constant by the " +
		"factor 1 − 3.3/d for r = 1 and less with noise or more directions, and 4/d is allowed; the second order of the " +
		"perturbation adds the squared norm of (I−Π⋆)Ĥ(I−Π⋆) over that of H, 4(1+ς²)d/n · r/2.",
	Cost: "Gradients of many samples in growing dimension, and their singular vectors.",
	Limits: "d = 32 with n = 64d for one direction, with and without noise, and four; the growth with d at n = 32d " +
		"between 16 and 96 for one direction. Small angles only: nothing is said about the smallest n at which the " +
		"subspace is found at all.",
	RestsOn: []string{"latent/energy", "latent/hessian"},
	Predict: func(v theory.Values) []theory.Quantity {
		iso := Isotropic{D: v.Int("d"), R: v.Int("r")}
		step := Step{D: v.Int("d"), N: v.Int("n"), Noise: v.Float("noise"), H: iso.Target().Hessian(v.Int("r"))}
		angle := Angle{v.Int("d"), v.Int("r"), v.Int("n"), v.Int("m"), v.Float("noise")}
		return theory.Limits("d → ∞", []theory.Quantity{
			{Name: "sine", Symbol: "sin²θ", Value: angle.SineSquared(),
				Meaning:     "mean squared sine between the leading directions and the subspace, at most 1",
				Nonnegative: true},
			{Name: "share", Symbol: "ρ", Value: step.Share(), Meaning: "share of the step in the subspace, latent/energy",
				Nonnegative: true},
		})
	},
	Violated: func(v theory.Values) error {
		return cmp.Or(
			(Isotropic{D: v.Int("d"), R: v.Int("r")}).Valid(),
			theory.Require(v.Float("n")*v.Float("r") <= v.Float("m")*v.Float("d")*v.Float("d"),
				"latent: n ≤ md²/r: with more samples the angle is set by the population's gradients"),
		)
	},
}

// Angle is the first step on N samples of the target Σ_{i≤R}(xᵢ²−1)/√(2R) in D dimensions with noise ±Noise and
// M neurons.
type Angle struct {
	D, R, N, M int
	Noise      float64
}

// SineSquared returns (D − R)/(2N)·(R + 4 + Rς² + πRD(1+ς²)/M), or 1 if that is more; NaN outside the hypotheses.
func (a Angle) SineSquared() float64 {
	if a.N < 1 || a.M < 2 || (Isotropic{D: a.D, R: a.R}).Valid() != nil {
		return math.NaN()
	}
	r, labels := float64(a.R), 1+a.Noise*a.Noise
	neurons := math.Pi * r * float64(a.D) * labels / float64(a.M)
	return min(1, float64(a.D-a.R)/(2*float64(a.N))*(4+r*labels+neurons))
}
