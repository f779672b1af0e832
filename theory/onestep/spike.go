package onestep

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// Spike says that the first-layer gradient is rank one, up to a remainder that is small in operator norm and is not
// small in Frobenius norm, and that its right vector leans towards the teacher by a known angle.
//
// # Setting
//
// G = (1/n)[(a yᵀ − N^(−1/2) a aᵀσ(W₀Xᵀ)) ∘ σ′(W₀Xᵀ)]X, N×d, which is −√N times the gradient of
// (1/2n)‖y − N^(−1/2)σ(XWᵀ)a‖² at W₀. The rows of W₀ have length one (or N(0, 1/d) entries).
//
// # Claim
//
// G = c₁ a βᵀ + R with β = Xᵀy/n. ‖R‖_F → s, s² = φ E y² (E σ′(Z)² − c₁²), because row j of R is
// a_j (1/n) Σᵢ yᵢ(σ′(zⱼᵢ) − c₁)xᵢ up to smaller terms, n nearly independent summands of squared length d. The energy
// spreads over all rows and directions: ‖R‖_op is of order n^(−1/2) up to a logarithm. The logarithm is real: the row
// of the largest |a_j| ~ √(2 log N/N) alone has length s|a_j|.
//
// ‖β‖² → b² = c⋆₁² + φ E y², because β = c⋆₁β⋆ + noise of covariance E y²/n; so cos(β, β⋆) → ρ = c⋆₁/b.
//
// W₁ = W₀ + ηG then shows an outlier at the place that [WeightSpike] gives.
//
// # Numerical form
//
// The exponent is the slope of log ‖R‖_op − log ‖R‖_F − ¼ log log N over log n. The logarithm enters ‖R‖_op with a power
// between 0 and ½, so that it leaves an uncertainty of 1/(4 log N). Limits are means over independent networks at one
// size, with zones from the variance at that size and the terms of order 1/d and 1/N that the limit leaves out.
//
// # Source
//
// The slides display W₁ = W₀ + ηc₁aβᵀ + small. The paper bounds the remainder in operator norm by log²n/√n. s, b, ρ
// and the constant of the literal scaling are derived here.
var Spike = theory.Statement{
	Slug:     "onestep/spike",
	Title:    "The first gradient is one spike plus a remainder that is small in operator norm only",
	Kind:     theory.Scaling,
	Standing: theory.Theorem,
	Setting: "f(x) = N^(−1/2) aᵀσ(W₀x), a_j ~ N(0, 1/N), rows of W₀ of length one, x ~ N(0, I), y = σ⋆(β⋆ᵀx) + noise. " +
		"G = −√N ∂/∂W (1/2n)‖y − N^(−1/2)σ(XWᵀ)a‖² at W₀, N×d. n, d, N → ∞ with d/n → φ and d/N → ψ.",
	Params: append([]theory.Param{
		{Name: "eta", Symbol: "η", Meaning: "step size, W₁ = W₀ + ηG", Domain: theory.Above(0), Default: "4"},
		{Name: "G", Symbol: "G", Meaning: "direction of descent of the first layer", Shape: "N×d"},
		{Name: "R", Symbol: "R", Meaning: "remainder", Shape: "N×d"},
		{Name: "a", Symbol: "a", Meaning: "output weights", Shape: "N"},
		{Name: "beta", Symbol: "β", Meaning: "Xᵀy/n", Shape: "d"},
	}, stepParams...),
	Claim: "G = c₁ a βᵀ + R with β = Xᵀy/n, where ‖R‖_op falls as n^(−1/2) up to a logarithm while " +
		"‖R‖_F² → s² = φ E y² (E σ′(Z)² − c₁²); ‖β‖² → b² = c⋆₁² + φ E y² and cos(β, β⋆) → c⋆₁/b.",
	TeX: `G = c_1 a \beta^{\top} + R, \quad \lVert R \rVert_{\mathrm{op}} = n^{-1/2 + o(1)}, \quad ` +
		`\lVert R \rVert_F^2 \to \varphi \, \mathbb{E} y^2 \left( \mathbb{E} \sigma'(Z)^2 - c_1^2 \right), \quad ` +
		`\lVert \beta \rVert^2 \to c_{\star 1}^2 + \varphi \, \mathbb{E} y^2`,
	Assumptions: []theory.Assumption{
		{ID: "mean-field", Text: "the output carries a factor N^(−1/2) besides a_j ~ N(0, 1/N), so that the residual is y to leading order"},
		{ID: "slope-mean", Text: "c₁ = E σ′(Z) ≠ 0"},
		{ID: "linear-part", Text: "the teacher has a linear part, c⋆₁ ≠ 0"},
		{ID: "same-sample", Text: "β is formed from the sample that the gradient is taken on"},
		{ID: "centred-labels", Text: "E y = 0", NoControl: "with E y ≠ 0 and c₂ ≠ 0 the limit of ‖R‖_F² has a further term (2c₂ E y)², which is not checked yet"},
		{ID: "isotropic", Text: "the samples are isotropic Gaussian, x ~ N(0, I)"},
		{ID: "moments", Text: "labels have light tails; a finite second moment at least"},
		{ID: "proportional", Text: "n, d, N grow in proportion", NoControl: "it is the direction of the limit, and every ladder of sizes is taken along it; φ and ψ enter the closed forms"},
	},
	Source: paper.At("one gradient step: the displayed update and W₁ = W₀ + ηc₁aβᵀ + small; arXiv 2310.07891, section on the updated weights"),
	Proof: "Row j of R is a_j (1/n) Σᵢ yᵢ(σ′(zⱼᵢ) − c₁)xᵢ up to smaller terms, n nearly independent summands of squared length d " +
		"each; the energy spreads over all rows and directions. β = c⋆₁β⋆ + noise of covariance E y²/n. The row of the largest " +
		"|a_j| ~ √(2 log N/N) alone has length s|a_j|, so the logarithm in ‖R‖_op is real.",
	Tolerance: "The exponent is the slope of log ‖R‖_op − log ‖R‖_F − ¼ log log N over log n; the logarithm enters ‖R‖_op with a " +
		"power between 0 and ½, which leaves an uncertainty of 1/(4 log N). Limits are means over independent networks at one " +
		"size, with margins from the variance at that size and the terms of order 1/d and 1/N that the limit leaves out.",
	Limits: "Three setups, all with a linear teacher and Gaussian noise, φ and ψ of 0.4 and 0.5. The limit of ‖R‖_F² is that of " +
		"labels with mean zero: where E y ≠ 0 and c₂ ≠ 0 it has a further term (2c₂ E y)², which no case here draws and the " +
		"statement does not have yet. Its intervals are Student's, and not at their nominal level on skewed draws. The exponent " +
		"is that of sizes n from 128 to 1024 at standard effort.",
	Deviations: "The slides write f(x) = aᵀσ(W₀x); we use the mean-field scaling N^(−1/2)aᵀσ(W₀x), without which the claim is " +
		"false (first erratum). W₀ has rows of length one as in the paper; the slides have N(0, 1/d) entries, which give the " +
		"same limits here and are among the checked set-ups. ‖β⋆‖ = 1.",
	Errata: []theory.Erratum{
		{
			ID:      "output-scale",
			Printed: "f(x) = aᵀσ(W₀x) with a_j ~ N(0, 1/N), and W₁ = W₀ + ηc₁aβᵀ + small",
			Locus:   "slides, one gradient step",
			Correct: "With that output the residual y − f is not close to y, and ‖G − c₁aβᵀ‖_op → |c₁|√(c₁² + φ E σ²). The claim " +
				"holds with a further N^(−1/2) on the output.",
			Counterexample: "√e(sin z + cos z) − 1 at φ = 2/5: ‖G − c₁aβᵀ‖_op tends to √(1 + 0.4(e − 1)) = 1.299 and not to 0",
		},
		{
			ID:             "gradient-constant",
			Printed:        "W₁ = W₀ − η ∂/∂W ‖y − σ(XWᵀ)a‖² = W₀ + (η/n)[(ayᵀ − aaᵀσ(W₀Xᵀ)) ∘ σ′(W₀Xᵀ)]X",
			Locus:          "slides, one gradient step",
			Correct:        "The display is the gradient step of (1/2n)‖y − σ(XWᵀ)a‖². The loss as written gives 2n times as much.",
			Counterexample: "one sample, one neuron, everything equal to one: the derivative of ‖y − σ‖² is −2(y − σ)σ′, the display has (y − σ)σ′",
		},
		{
			ID:             "small-in-norm",
			Printed:        "the remainder is small, with no norm named",
			Locus:          "slides, one gradient step",
			Correct:        "It is small in operator norm. In Frobenius norm it tends to s > 0, and this changes the features from the second order on (onestep/expansion).",
			Counterexample: "√e(sin z + cos z) − 1, y = z + noise of variance 1/4, φ = 2/5: ‖R‖_F² → (e − 1)/2 = 0.859, beside ‖c₁aβᵀ‖_F² → 3/2",
		},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		s := stepFrom(v)
		w := s.WeightSpike(v.Float("eta"))
		outlier := 0.0
		if w.Visible() {
			outlier = w.Location()
		}
		return []theory.Quantity{
			{Name: "b", Symbol: "b", Value: s.Length(), Meaning: "limit of ‖β‖"},
			{Name: "rho", Symbol: "ρ", Value: s.Alignment(), Meaning: "limit of cos(β, β⋆)"},
			{Name: "s2", Symbol: "s²", Value: s.Remainder(), Meaning: "limit of ‖R‖_F², which is not small"},
			{Name: "exponent", Symbol: "", Value: RemainderExponent, Meaning: "exponent of n in ‖R‖_op, up to a logarithm"},
			{Name: "literal", Symbol: "", Value: s.LiteralRemainder(), Meaning: "limit of ‖R‖_op in the literal scaling f = aᵀσ(W₀x)"},
			{Name: "threshold", Symbol: "η_c", Value: s.Threshold(), Meaning: "step size from which on W₁ shows an outlier"},
			{Name: "edge", Symbol: "", Value: w.Edge(), Meaning: "largest singular value of the bulk of W₁"},
			{Name: "outlier", Symbol: "", Value: outlier, Meaning: "singular value of the outlier of W₁; 0 when there is none"},
			{Name: "overlap", Symbol: "", Value: w.Right() * s.Alignment() * s.Alignment(), Meaning: "squared cosine of its right vector with β⋆"},
		}
	},
}

// stepParams are the parameters of [Step] as a user sets them.
var stepParams = []theory.Param{
	{Name: "phi", Symbol: "φ", Meaning: "d/n", Domain: theory.Above(0), Default: "0.5"},
	{Name: "psi", Symbol: "ψ", Meaning: "d/N", Domain: theory.Above(0), Default: "0.6"},
	{Name: "activation", Symbol: "σ", Meaning: "activation", Domain: theory.OneOf(activationNames()...), Default: "sincos"},
	{Name: "linear", Symbol: "c⋆₁", Meaning: "linear coefficient of the teacher", Domain: theory.Above(0), Default: "1"},
	{Name: "nonlinear", Symbol: "c⋆²−c⋆₁²", Meaning: "energy of the teacher's nonlinear part", Domain: theory.AtLeast(0), Default: "0"},
	{Name: "noise", Symbol: "σ_ε²", Meaning: "variance of the label noise", Domain: theory.AtLeast(0), Default: "0.25"},
}

func stepFrom(v theory.Values) Step {
	linear := v.Float("linear")
	return Step{Phi: v.Float("phi"), Psi: v.Float("psi"), Activation: activation(v.Choice("activation")),
		Linear: linear, Energy: linear*linear + v.Float("nonlinear") + v.Float("noise")}
}

// RemainderExponent is the exponent of n in the operator norm of the remainder, up to a logarithm.
const RemainderExponent = -0.5

// Step is the first step in the proportional limit.
type Step struct {
	Phi, Psi   float64 // d/n, d/N
	Activation hermite.Activation
	Linear     float64 // c⋆₁
	Energy     float64 // E y² = Σ k! c⋆ₖ² + noise variance
}

// Valid names the violated hypothesis.
func (s Step) Valid() error {
	switch {
	case !(s.Phi > 0 && s.Psi > 0) || math.IsInf(s.Phi, 0) || math.IsInf(s.Psi, 0):
		return errors.New("onestep: φ and ψ must be positive")
	case !(math.Abs(s.Activation.Coefficient(1)) > 0):
		return errors.New("onestep: the activation has no linear part (c₁ = 0)")
	case s.Linear == 0:
		return errors.New("onestep: the teacher has no linear part (c⋆₁ = 0)")
	case !(s.Energy >= s.Linear*s.Linear) || math.IsInf(s.Energy, 0):
		return errors.New("onestep: E y² is less than the energy of its linear part, or not finite")
	}
	return nil
}

// Length returns b = √(c⋆₁² + φ E y²), the limit of ‖β‖.
func (s Step) Length() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	return math.Sqrt(s.Linear*s.Linear + s.Phi*s.Energy)
}

// Alignment returns ρ = c⋆₁/b, the limit of cos(β, β⋆).
func (s Step) Alignment() float64 { return s.Linear / s.Length() }

// Remainder returns s² = φ E y² (E σ′² − c₁²), the limit of ‖R‖_F². Row j of R has squared length a_j² s².
func (s Step) Remainder() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	c1 := s.Activation.Coefficient(1)
	return s.Phi * s.Energy * (s.Activation.SlopeEnergy - c1*c1)
}

// LiteralRemainder returns |c₁|√(c₁² + φ E σ²), the limit of ‖G − c₁aβᵀ‖_op when the output is aᵀσ(W₀x) without a
// factor N^(−1/2). The missing piece is c₁ a (Xᵀf/n)ᵀ with f = σ(XW₀ᵀ)a, and f has the linear part c₁W₀ᵀa of length
// |c₁| and the second moment E σ². It needs a centred activation, c₀ = 0.
func (s Step) LiteralRemainder() float64 {
	if s.Valid() != nil || s.Activation.Coefficient(0) != 0 {
		return math.NaN()
	}
	c1 := s.Activation.Coefficient(1)
	return math.Abs(c1) * math.Sqrt(c1*c1+s.Phi*s.Activation.Energy)
}

// Threshold returns η_c = ψ^(−1/4)/(|c₁| b), from which on the spike separates from the bulk of W₁.
func (s Step) Threshold() float64 {
	return math.Pow(s.Psi, -0.25) / (math.Abs(s.Activation.Coefficient(1)) * s.Length())
}

// WeightSpike returns the spike in W₁ = W₀ + ηG.
func (s Step) WeightSpike(eta float64) WeightSpike {
	return WeightSpike{Strength: eta * math.Abs(s.Activation.Coefficient(1)) * s.Length(), Psi: s.Psi}
}
