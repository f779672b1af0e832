package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Interpolation is the claim latent/interpolation: rates of a kernel depend on the smoothness of the function.
var Interpolation = theory.Statement{
	Slug:  "latent/interpolation",
	Title: "Rates and norms of interpolation with a kernel, by smoothness",
	Plain: "Interpolation with the kernel min(s, t) converges at rates set by the target's smoothness; for a " +
		"step, its norm diverges.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "The kernel min(s, t) on [0, 1], samples at i/n for i = 1, …, n, no noise; the interpolant of least " +
		"norm. Three functions with f(0) = 0: a step 1{x > x₀} and a kink |x − x₀| − x₀, x₀ < 1 at the fraction θ of a " +
		"cell of length 1/n, and sin 2πx.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "number of samples", Domain: theory.IntegerBetween(2, 1e6), Default: "64"},
		{Name: "theta", Symbol: "θ", Meaning: "position of the jump or kink within its cell",
			Domain: theory.Between(0, 1), Default: "0.5"},
	},
	Claim: "The interpolant is linear between samples. Its squared L² error is (θ³+(1−θ)³)/(3n) for the step, " +
		"4θ²(1−θ)²/(3n³) for the kink, and ½ + (2+cos(2π/n))/6 − (n/π·sin(π/n))² for the sine and n ≥ 3, with rates " +
		"n^(−1/2), n^(−3/2) and n^(−2). Its squared norm is n for the step, which diverges, at most 1 for the kink, and " +
		"2n² sin²(π/n) → 2π² for the sine.",
	TeX: `\lVert f - \hat f \rVert^2 = \frac{\theta^3 + (1-\theta)^3}{3n} \ \text{(step)}, \quad ` +
		`\frac{4\theta^2(1-\theta)^2}{3n^3} \ \text{(kink)}`,
	Assumptions: []theory.Assumption{
		{ID: "kernel", Text: "the kernel is min(s, t)"},
		{ID: "grid", Text: "the samples are i/n"},
		{ID: "noiseless", Text: "the samples have no noise"},
	},
	Source:     paper.At("companion slides on adaptivity to smoothness"),
	Deviations: "The slides show pictures for other kernels and networks; here everything has a closed form.",
	Proof: "The interpolant solves a variational problem for ∫f'², whose solutions are linear between samples and start " +
		"at 0. The error is piecewise linear for the step and the kink. For the sine the coefficients of hat functions at " +
		"frequency 1 are values of a squared sinc, and their mass matrix has the eigenvalue (2+cos(2π/n))/3. The norm is n " +
		"Σ(Δyᵢ)².",
	Tolerance: "The kernel system has condition number 16n²/π², and Cholesky's solution errs by 20n·u times that in its " +
		"values; errors and norms may differ by 4 times this error times the largest value. Quadrature is exact on each " +
		"linear piece, and for the sine to 10⁻¹³.",
	Limits: "One kernel, one dimension, n up to 64. Other kernels have other rates for smooth functions, and ring at " +
		"a jump.",
	Predict: func(v theory.Values) []theory.Quantity {
		n, theta := v.Int("n"), v.Float("theta")
		return []theory.Quantity{
			{Name: "step", Symbol: "error of a step", Value: math.Sqrt(StepError(n, theta)), Meaning: "L² error"},
			{Name: "kink", Symbol: "error of a kink", Value: math.Sqrt(KinkError(n, theta)), Meaning: "L² error"},
			{Name: "sine", Symbol: "error of sin 2πx", Value: math.Sqrt(SineError(n)), Meaning: "L² error"},
			{Name: "norm", Symbol: "norm² for the sine", Value: SineNorm(n), Meaning: "squared norm of the interpolant"},
		}
	},
}

// StepError returns (θ³+(1−θ)³)/(3n).
func StepError(n int, theta float64) float64 {
	return (math.Pow(theta, 3) + math.Pow(1-theta, 3)) / (3 * float64(n))
}

// KinkError returns 4θ²(1−θ)²/(3n³).
func KinkError(n int, theta float64) float64 {
	return 4 * math.Pow(theta*(1-theta), 2) / (3 * math.Pow(float64(n), 3))
}

// SineError returns ½ + (2+cos(2π/n))/6 − (sin(π/n)/(π/n))². With x = π/n it is 1 − sin²x/3 − sin²x/x², which for
// small x is taken from its series x⁴/15 − 11x⁶/945 + …, without the cancellation.
//
// For n ≤ 2 the sine vanishes at all samples, and the error is its own square, ½.
func SineError(n int) float64 {
	if n <= 2 {
		return 0.5
	}
	x := math.Pi / float64(n)
	if x < 0.1 {
		y := x * x
		return y * y * (1./15 + y*(-11./945+y*(13./14175-y*(2./42525-2048./479001600))))
	}
	s := math.Sin(x)
	return 1 - s*s/3 - s*s/(x*x)
}

// SineNorm returns 2n² sin²(π/n), and 0 for n ≤ 2.
func SineNorm(n int) float64 {
	if n <= 2 {
		return 0
	}
	s := float64(n) * math.Sin(math.Pi/float64(n))
	return 2 * s * s
}
