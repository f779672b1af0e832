package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Lipschitz says how far the hidden state moves when one layer takes a gradient step, against how far the virtual
// step would move it.
//
// # Setting
//
// One layer z = W h₋, a = σ(z), one sample, h₋ its input; p = ∂loss/∂a at the output of the layer; s the derivative
// of σ that the backward pass uses at z. Only this layer takes a plain gradient step γ, and it trains no bias.
//
// # Claim
//
// z⁺ = z − γ‖h₋‖² s⊙p. With Δa = σ(z⁺) − σ(z) and the virtual move Δv = −γp, for every unit i
//
//	|Δaᵢ| ≤ L|sᵢ|‖h₋‖²|Δvᵢ| ≤ L²‖h₋‖²|Δvᵢ|,     Δaᵢ·Δvᵢ ≥ 0 when σ is non-decreasing,
//	Δaᵢ = ‖h₋‖² σ′(zᵢ)² Δvᵢ + O(γ²), remainder at most ½ sup|σ″| ‖h₋‖⁴ γ² sᵢ²pᵢ².
//
// The first follows from |z⁺ᵢ − zᵢ| = γ‖h₋‖²|sᵢpᵢ| and the Lipschitz constant, the second from the mean value
// theorem, the third from Taylor's.
//
// # Numerical form
//
// Roundings are relative to Σ|Wᵢⱼ||h₋ⱼ| + γ|gᵢ|‖h₋‖², stretched by σ at most L times. z is an inner product of length n
// and errs by n·u, z⁺ by three more, because a weight is updated in three operations, and ‖h₋‖² in the bound by n+6, its
// other factors by five: (3n+14)·u in all. σ itself errs by a few u relative to its value and to its argument, here
// 8u·(|σ(z)|+|σ(z⁺)|). The sum is the slack of the inequalities.
//
// # Source
//
// Theorem 3 of the poster and paper, corrected; the local law is derived above.
//
// # Deviations
//
// The source takes ‖h₋‖ = 1 and prints a strict inequality and equal signs; see the errata.
var Lipschitz = theory.Statement{
	Slug:     "vcl/lipschitz",
	Title:    "Actual against virtual update of the hidden state",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "One layer a = σ(W h₋) on one sample; p = ∂loss/∂a; the layer alone takes a plain gradient step of size γ " +
		"without a bias. Δa is how its output moves, Δv = −γp the virtual move, s the derivative of σ that the backward pass uses.",
	Params: []theory.Param{
		{Name: "activation", Symbol: "σ", Meaning: "activation", Domain: theory.OneOf(shapeNames()...), Default: "gelu"},
		{Name: "z", Symbol: "z", Meaning: "pre-activation", Domain: theory.Real(), Default: "1.4142135623730951"},
		{Name: "p", Symbol: "p", Meaning: "gradient of the loss at the unit's output", Domain: theory.Real(), Default: "1"},
		{Name: "step", Symbol: "γ", Meaning: "step size", Domain: theory.Above(0), Default: "0.001"},
		{Name: "input_norm", Symbol: "‖h₋‖", Meaning: "norm of the layer's input", Domain: theory.AtLeast(0), Default: "1"},
		{Name: "slope", Symbol: "s", Meaning: "derivative of σ at z that the backward pass uses"},
		{Name: "cosine", Symbol: "c", Meaning: "cosine between two inputs of a batch", Domain: theory.Between(0, 1), Default: "0.5"},
	},
	Claim: "|Δa| ≤ L|s|‖h₋‖²|Δv| ≤ L²‖h₋‖²|Δv| for every unit; Δa·Δv ≥ 0 for a non-decreasing activation; Δa = ‖h₋‖²σ′(z)²Δv up to O(γ²).",
	TeX: `\lvert \Delta a_i \rvert \le L \lvert s_i \rvert \lVert h_- \rVert^2 \lvert \Delta v_i \rvert \le L^2 \lVert h_- \rVert^2 \lvert \Delta v_i \rvert, \quad ` +
		`\Delta a_i \, \Delta v_i \ge 0, \quad ` +
		`\Delta a_i = \lVert h_- \rVert^2 \sigma'(z_i)^2 \Delta v_i + O(\gamma^2)`,
	Assumptions: []theory.Assumption{
		{ID: "one-sample", Text: "the step is taken on one sample, or on samples with orthogonal inputs"},
		{ID: "only-layer", Text: "only this layer is updated"},
		{ID: "no-bias", Text: "the layer trains no bias"},
		{ID: "plain-descent", Text: "the step is plain gradient descent"},
		{ID: "lipschitz", Text: "σ is L-Lipschitz and the derivative of the backward pass is at most L"},
		{ID: "monotone", Text: "σ is non-decreasing (for the sign only)"},
	},
	Source: paper.At("Theorem 3"),
	Deviations: "The factor ‖h₋‖² is written out; the source normalises the input. Signs are compared as Δa·Δv ≥ 0, " +
		"since a flat unit does not move. The local law and the wrong-sign rate of a batch are derived here.",
	Errata: []theory.Erratum{
		{ID: "strict", Printed: "|σ(W⁺h₋) − σ(Wh₋)| < L²|h⁺ − h|", Locus: "Theorem 3",
			Correct:        "≤; equality where σ is affine with slope L on the segment, or p = 0",
			Counterexample: "identity, L = 1, z = 0, p = 1, γ = 0.1: |Δa| = |Δv| = 0.1"},
		{ID: "dead-unit", Printed: "sgn(σ(W⁺h₋) − σ(Wh₋)) = sgn(h⁺ − h)", Locus: "Theorem 3",
			Correct:        "Δa·Δv ≥ 0; a unit with σ′(z) = 0 does not move",
			Counterexample: "ReLU, z = −1, p = 1, γ = 0.1: Δa = 0, Δv = −0.1"},
		{ID: "gelu-constant", Printed: "GELU is 1-Lipschitz", Locus: "remark after Theorem 3",
			Correct:        "L = Φ(√2) + √2 φ(√2) = 1.1289…, so L² = 1.2744…",
			Counterexample: "GELU, z = √2, p = 1, γ = 0.001: Δa/Δv = 1.2744 > 1"},
		{ID: "unnormalised", Printed: "|σ(W⁺h₋) − σ(Wh₋)| < L²|h⁺ − h|, used on inputs that are not normalised", Locus: "Theorem 3 and experiments",
			Correct:        "the factor ‖h₋‖² belongs to the bound",
			Counterexample: "identity, h₋ = 2, z = 0, p = 1, γ = 0.1: Δa = −0.4 = 4Δv"},
		{ID: "mini-batch", Printed: "Theorem 3 for a step on a mini-batch", Locus: "Theorem 3 and experiments",
			Correct: "|Δaᵢ| ≤ γ L Σⱼ |h₋ⱼ·h₋ᵢ||gⱼ|; for two inputs at cosine c and Gaussian p the sign is wrong with probability arctan(c)/π",
			Counterexample: "identity, two samples with h₋ = 1 and p = (1, −3), γ = 0.1: " +
				"Δa₁ = +0.2 and Δv₁ = −0.1"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: predictUnit,
}

func predictUnit(v theory.Values) []theory.Quantity {
	shape := Shapes[v.Choice("activation")]
	u := UnitStep{Shape: shape, InputNorm: v.Float("input_norm"), Virtual: -v.Float("step") * v.Float("p")}
	slope := shape.Slope(v.Float("z"))
	return []theory.Quantity{
		{Name: "lipschitz", Symbol: "L", Value: shape.Lipschitz, Meaning: "Lipschitz constant of the activation"},
		{Name: "virtual", Symbol: "Δv", Value: u.Virtual, Meaning: "virtual move of the unit"},
		{Name: "bound", Symbol: "L²‖h₋‖²|Δv|", Value: u.Bound(), Meaning: "largest possible actual move"},
		{Name: "local", Symbol: "‖h₋‖²σ′(z)²Δv", Value: u.Local(slope), Meaning: "actual move to first order in γ"},
		{Name: "remainder", Symbol: "½ sup|σ″|‖h₋‖⁴σ′(z)²Δv²", Value: u.Remainder(slope), Meaning: "largest error of the local law"},
		{Name: "wrong_sign", Symbol: "arctan(c)/π", Value: WrongSignRate(v.Float("cosine")),
			Meaning: "probability that a batch of two moves an affine unit the wrong way"},
	}
}

// UnitStep is the move of one unit.
type UnitStep struct {
	Shape     Shape
	InputNorm float64 // ‖h₋‖
	Virtual   float64 // Δv = −γp
}

// Valid names the violated hypothesis.
func (u UnitStep) Valid() error {
	if !(u.InputNorm >= 0) {
		return errors.New("vcl: the norm of the input must not be negative")
	}
	if !(u.Shape.Lipschitz > 0) {
		return errors.New("vcl: the activation has no Lipschitz constant")
	}
	return nil
}

// Bound returns L²‖h₋‖²|Δv|.
func (u UnitStep) Bound() float64 { return u.BoundAt(u.Shape.Lipschitz) }

// BoundAt returns L|s|‖h₋‖²|Δv| for the derivative s that the backward pass uses. It is at most Bound when |s| ≤ L.
func (u UnitStep) BoundAt(s float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	return u.Shape.Lipschitz * math.Abs(s) * u.InputNorm * u.InputNorm * math.Abs(u.Virtual)
}

// Local returns the first-order move ‖h₋‖²σ′²Δv for the slope σ′ at the unit's pre-activation.
func (u UnitStep) Local(slope float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	return u.InputNorm * u.InputNorm * slope * slope * u.Virtual
}

// Remainder returns ½ sup|σ″| (‖h₋‖²σ′Δv)², which bounds the error of Local. It is NaN when σ has a kink.
func (u UnitStep) Remainder(slope float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	move := u.InputNorm * u.InputNorm * slope * u.Virtual
	return u.Shape.Curvature / 2 * move * move
}

// ThirdOrder returns sup|σ‴|/6 |‖h₋‖²σ′Δv|³, which bounds what the remainder hides behind its second-order term.
func (u UnitStep) ThirdOrder(slope float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	move := u.InputNorm * u.InputNorm * slope * u.Virtual
	return u.Shape.Third / 6 * math.Pow(math.Abs(move), 3)
}

// BatchStep is the move of one unit on sample i when the step is taken on the summed loss of a batch.
type BatchStep struct {
	Shape    Shape
	Step     float64   // γ
	Products []float64 // hⱼ·hᵢ for every sample j of the batch, i included
	PreGrads []float64 // gⱼ, the unit's pre-activation gradients
}

// Bound returns γL Σⱼ |hⱼ·hᵢ||gⱼ|. It is NaN without an equal number of products and gradients, or without a Lipschitz
// constant.
func (b BatchStep) Bound() float64 {
	if len(b.Products) != len(b.PreGrads) || !(b.Shape.Lipschitz > 0) {
		return math.NaN()
	}
	sum := 0.0
	for j, product := range b.Products {
		sum += math.Abs(product * b.PreGrads[j])
	}
	return b.Step * b.Shape.Lipschitz * sum
}

// WrongSignRate returns arctan(c)/π: the probability that p₁ and p₁ + c·p₂ have opposite signs, for independent
// standard normal p. The vector (1, c) makes the angle arctan c with (1, 0), and signs differ on a double wedge of
// that angle. It is NaN outside c ∈ [0, 1].
func WrongSignRate(c float64) float64 {
	if !(c >= 0 && c <= 1) {
		return math.NaN()
	}
	return math.Atan(c) / math.Pi
}
