package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

var ansatzPaper = theory.Source{
	Paper: "A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin: Mechanism for feature learning in neural networks " +
		"and backpropagation-free machine learning models",
	ArXiv: "2212.13881", Version: "Science 383 (2024)", Year: 2024,
}

// Ansatz is the claim vcl/ansatz.
var Ansatz = theory.Statement{
	Slug:  "vcl/ansatz",
	Title: "Neural feature ansatz: exact identity, and exponent 1/L for balanced linear networks",
	Plain: "In balanced linear networks of L layers, the first layer's Gram matrix is the L-th root of the " +
		"average gradient outer product.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "AGOP = (1/N)Σ J_hfᵀJ_hf at the input h of a layer z = Wh of a network with any number k of outputs; " +
		"linear networks W_L⋯W₁ of square layers with W_{l+1}ᵀW_{l+1} = W_lW_lᵀ (balanced), trained by gradient flow.",
	Params: []theory.Param{
		{Name: "depth", Symbol: "L", Meaning: "number of layers of the linear network",
			Domain:  theory.IntegerBetween(1, 1000),
			Default: "3"},
		{Name: "gain", Symbol: "σ", Meaning: "a singular value of the whole network",
			Domain: theory.Inside(0, 1e100), Default: "2"},
		layerWeights,
		{Name: "K", Symbol: "K",
			Meaning: "average outer product of the gradients in the pre-activations, (1/N)Σ J_zfᵀJ_zf",
			Shape:   "m×m"},
		{Name: "AGOP", Symbol: "AGOP", Meaning: "average outer product of the gradients in the layer's input, (1/N)Σ " +
			"J_hfᵀJ_hf",
			Shape: "n×n"},
		{Name: "rows", Symbol: "Nk", Meaning: "number of gradients averaged: samples times outputs"},
		{Name: "layers", Symbol: "W₁ … W_L", Meaning: "layers of a linear network, stacked from the first downwards",
			Shape: "Ln×n"},
	},
	Claim: "AGOP = WᵀKW with K = (1/N)Σ J_zfᵀJ_zf for every network; for balanced linear networks AGOP = (W₁ᵀW₁)^L, " +
		"so $W₁ᵀW₁ = AGOP^{1/L}$, and gradient flow keeps a balanced network balanced.",
	TeX: `W_1^{\top} W_1 = \mathrm{AGOP}^{1/L}, \quad ` +
		`\frac{1}{N} \sum_{i=1}^{N} J_h f(x_i)^{\top} J_h f(x_i) = W^{\top} K W`,
	Assumptions: []theory.Assumption{
		{ID: "only-use", Text: "z = Wh is the only use of h"},
		{ID: "balanced", Text: "the linear network is balanced at the start (for the exponent only)"},
		{ID: "flow", Text: "the network is trained by gradient flow, or by steps so small that it stays balanced"},
	},
	Source: ansatzPaper.At("neural feature ansatz; exponent from arXiv 2510.15563 (Tansley, Massart, Cartis)"),
	Deviations: "The ansatz is an observed proportionality (see vcl/alignment); this claim states the identity behind " +
		"it, and the exponent where it is exact. The paper that gives the exponent was known only from second-hand " +
		"accounts; the law is proved below.",
	Proof: "By the chain rule J_hf = J_zf·W, which gives AGOP = WᵀKW: its range lies in the row space of W. In a " +
		"linear network J_hf = W_L⋯W₁, and W_{l+1}ᵀW_{l+1} may be replaced by W_lW_lᵀ from the outside in. Along the " +
		"gradient flow of any loss of W_L⋯W₁ the derivatives of W_{l+1}ᵀW_{l+1} and W_lW_lᵀ agree.",
	Tolerance: "Jacobians of piecewise linear networks are difference quotients of dyadic steps between kinks, exact on " +
		"integers: tolerance 0. In floating point WᵀKW and AGOP differ by at most (4m+2Nk+6)·u‖W‖² tr K. Layers that are " +
		"balanced up to δ in norm, with ‖W_l‖² ≤ S, obey the power law up to E₁, E_k = S(E_{k+1} + (S+δ)^{L−k} − S^{L−k}), " +
		"E_L = 0, plus rounding. The flow is followed by the classical Runge–Kutta method with 96 and 192 steps; since the " +
		"method is of fourth order, the imbalance of the finer run is at most a fifteenth of the difference, and the whole " +
		"difference δ is allowed. With eigenvalues in [s, S] this moves an eigenvalue of AGOP by a relative error of at " +
		"most ((1+δ/s)^{L(L−1)/2} − 1)(S/s)^{(L−1)(L−2)/2}.",
	Limits: "The exponent 1/L is for balanced linear networks; nonlinear networks obey no such law. Flows are " +
		"followed on 5×5 layers up to time 2, towards teachers of condition number 6.",
	Readings: []theory.Reading{
		{ID: "exponent-one", Reading: "WᵀW ∝ (1/N)Σ ∇_x f ∇_x fᵀ with exponent one, as a law of trained networks",
			Locus: "poster, where the ansatz describes an observation",
			Correct: "WᵀW = AGOP^{1/L} for balanced linear networks; exponent 1 only for L = 1 or when all singular " +
				"values are equal",
			Counterexample: "balanced linear networks with 2, 3 and 4 layers trained by gradient flow: the fitted " +
				"exponents are 1/2, 1/3 and 1/4"},
	},
	RestsOn: []string{"vcl/equation", "linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		b := Balanced{Depth: v.Int("depth"), Gain: v.Float("gain")}
		return []theory.Quantity{
			{Name: "exponent", Symbol: "1/L", Value: b.Exponent(), Meaning: "exponent of the ansatz"},
			{Name: "agop", Symbol: "σ²", Value: b.AGOP(), Meaning: "eigenvalue of AGOP"},
			{Name: "gram", Symbol: "σ^{2/L}", Value: b.Gram(), Meaning: "eigenvalue of W₁ᵀW₁"},
		}
	},
}

// Balanced describes a balanced linear network by one of its singular values.
type Balanced struct {
	Depth int
	Gain  float64 // σ of W_L⋯W₁
}

// Valid names the violated hypothesis.
func (b Balanced) Valid() error {
	return cmp.Or(
		theory.Require(b.Depth >= 1, "vcl: a network has at least one layer"),
		theory.Require(b.Gain > 0, "vcl: a singular value must be positive"),
	)
}

// Exponent returns 1/L.
func (b Balanced) Exponent() float64 {
	return theory.When(b.Valid() == nil, 1/float64(b.Depth))
}

// AGOP returns the eigenvalue σ² of the average gradient outer product.
func (b Balanced) AGOP() float64 {
	return theory.When(b.Valid() == nil, b.Gain*b.Gain)
}

// Gram returns the eigenvalue σ^{2/L} of W₁ᵀW₁.
func (b Balanced) Gram() float64 { return math.Pow(b.AGOP(), b.Exponent()) }

// ImbalanceEffect returns ((1+δ/s)^{L(L−1)/2} − 1)(S/s)^{(L−1)(L−2)/2}, which bounds the relative distance of an
// eigenvalue of AGOP from the law for a network of depth L that is balanced up to δ, when the eigenvalues of all
// W_lᵀW_l lie in [s, S].
func ImbalanceEffect(depth int, delta, smallest, largest float64) float64 {
	if depth < 1 || !(delta >= 0) || !(smallest > 0 && largest >= smallest) {
		return math.NaN()
	}
	return math.Expm1(float64(depth*(depth-1))/2*math.Log1p(delta/smallest)) * math.Pow(largest/smallest,
		float64((depth-1)*(depth-2)/2))
}

// ImbalanceError returns E₁ of the recursion E_k = S(E_{k+1} + (S+δ)^{L−k} − S^{L−k}), E_L = 0: a bound on the distance
// between AGOP and (W₁ᵀW₁)^L for a network of depth L that is balanced up to δ in norm, when no ‖W_l‖² exceeds S.
func ImbalanceError(depth int, delta, largest float64) float64 {
	if depth < 1 || !(delta >= 0) || !(largest >= 0) {
		return math.NaN()
	}
	err := 0.0
	for k := depth - 1; k >= 1; k-- {
		power := float64(depth - k)
		growth := math.Pow(largest, power) * math.Expm1(power*math.Log1p(delta/largest))
		if largest == 0 {
			growth = math.Pow(delta, power)
		}
		err = largest * (err + growth)
	}
	return err
}
