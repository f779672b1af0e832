package onestep

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Spike is the claim onestep/spike.
var Spike = theory.Statement{
	Slug:  "onestep/spike",
	Title: "The first gradient is one spike plus a remainder that is small only in operator norm",
	Plain: "The first gradient is a rank-one spike plus a remainder that is small in operator norm, though not " +
		"in Frobenius norm.",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "f(x) = N^(−1/2) aᵀσ(W₀x), a_j ~ N(0, 1/N), rows of W₀ of length one or with N(0, 1/d) entries, x ~ N(0, " +
		"I), y = σ⋆(β⋆ᵀx) + noise with any mean. G = (1/n)[(a eᵀ) ∘ σ′(W₀Xᵀ)]X, N×d, with the residual e = y − f. G is −√N " +
		"times the gradient of (1/2n)‖y − f‖² in W at W₀. n, d, N → ∞ with d/n → φ and d/N → ψ.",
	Params: append([]theory.Param{
		{Name: "eta", Symbol: "η", Meaning: "step size, W₁ = W₀ + ηG", Domain: theory.Between(1e-3, 1e3), Default: "4"},
		{Name: "X", Symbol: "X", Meaning: "samples of the step, in rows", Shape: "n×d"},
		{Name: "e", Symbol: "e", Meaning: "residual y − f", Shape: "n"},
		{Name: "S", Symbol: "σ′(XW₀ᵀ)", Meaning: "slopes of the activation", Shape: "n×N"},
		{Name: "a", Symbol: "a", Meaning: "output weights", Shape: "N"},
		{Name: "G", Symbol: "G", Meaning: "direction of descent of the first layer", Shape: "N×d"},
		{Name: "R", Symbol: "R", Meaning: "remainder", Shape: "N×d"},
		{Name: "beta", Symbol: "β", Meaning: "Xᵀy/n", Shape: "d"},
	}, stepParams...),
	Claim: "$G = c₁ a βᵀ + R$ with β = Xᵀy/n, where ‖R‖_op falls as n^(−1/2) up to powers of log n while $‖R‖_F² → φ E " +
		"y² (E σ′(Z)² − c₁²) + (2c₂E y)²$. ‖β‖² → b² = c⋆₁² + φ E y² and cos(β, β⋆) → c⋆₁/b. The largest singular " +
		"value of W₀ + ηG tends to √((1+θ²)(1/ψ+θ²))/θ if θ = η|c₁|b > ψ^(−1/4), and to 1 + ψ^(−1/2) otherwise.",
	TeX: `G = c_1 a \beta^{\top} + R, \quad ` +
		`\lVert R \rVert_F^2 \to \varphi \, \mathbb{E} y^2 \left( \mathbb{E} \sigma'(Z)^2 - c_1^2 \right) + \left( ` +
		`2 c_2 \mathbb{E} y \right)^2, \quad \lVert R \rVert_{\mathrm{op}} = n^{-1/2 + o(1)}, \quad ` +
		`\lVert \beta \rVert^2 \to c_{\star 1}^2 + \varphi \, \mathbb{E} y^2`,
	Assumptions: []theory.Assumption{
		{ID: "mean-field", Text: "the output carries a factor N^(−1/2) besides a_j ~ N(0, 1/N), so that the residual " +
			"is y to leading order"},
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "with the factor N^(−1/2) the mean of the output is of order " +
			"N^(−1/2) as well, and nothing changes in the limit"},
		{ID: "slope-mean", Text: "c₁ = E σ′(Z) ≠ 0"},
		{ID: "same-sample", Text: "β is formed from the sample of the gradient"},
		{ID: "isotropic", Text: "the samples are isotropic Gaussian, x ~ N(0, I)"},
		{ID: "moments", Text: "the largest of n labels is a power of log n: σ⋆ grows no faster than a polynomial, " +
			"and the noise has exponential moments"},
		{ID: "slope", Text: "σ is the integral of σ′, which grows no faster than a polynomial: a kink is allowed, but not " +
			"a jump", NoControl: "with a jump, c₁ = E Zσ(Z) would differ from E σ′(Z)"},
		{ID: "proportional", Text: "n, d, N grow in proportion", NoControl: "this is the direction of the limit, and every " +
			"size sweep follows it; φ and ψ enter the closed forms"},
	},
	Source: paper.At("one gradient step: the displayed update and W₁ = W₀ + ηc₁aβᵀ + small; arXiv 2310.07891, " +
		"section on the updated weights"),
	Deviations: "The slides write f(x) = aᵀσ(W₀x); we use the mean-field scaling N^(−1/2)aᵀσ(W₀x), without which the " +
		"claim is false (reading output-scale). ‖β⋆‖ = 1. The paper itself was not read, only its abstract and the slides.",
	Proof: "Row j of R is a_j (1/n) Σᵢ yᵢ(σ′(zⱼᵢ) − c₁)xᵢ up to the output's share, zⱼᵢ = w_j·xᵢ. Its mean over the " +
		"samples is a_j E y E[σ″(Z)] w_j = 2c₂E y a_j w_j by Stein's identity, up to O(d^(−1/2)), and its fluctuation is a " +
		"sum of n nearly independent terms of squared length d, with total energy s² = φ E y²(E σ′² − c₁²). The energy " +
		"spreads over all rows and directions. The row of the largest |a_j| ~ √(2 log N/N) alone has the length |a_j|√(s² " +
		"+ (2c₂E y)²), so the logarithm cannot be avoided. β is c⋆₁β⋆ plus noise of covariance E y²/n. The outlier is the " +
		"one of a rank-one perturbation of a rectangular Gaussian matrix (Benaych-Georges and Nadakuditi).",
	Tolerance: "The formula for the gradient is an identity: sums of n terms with a few roundings each. Limits are " +
		"medians over independent networks, with order-statistic intervals; two sizes remove the part of order 1/d. To see " +
		"limits at sizes of a few hundred, common fluctuations are removed too: ‖R‖_F² is compared with ‖a‖² tr Σ, where " +
		"Σ, d×d, is the covariance of the rows of R/a given the batch, with M = (1/n)Σ yᵢxᵢxᵢᵀ: Σ = (4c₂²/d)M² + (E σ′² − " +
		"c₁² − 4c₂²)(1/n²)Σ yᵢ²xᵢxᵢᵀ. It tends to the claimed limit. ‖R‖_op is divided by the norm of diag(a) Z Σ^(1/2), Z " +
		"independent standard normal, which by Chevet's bound is at most max|a_j| √(tr Σ) + ‖a‖ √‖Σ‖_op on average, " +
		"n^(−1/2) times powers of logarithms; the exponent of the quotient is compared with zero. Both norms are divided " +
		"by the ratio of the length of the rows with the largest |a_j| to the average length. The ratio says nothing " +
		"about Σ itself. Therefore ‖R‖_op/log n is compared with n^(−1/2) from above, and ‖R‖_F²/min(d, N) bounds " +
		"‖R‖_op² from below. The spike of W₁ is taken with the sample's own ‖a‖, ‖β‖ and aᵀW₀β.",
	Limits: "Six setups: φ from 0.4 to 1.5, ψ from 0.5 to 2, five activations, one of them with a kink, six teachers, " +
		"Gaussian noise. Limits are extrapolated from √(nd) = 40 and 200 at standard effort. The exponent comes from sizes " +
		"up to 200 as well, relative to a Gaussian matrix of the same covariances; the decay of this matrix's norm as " +
		"n^(−1/2) up to logarithms is argued, not measured. The experiment says, for all setups together and with a coarse " +
		"margin, that ‖R‖_op itself falls no slower than log n/√n. Samples are exactly Gaussian.",
	Cost: "The check takes operator norms of gradients at several sizes, for enough networks to judge an exponent.",
	Errata: []theory.Erratum{
		{
			ID: "gradient-constant",
			Printed: `\mathbf{W}_1 = \mathbf{W}_0 - \eta \frac{\partial}{\partial \mathbf{W}} \left(\|\mathbf{y} - ` +
				`\sigma(\mathbf{X}\mathbf{W}^\top)\mathbf{a}\|_2^2 \right) \Big|_{\mathbf{W}_0, \mathbf{a}} = ` +
				`\mathbf{W}_0 + \frac{\eta}{n} \left[(\mathbf{a}\mathbf{y}^\top - \mathbf{a}\mathbf{a}^\top ` +
				`\sigma(\mathbf{W}_0\mathbf{X}^\top)) \circ \sigma'(\mathbf{W}_0\mathbf{X}^\top) \right] \mathbf{X}`,
			Locus: "slides of 23 March 2024, one gradient step",
			Correct: "The right-hand side is the gradient step of (1/2n)‖y − σ(XWᵀ)a‖². The loss on the left gives 2n " +
				"times as much, at the same η, and 2n is not 1 for any n.",
			Counterexample: "one sample, one neuron, everything equal to one: the derivative of ‖y − σ‖² is −2(y − " +
				"σ)σ′, the display has (y − σ)σ′",
		},
	},
	Readings: []theory.Reading{
		{
			ID: "output-scale",
			Reading: "with f(x) = aᵀσ(W₀x) and a_j ~ N(0, 1/N) as well, what remains after subtracting c₁aβᵀ, β = " +
				"Xᵀy/n, is small in operator norm",
			Locus: "slides of 23 March 2024, one gradient step, where a remainder is called small with no norm " +
				"named, and W₁ is the step of that network",
			Correct: "With that output the residual y − f is not close to y, and ‖G − c₁aβᵀ‖_op does not fall with " +
				"n. The claim holds with a further N^(−1/2) on the output.",
			Counterexample: "√e(sin z + cos z) − 1 at φ = 2/5: the missing piece c₁a(Xᵀf/n)ᵀ has the length √(1 + " +
				"0.4(e − 1)) = 1.3 in the limit",
		},
		{
			ID:      "small-in-norm",
			Reading: "the remainder is small in every norm",
			Locus:   "slides of 23 March 2024, one gradient step: W₁ = W₀ + ηc₁aβᵀ + small, with no norm named",
			Correct: "It is small in operator norm. In Frobenius norm it has a positive limit, which changes the " +
				"features from the second order on (onestep/expansion).",
			Counterexample: "√e(sin z + cos z) − 1, y = z + noise of variance 1/4, φ = 2/5: ‖R‖_F² → (e − 1)/2 = " +
				"0.859, against ‖c₁aβᵀ‖_F² → 3/2",
		},
		{
			ID: "mean-free",
			Reading: "only the second moment of the labels enters the remainder, ‖R‖_F² → φ E y² (E σ′(Z)² − c₁²), " +
				"as for teachers without a mean",
			Locus:          "slides of 23 March 2024: σ⋆ is not said to be centred",
			Correct:        "The mean adds (2c₂E y)²: the rows of R lean towards those of W₀.",
			Counterexample: "√e(sin z + cos z) − 1 and y = max(z, 0): (2c₂E y)² = 1/(2π)",
		},
	},
	RestsOn:  []string{"spectra/bbp"},
	Violated: violated,
	Predict: func(v theory.Values) []theory.Quantity {
		s := StepFrom(v)
		w := s.WeightSpike(v.Float("eta"))
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "b", Symbol: "b", Value: s.Length(), Meaning: "length of β"},
			{Name: "rho", Symbol: "ρ", Value: s.Alignment(), Meaning: "cos(β, β⋆)"},
			{Name: "remainder", Symbol: "", Value: s.Remainder(), Meaning: "‖R‖_F², which is not small"},
			{Name: "exponent", Symbol: "", Value: RemainderExponent,
				Meaning: "exponent of n in ‖R‖_op, up to logarithms"},
			{Name: "threshold", Symbol: "η_c", Value: s.Threshold(),
				Meaning: "step size beyond which W₁ has an outlier"},
			{Name: "largest", Symbol: "", Value: w.Largest(), Meaning: "largest singular value of W₁"},
			{Name: "edge", Symbol: "", Value: w.Edge(),
				Meaning: "largest singular value of the bulk of W₁"},
			{Name: "overlap", Symbol: "", Value: w.Right() * s.Alignment() * s.Alignment(),
				Meaning: "squared cosine of the outlier's right vector with β⋆; 0 without an outlier"},
		}, "exponent")
	},
}

// RemainderExponent is the exponent of n in the operator norm of the remainder, up to a logarithm.
const RemainderExponent = -0.5

// Step is the first step in the proportional limit.
type Step struct {
	Phi, Psi   float64 // d/n, d/N
	Activation hermite.Activation
	Mean       float64 // E y = c⋆₀
	Linear     float64 // c⋆₁
	Energy     float64 // E y² = Σ k! c⋆ₖ² + noise variance
}

// Valid names the violated hypothesis.
func (s Step) Valid() error {
	switch {
	case !(s.Phi > 0 && s.Psi > 0) || math.IsInf(s.Phi, 0) || math.IsInf(s.Psi, 0):
		return errors.New("onestep: φ and ψ must be positive")
	case s.Activation.Coefficient(0) != 0:
		return errors.New("onestep: the activation is not centred (c₀ ≠ 0)")
	case !(math.Abs(s.Activation.Coefficient(1)) > 0):
		return errors.New("onestep: the activation has no linear part (c₁ = 0)")
	case !(s.Energy > 0) || math.IsInf(s.Energy, 0):
		return errors.New("onestep: all labels are zero, or E y² is not finite")
	case !(s.Energy*(1+1e-12) >= s.Linear*s.Linear+s.Mean*s.Mean):
		return errors.New("onestep: E y² is less than the energy of its mean and its linear part")
	}
	return nil
}

// Length returns b = √(c⋆₁² + φ E y²), the limit of ‖β‖.
func (s Step) Length() float64 {
	return theory.When(s.Valid() == nil, math.Sqrt(s.Linear*s.Linear+s.Phi*s.Energy))
}

// Alignment returns ρ = c⋆₁/b, the limit of cos(β, β⋆).
func (s Step) Alignment() float64 { return s.Linear / s.Length() }

// Noise returns s² = φ E y² (E σ′² − c₁²). Row j of R is a_j(g_j + 2c₂E y w_j), with w_j row j of W₀ and ‖g_j‖² → s².
func (s Step) Noise() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	c1 := s.Activation.Coefficient(1)
	return s.Phi * s.Energy * (s.Activation.SlopeEnergy - c1*c1)
}

// Pull returns 2c₂E y, by which the rows of R lean towards those of W₀.
func (s Step) Pull() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return 2 * s.Activation.Coefficient(2) * s.Mean
}

// Remainder returns s² + (2c₂E y)², the limit of ‖R‖_F².
func (s Step) Remainder() float64 { return s.Noise() + s.Pull()*s.Pull() }

// Threshold returns η_c = ψ^(−1/4)/(|c₁| b), the step size beyond which the spike separates from the bulk of W₁.
func (s Step) Threshold() float64 {
	return math.Pow(s.Psi, -0.25) / (math.Abs(s.Activation.Coefficient(1)) * s.Length())
}

// WeightSpike returns the spike in W₁ = W₀ + ηG.
func (s Step) WeightSpike(eta float64) WeightSpike {
	return WeightSpike{Strength: eta * math.Abs(s.Activation.Coefficient(1)) * s.Length(), Psi: s.Psi}
}
