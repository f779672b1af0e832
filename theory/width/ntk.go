package width

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// NTK is the claim width/ntk.
var NTK = theory.Statement{
	Slug:  "width/ntk",
	Title: "Tangent kernel of a ReLU network at its start, also at finite width",
	Plain: "The tangent kernel of a wide ReLU network follows a recursion over layers; at a single input, its mean is " +
		"exact at every width.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "f has L ≥ 2 weight matrices with independent standard normal entries: z¹ = W¹x, zˡ = √(2/n)Wˡσ(zˡ⁻¹), f = " +
		"zᴸ, with the ReLU σ, widths n, and no biases. Inputs x and x′ have length one and the angle θ. Θ_n(x, x′) = " +
		"∇f(x)·∇f(x′), over all weights. κ₀ = (π−θ)/π and κ₁ = (sin θ + (π−θ)cos θ)/π.",
	Params: []theory.Param{
		{Name: "layers", Symbol: "L", Meaning: "number of weight matrices", Domain: theory.IntegerBetween(2, 1000),
			Default: "2"},
		{Name: "c", Symbol: "cos θ", Meaning: "cosine of the inputs", Domain: theory.Between(-1, 1), Default: "0.3"},
		{Name: "n", Symbol: "n", Meaning: "width", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
		{Name: "theta", Symbol: "θ", Meaning: "angle between the inputs"},
		{Name: "kernel", Symbol: "Θ", Meaning: "tangent kernel that was found"},
		{Name: "variance", Symbol: "n Var Θ", Meaning: "variance of one neuron's share that was found"},
	},
	Claim: "As n → ∞, Θ_n tends to Θ_L with $Θ₁ = cos θ₁$, $Θ_{l+1} = κ₀(θ_l)Θ_l + κ₁(θ_l)$ and $cos θ_{l+1} = " +
		"κ₁(θ_l)$, θ₁ = θ. At every width E Θ_n(x, x) = L exactly; and for L = 2 also E Θ_n(x, x′) = Θ₂ and $n Var Θ_n = " +
		"2(J₂ + 2cJ₁ + 3c²J₀)/π − Θ₂²$ with c = cos θ and the J of width/arccosine, which is 12 for x = x′.",
	TeX: `\Theta_1 = \cos\theta_1, \qquad \Theta_{l+1} = \kappa_0(\theta_l)\,\Theta_l + \kappa_1(\theta_l), ` +
		`\qquad \cos\theta_{l+1} = \kappa_1(\theta_l), ` +
		`\qquad n \operatorname{Var} \Theta_n = \tfrac{2}{\pi}\,(J_2 + 2cJ_1 + 3c^2J_0) - \Theta_2^2`,
	Assumptions: []theory.Assumption{
		{ID: "he", Text: "layers after the first have He's factor 2/n"},
		{ID: "trained", Text: "the kernel has the gradients of all layers"},
		{ID: "normal", Text: "the weights are independent and normal"},
	},
	Source: theory.Source{Paper: "After A. Jacot, F. Gabriel and C. Hongler, Neural tangent kernel: convergence and " +
		"generalization in neural networks", ArXiv: "1806.07572", Version: "derived here", Year: 2018,
		Locus: "proof of theory/width.NTK"},
	Deviations: "Here the first layer counts as one of L, and has no factor; for one input Θ_L is L.",
	Proof: "Θ_n is the sum over layers of ⟨δˡ, δ′ˡ⟩⟨hˡ⁻¹, h′ˡ⁻¹⟩ times the factor of the layer, and each product tends " +
		"to its mean layer by layer. For one input the gates of a layer are fair coins that are independent of the layer " +
		"below, and flipping the sign of a row of weights makes two of them uncorrelated in what is propagated back, so " +
		"that E‖δ‖² given the layer below is constant; E‖h‖² is preserved. For L = 2, Θ_n is the mean over neurons of " +
		"2(uv + a²c)1{u>0, v>0}, whose square has the mean 4(J₂ + 2cJ₁ + 3c²J₀)/2π as E a² = 1 and E a⁴ = 3.",
	Tolerance: "The recursion is compared with one whose two factors come from quadrature; where layers align, the " +
		"angle has the error u/θ of a cosine. Drawn networks: medians of batches, whose scatter was measured once.",
	Limits: "L up to 8 for the recursion, and 2 and 3 for networks. For two inputs and L ≥ 3 the mean at finite width " +
		"differs from the limit; it is not claimed.",
	RestsOn: []string{"width/arccosine"},
	Predict: predictNTK,
}

func predictNTK(v theory.Values) []theory.Quantity {
	c := v.Float("c")
	k := Tangent{Layers: v.Int("layers"), Angle: angleOf(c)}
	kernel := theory.Quantity{Name: "kernel", Symbol: "Θ", Value: k.Kernel(), Meaning: "tangent kernel"}
	if k.Layers > 2 {
		if c < 1 {
			kernel.Limit = "n → ∞"
		}
		return []theory.Quantity{kernel}
	}
	return []theory.Quantity{kernel, {Name: "variance", Symbol: "Var Θ", Value: k.Variance() / v.Float("n"),
		Meaning: "of the kernel at width n", Nonnegative: true}}
}

// Tangent describes the tangent kernel of a ReLU network with the given number of weight matrices, at two inputs of
// length one.
type Tangent struct {
	Layers int
	Angle  float64
}

// Valid names the violated hypothesis.
func (k Tangent) Valid() error {
	return theory.Require(k.Layers >= 1 && k.Angle >= 0 && k.Angle <= math.Pi,
		"width: need at least one layer, and an angle in [0, π]")
}

// Kernel returns Θ_L.
func (k Tangent) Kernel() float64 {
	if k.Valid() != nil {
		return math.NaN()
	}
	if k.Angle == 0 {
		return float64(k.Layers)
	}
	angle, theta := k.Angle, math.Cos(k.Angle)
	for range k.Layers - 1 {
		c := arcCosine(1, angle) / math.Pi
		theta = theta*arcCosine(0, angle)/math.Pi + c
		angle = angleOf(c)
	}
	return theta
}

// Variance returns n Var Θ_n for two layers, and NaN for more.
func (k Tangent) Variance() float64 {
	if k.Valid() != nil || k.Layers != 2 {
		return math.NaN()
	}
	c := math.Cos(k.Angle)
	square := arcCosine(2, k.Angle) + 2*c*arcCosine(1, k.Angle) + 3*c*c*arcCosine(0, k.Angle)
	return 2*square/math.Pi - math.Pow(k.Kernel(), 2)
}
