package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Lipschitz is the claim vcl/lipschitz.
var Lipschitz = theory.Statement{
	Slug:  "vcl/lipschitz",
	Title: "Actual versus virtual update of the hidden state",
	Plain: "After a gradient step on one layer, no output moves further than L²‖h‖² times its virtual step, for " +
		"an L-Lipschitz activation.",
	Kind:     theory.Inequality,
	Standing: theory.Theorem,
	Setting: "One layer a = σ(z), z = W h₋, on one sample; p = ∂loss/∂a; the layer alone takes a plain gradient step of " +
		"size γ without a bias. Δa is the actual change of the output, Δv = −γp is the virtual one, and s is the " +
		"derivative of σ that the backward pass uses.",
	Params: []theory.Param{
		{Name: "activation", Symbol: "σ", Meaning: "activation", Domain: theory.OneOf(shapeNames()...),
			Default: "gelu"},
		{Name: "z", Symbol: "z", Meaning: "pre-activation", Domain: theory.Between(-1e6, 1e6),
			Default: "1.4142135623730951"},
		{Name: "p", Symbol: "p", Meaning: "gradient of the loss at the unit's output",
			Domain: theory.Between(-1e30, 1e30), Default: "1"},
		stepSize(theory.Inside(0, 1e20), "0.001"),
		{Name: "input_norm", Symbol: "‖h₋‖", Meaning: "norm of the layer's input",
			Domain: theory.Between(0, 1e25), Default: "1"},
		{Name: "cosine", Symbol: "c", Meaning: "cosine between two inputs of a batch",
			Domain: theory.Between(-1, 1), Default: "0.5"},
		{Name: "W", Symbol: "W", Meaning: "weights of the layer before the step", Shape: "m×n"},
		{Name: "h", Symbol: "h₋", Meaning: "input of the layer", Shape: "n"},
		{Name: "pre", Symbol: "z", Meaning: "pre-activations before the step", Shape: "m"},
		{Name: "pre_next", Symbol: "z⁺", Meaning: "pre-activations after the step, at the same input", Shape: "m"},
		{Name: "slope", Symbol: "s", Meaning: "derivatives of σ at z that the backward pass uses", Shape: "m"},
		{Name: "grad", Symbol: "p", Meaning: "gradient of the loss in the layer's output", Shape: "m"},
		{Name: "out", Symbol: "a", Meaning: "outputs before the step", Shape: "m"},
		{Name: "out_next", Symbol: "a⁺", Meaning: "outputs after the step, at the same input", Shape: "m"},
	},
	Claim: "z⁺ − z = ‖h₋‖²s·Δv for every unit, and so |Δa| ≤ L|s|‖h₋‖²|Δv| ≤ L²‖h₋‖²|Δv|; Δa·Δv ≥ 0 for a " +
		"non-decreasing activation; Δa = ‖h₋‖²σ′(z)²Δv up to ½ sup|σ″|(‖h₋‖²σ′(z)Δv)² for a smooth one, exactly of " +
		"second order in γ where σ′(z), σ″(z), h₋ and p do not vanish.",
	TeX: `\lvert \Delta a_i \rvert \le L \lvert s_i \rvert \lVert h_- \rVert^2 \lvert \Delta v_i \rvert ` +
		`\le L^2 \lVert h_- \rVert^2 \lvert \Delta v_i \rvert, \quad ` +
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
	Deviations: "The source takes ‖h₋‖ = 1; the factor ‖h₋‖² is written out here. Signs are compared as Δa·Δv ≥ 0, " +
		"since a flat unit does not move. The local law, the bound of a batch and its wrong-sign rate are derived " +
		"here.",
	Proof: "W⁺ = W − γ(s⊙p)h₋ᵀ, so z⁺ − z = −γ‖h₋‖²s⊙p. The bound follows from the Lipschitz constant, the sign from " +
		"monotonicity, and the local law from Taylor's theorem. On a batch zᵢ moves by −γΣⱼ(hⱼ·hᵢ)gⱼ: at most " +
		"γLΣⱼ|hⱼ·hᵢ||gⱼ| at the output. For two unit inputs at cosine c and standard normal p the signs of p₁ and p₁ + " +
		"c·p₂ differ on a double wedge of the angle arctan|c|.",
	Tolerance: "Roundings are relative to Σ|Wᵢⱼ||h₋ⱼ| + γ|gᵢ|‖h₋‖², stretched by σ at most L times. z is an inner " +
		"product of length n and errs by n·u, z⁺ by three more, because a weight is updated in three operations, and " +
		"‖h₋‖² in the bound by n+6, its other factors by five: (3n+14)·u in all. σ itself errs by a few u relative " +
		"to its value and to its argument, here 8u·(|σ(z)|+|σ(z⁺)|). The wrong-sign rate is compared with a " +
		"confidence sequence and an equivalence margin, both from exact binomial tails.",
	Limits: "Only the layer itself is updated, on one sample. Neither is true in training; the wrong-sign rate of a " +
		"batch of two shows how often the sign then fails. That rate is for affine units and Gaussian gradients. " +
		"Pre-activations have standard deviation 3, so that the far tails of the activations are rare.",
	Cost: "A probability is estimated to its equivalence margin, which takes many units.",
	Readings: []theory.Reading{
		{ID: "strict", Reading: "|σ(W⁺h₋) − σ(Wh₋)| < L²|h⁺ − h|, as printed, with < for less and not equal",
			Locus:   "Theorem 3, poster and paper of November 2025",
			Correct: "≤; equality where σ is affine with slope L on the segment, or p = 0",
			Counterexample: "identity, L = 1, ‖h₋‖ = 1, z = 0, p = 1, γ = 0.1: |Δa| = |Δv| = 0.1; and 0 < 0 for any " +
				"σ where p = 0"},
		{ID: "gelu-constant", Reading: "the bound holds with L = 1 for the common activations, GELU among them",
			Locus:          "remark after Theorem 3, poster and paper of November 2025, which names no GELU",
			Correct:        "GELU has L = Φ(√2) + √2 φ(√2) = 1.1289…, so L² = 1.2744…",
			Counterexample: "GELU, z = √2, p = 1, γ = 0.001: Δa/Δv = 1.2744 > 1"},
		{ID: "dead-unit", Reading: "sgn(σ(W⁺h₋) − σ(Wh₋)) = sgn(h⁺ − h) for increasing σ, with sgn 0 = 0",
			Locus: "Theorem 3",
			Correct: "Δa·Δv ≥ 0; a unit with σ′(z) = 0 does not move, whether it is a ReLU, which some do not call " +
				"increasing, or has a strictly increasing activation. The successor reads sgn 0 as either sign",
			Counterexample: "z − sin z, which is strictly increasing, at z = 0, p = 1, γ = 0.1: Δa = 0, Δv = −0.1"},
		{ID: "mini-batch", Reading: "Theorem 3 for a step on a mini-batch, since the theorem does not say that it is for " +
			"one sample",
			Locus: "Theorem 3 and experiments",
			Correct: "|Δaᵢ| ≤ γ L Σⱼ |h₋ⱼ·h₋ᵢ||gⱼ|; for two inputs at cosine c and Gaussian p the sign is wrong with " +
				"probability arctan|c|/π",
			Counterexample: "identity, two samples with h₋ = 1 and p = (1, −3), γ = 0.1: Δa₁ = +0.2 and Δv₁ = −0.1"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: predictUnit,
}

func predictUnit(v theory.Values) []theory.Quantity {
	shape := Shapes[v.Choice("activation")]
	u := UnitStep{Shape: shape, InputNorm: v.Float("input_norm"), Virtual: -v.Float("step") * v.Float("p")}
	slope := shape.Slope(v.Float("z"))
	out := []theory.Quantity{
		{Name: "lipschitz", Symbol: "L", Value: shape.Lipschitz, Meaning: "Lipschitz constant of the activation"},
		{Name: "virtual", Symbol: "Δv", Value: u.Virtual, Meaning: "virtual move of the unit"},
		{Name: "bound", Symbol: "L²‖h₋‖²|Δv|", Value: u.Bound(), Meaning: "largest possible actual move", Bound: "≤"},
		{Name: "local", Symbol: "‖h₋‖²σ′(z)²Δv", Value: u.Local(slope), Meaning: "actual move", Limit: "γ → 0"},
		{Name: "wrong_sign", Symbol: "arctan|c|/π", Value: WrongSignRate(v.Float("cosine")),
			Meaning: "probability that a batch of two moves an affine unit the wrong way", Nonnegative: true},
	}
	if !math.IsNaN(shape.Curvature) { // no kink
		out = append(out, theory.Quantity{Name: "remainder", Symbol: "½ sup|σ″|‖h₋‖⁴σ′(z)²Δv²",
			Value: u.Remainder(slope), Meaning: "largest error of the local law"})
	}
	return out
}

// UnitStep is the move of one unit.
type UnitStep struct {
	Shape     Shape
	InputNorm float64 // ‖h₋‖
	Virtual   float64 // Δv = −γp
}

// Valid names the violated hypothesis.
func (u UnitStep) Valid() error {
	return cmp.Or(
		theory.Require(u.InputNorm >= 0, "vcl: the norm of the input must not be negative"),
		theory.Require(u.Shape.Lipschitz > 0, "vcl: the activation has no Lipschitz constant"),
	)
}

// Bound returns L²‖h₋‖²|Δv|.
func (u UnitStep) Bound() float64 { return u.BoundAt(u.Shape.Lipschitz) }

// BoundAt returns L|s|‖h₋‖²|Δv| for the derivative s that the backward pass uses. It is at most Bound when |s| ≤ L.
func (u UnitStep) BoundAt(s float64) float64 {
	return theory.When(u.Valid() == nil, u.Shape.Lipschitz*math.Abs(s)*u.InputNorm*u.InputNorm*math.Abs(u.Virtual))
}

// Move returns ‖h₋‖²sΔv, how far the pre-activation moves.
func (u UnitStep) Move(s float64) float64 {
	return theory.When(u.Valid() == nil, u.InputNorm*u.InputNorm*s*u.Virtual)
}

// Local returns the first-order move ‖h₋‖²σ′²Δv for the slope σ′ at the unit's pre-activation.
func (u UnitStep) Local(slope float64) float64 {
	return theory.When(u.Valid() == nil, u.InputNorm*u.InputNorm*slope*slope*u.Virtual)
}

// Remainder returns ½ sup|σ″| (‖h₋‖²σ′Δv)², which bounds the error of Local. It is NaN when σ has a kink.
func (u UnitStep) Remainder(slope float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	move := u.Move(slope)
	return u.Shape.Curvature / 2 * move * move
}

// ThirdOrder returns sup|σ‴|/6 |‖h₋‖²σ′Δv|³, which bounds the remainder beyond its second-order term.
func (u UnitStep) ThirdOrder(slope float64) float64 {
	if u.Valid() != nil {
		return math.NaN()
	}
	move := u.Move(slope)
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

// WrongSignRate returns arctan|c|/π: the probability that p₁ and p₁ + c·p₂ have opposite signs, for independent
// standard normal p. The vector (1, c) makes the angle arctan|c| with (1, 0), and signs differ on a double wedge of
// that angle. It is NaN outside c ∈ [−1, 1].
func WrongSignRate(c float64) float64 {
	return theory.When(c >= -1 && c <= 1, math.Atan(math.Abs(c))/math.Pi)
}
