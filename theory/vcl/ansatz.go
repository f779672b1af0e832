package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

var ansatzPaper = theory.Source{
	Paper: "A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin: Mechanism for feature learning in neural networks and backpropagation-free machine learning models",
	ArXiv: "2212.13881", Version: "Science 383 (2024)", Year: 2024,
}

// Ansatz says what the neural feature ansatz, WᵀW proportional to the average gradient outer product, is exactly.
//
// # Setting
//
// f a network with any number of outputs, h the input of one of its layers z = Wh, J_h f its Jacobian there. The average
// gradient outer product is AGOP = (1/N)Σ J_hf(xᵢ)ᵀJ_hf(xᵢ), a sum over outputs.
//
// # Claim
//
//  1. For every network AGOP = WᵀKW with K = (1/N)Σ J_zfᵀJ_zf: its range lies in the row space of W.
//  2. For a linear network W_L⋯W₁ of square layers that is balanced, W_{l+1}ᵀW_{l+1} = W_lW_lᵀ, AGOP = (W₁ᵀW₁)^L: the exponent of
//     the ansatz is 1/L and not 1. Gradient flow keeps a balanced network balanced.
//  3. Observed: training a two-layer GELU network from a small initialisation closes more than half of the distance of WᵀW from
//     proportionality to AGOP, on average over networks, read as the cosine or as the Pearson correlation of their entries, and ends
//     closer than training from a large one. The printed proportionality itself would close all of it.
//
// For the second, J_h f = W_L⋯W₁, and W_{l+1}ᵀW_{l+1} may be replaced by W_lW_lᵀ from the outside in.
//
// # Numerical form
//
// The Jacobian of a linear network is a difference quotient of step 1, exact on integers. For smooth networks the entries
// of WᵀKW and of AGOP differ by at most (2(m+k)+4)·u‖W‖²‖J_z f‖² for k outputs. The flow is followed by the classical Runge–Kutta method with steps
// h and 2h; by its fourth order the imbalance left by step h is at most a fifteenth of the difference, and the whole
// difference δ is allowed for. With A = W_{l+1}ᵀW_{l+1}, B = W_lW_lᵀ, ‖A−B‖ ≤ δ and eigenvalues in [s, S], A^k lies between (1±r)B^k
// for r = (S/s)^{k−1}((1+δ/s)^k − 1). Replacing A by B for k = 1 … L−1 moves an eigenvalue of AGOP by at most
// ((1+δ/s)^{L(L−1)/2} − 1)(S/s)^{(L−1)(L−2)/2} relatively.
//
// # Source
//
// The ansatz: arXiv 2212.13881. Exponent 1/L: arXiv 2510.15563 (Tansley, Massart, Cartis). The poster prints exponent 1.
var Ansatz = theory.Statement{
	Slug:     "vcl/ansatz",
	Title:    "Neural feature ansatz: exact identity, and exponent 1/L for balanced linear networks",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "AGOP = (1/N)Σ J_hfᵀJ_hf at the input h of a layer z = Wh; linear networks W_L⋯W₁ of square layers with " +
		"W_{l+1}ᵀW_{l+1} = W_lW_lᵀ, trained by gradient flow.",
	Params: []theory.Param{
		{Name: "depth", Symbol: "L", Meaning: "number of layers of the linear network", Domain: theory.IntegerFrom(1), Default: "3"},
		{Name: "gain", Symbol: "σ", Meaning: "a singular value of the whole network", Domain: theory.Above(0), Default: "2"},
		{Name: "W", Symbol: "W", Meaning: "weights of the layer", Shape: "m×n"},
	},
	Claim: "AGOP = WᵀKW with K = (1/N)Σ J_zfᵀJ_zf; for balanced linear networks AGOP = (W₁ᵀW₁)^L, so W₁ᵀW₁ = AGOP^{1/L}.",
	TeX:   `\frac{1}{N} \sum_{i=1}^{N} J_h f(x_i)^{\top} J_h f(x_i) = W^{\top} K W, \quad W_1^{\top} W_1 = \mathrm{AGOP}^{1/L}`,
	Assumptions: []theory.Assumption{
		{ID: "only-use", Text: "z = Wh is the only use of h"},
		{ID: "balanced", Text: "the linear network is balanced at the start (for the exponent only)"},
		{ID: "flow", Text: "it is trained by gradient flow, or by steps so small that it stays balanced"},
		{ID: "small-start", Text: "the nonlinear network starts from small weights (for the third part only)"},
	},
	Source:     ansatzPaper.At("neural feature ansatz; exponent from arXiv 2510.15563"),
	Deviations: "The ansatz is a proportionality that is observed; stated here are the identity behind it, the exponent where it is exact, and the direction of what is observed.",
	Errata: []theory.Erratum{
		{ID: "exponent-one", Printed: "WᵀW ∝ (1/N)Σ ∇_x f ∇_x fᵀ", Locus: "poster",
			Correct:        "WᵀW = AGOP^{1/L} for balanced linear networks; exponent 1 only for L = 1 or when all singular values are equal",
			Counterexample: "balanced linear networks with 2, 3 and 4 layers trained by gradient flow: the fitted exponents are 1/2, 1/3 and 1/4"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		b := Balanced{Depth: v.Int("depth"), Gain: v.Float("gain")}
		return []theory.Quantity{
			{Name: "exponent", Symbol: "1/L", Value: b.Exponent(), Meaning: "exponent of the ansatz"},
			{Name: "agop", Symbol: "σ²", Value: b.AGOP(), Meaning: "eigenvalue of AGOP"},
			{Name: "gram", Symbol: "σ^{2/L}", Value: b.Gram(), Meaning: "eigenvalue of W₁ᵀW₁"},
		}
	},
}

// Balanced is a balanced linear network, seen through one of its singular values.
type Balanced struct {
	Depth int
	Gain  float64 // σ of W_L⋯W₁
}

// Valid names the violated hypothesis.
func (b Balanced) Valid() error {
	if b.Depth < 1 {
		return errors.New("vcl: a network has at least one layer")
	}
	if !(b.Gain > 0) {
		return errors.New("vcl: a singular value must be positive")
	}
	return nil
}

// Exponent returns 1/L.
func (b Balanced) Exponent() float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	return 1 / float64(b.Depth)
}

// AGOP returns the eigenvalue σ² of the average gradient outer product.
func (b Balanced) AGOP() float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	return b.Gain * b.Gain
}

// Gram returns the eigenvalue σ^{2/L} of W₁ᵀW₁.
func (b Balanced) Gram() float64 { return math.Pow(b.AGOP(), b.Exponent()) }

// ImbalanceEffect returns ((1+δ/s)^{L(L−1)/2} − 1)(S/s)^{(L−1)(L−2)/2}: how far a network of depth L that is balanced up to δ may have
// an eigenvalue of AGOP from its law, relatively, when the eigenvalues of all W_lᵀW_l lie in [s, S].
func ImbalanceEffect(depth int, delta, smallest, largest float64) float64 {
	if depth < 1 || !(delta >= 0) || !(smallest > 0 && largest >= smallest) {
		return math.NaN()
	}
	return math.Expm1(float64(depth*(depth-1))/2*math.Log1p(delta/smallest)) * math.Pow(largest/smallest, float64((depth-1)*(depth-2)/2))
}
