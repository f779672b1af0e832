package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Balance is the claim linear/balance.
var Balance = theory.Statement{
	Slug:  "linear/balance",
	Title: "Imbalance of neighbouring layers after one step",
	Plain: "Gradient descent changes the difference between the Gram matrices of two neighbouring linear layers only by " +
		"a known term of second order.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A chain of linear layers W_N ⋯ W_1 with any differentiable loss L, weight decay (d/2)Σ‖W_l‖², and one " +
		"step W_l⁺ = (1 − hd)W_l − hG_l with G_l = ∂L/∂W_l; a bias of layer l is a last column of W_l that sees an input " +
		"1. A_l = W_{l+1}ᵀW_{l+1} − W_lW_lᵀ, where W_{l+1} stands without its bias. A unit of a network with an activation " +
		"φ(0) = 0, zφ′(z) = kφ(z), as ReLU (k = 1) and its powers, has incoming weights w and outgoing weights a.",
	Params: []theory.Param{
		{Name: "w1", Symbol: "w₁", Meaning: "weight of a lower layer of one unit", Domain: theory.Between(-1e6, 1e6),
			Default: "2"},
		{Name: "w2", Symbol: "w₂", Meaning: "weight of the layer above it", Domain: theory.Between(-1e6, 1e6), Default: "3"},
		{Name: "target", Symbol: "y", Meaning: "target of the product, under the loss ½(w₂w₁ − y)²",
			Domain: theory.Between(-1e6, 1e6), Default: "5"},
		{Name: "step", Symbol: "h", Meaning: "step size", Domain: theory.Inside(0, 1e3), Default: "0.5"},
		{Name: "decay", Symbol: "d", Meaning: "weight decay", Domain: theory.Between(0, 1e3), Default: "0"},
		{Name: "W1", Symbol: "W_l", Meaning: "weights of the lower layer, with its bias as a last column", Shape: "m×n"},
		{Name: "W2", Symbol: "W_{l+1}", Meaning: "weights of the upper layer, without its bias", Shape: "q×m"},
		{Name: "G1", Symbol: "G_l", Meaning: "gradient of the loss in W1", Shape: "m×n"},
		{Name: "G2", Symbol: "G_{l+1}", Meaning: "gradient of the loss in W2", Shape: "q×m"},
		{Name: "W1_next", Symbol: "W_l⁺", Meaning: "W1 after the step", Shape: "m×n"},
		{Name: "W2_next", Symbol: "W_{l+1}⁺", Meaning: "W2 after the step", Shape: "q×m"},
		{Name: "H", Symbol: "H", Meaning: "inputs of the lower layer, with a last row of ones for a bias; bounds rounding",
			Shape: "n×B"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the loss in the upper pre-activations; bounds rounding",
			Shape: "q×B"},
		{Name: "degree", Symbol: "k", Meaning: "degree of the activation between the layers"},
	},
	Claim: "$A_l⁺ = (1 − hd)²A_l + h²(G_{l+1}ᵀG_{l+1} − G_lG_lᵀ)$ for every step size. Of a homogeneous unit the same " +
		"holds for the numbers k‖a‖² − ‖w‖² and k‖G_a‖² − ‖G_w‖². Over a fixed time without decay A_l drifts by O(h): the " +
		"flow conserves it.",
	TeX: `A_l^+ = (1 - hd)^2 A_l + h^2 \left( G_{l+1}^{\top} G_{l+1} - G_l G_l^{\top} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "only the two layers act between them; for units, a homogeneous activation"},
		{ID: "only-use", Text: "neither layer occurs anywhere else: no skip connection bypasses one of them, and no " +
			"weights are tied"},
		{ID: "plain-descent", Text: "both layers take a plain gradient step of one size"},
		{ID: "same-point", Text: "all gradients are taken at the old weights"},
	},
	Source: theory.Source{
		Paper: "After S. Arora, N. Cohen, E. Hazan: On the optimization of deep networks, and S. Du, W. Hu, J. Lee: " +
			"Algorithmic regularization in learning deep homogeneous models (1806.00900)",
		ArXiv: "1802.06509", Version: "abstract", Year: 2018,
		Locus: "abstracts: the flow conserves differences of squared norms; the identity of a step is derived here",
	},
	Deviations: "The papers speak of the flow; here the step size is finite, and there may be weight decay.",
	Proof: "W_{l+1}ᵀG_{l+1} = G_lW_lᵀ, since both are the gradient in the value between the layers times that value. " +
		"So the terms of first order in h cancel. For units the diagonals of both sides differ by zφ′(z)/φ(z) = k.",
	Tolerance: "On small integers the arithmetic is exact. Otherwise, with a = (1+hd)‖W‖ + h‖G‖ of a layer, a step errs " +
		"by 3u·a, its square by 6u·a², and products of inner length at most p by p·u·a² on both sides: (2p+16)u·Σa². The " +
		"terms of first order cancel up to the errors of the gradients, at most (q + (k+1)n + 2B + " +
		"8)u·k‖W_{l+1}‖‖Γ‖(‖W_l‖‖H‖)ᵏ, twice, times h(1+hd). The order is a slope of logarithms, see package order.",
	Limits: "Networks of two to four layers with at most eight units, on at most three samples; drift up to the time " +
		"1/32. Nothing is said about the matrix law of convolutions, whose weights are tied.",
	Predict: func(v theory.Values) []theory.Quantity {
		w1, w2, h := v.Float("w1"), v.Float("w2"), v.Float("step")
		residual := w1*w2 - v.Float("target")
		s := LayerStep{Upper: number(w2), Lower: number(w1), UpperGrad: number(w1 * residual),
			LowerGrad: number(w2 * residual), Step: h, Decay: v.Float("decay"), Degree: 1}
		before := (w2 - w1) * (w2 + w1)
		hd := h * v.Float("decay")
		return []theory.Quantity{
			{Name: "before", Symbol: "A", Value: before, Meaning: "imbalance w₂² − w₁² before the step"},
			{Name: "after", Symbol: "A⁺", Value: s.Next().At(0, 0), Meaning: "imbalance after the step"},
			{Name: "change", Symbol: "A⁺ − A", Value: (hd*(hd-2) - h*h*residual*residual) * before,
				Meaning: "change of the imbalance"},
		}
	},
}

// number returns a 1×1 matrix.
func number(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }

// LayerStep is one step of two neighbouring layers.
type LayerStep struct {
	Upper, Lower         *mat.Dense // W_{l+1}, q×m, and W_l, m×n
	UpperGrad, LowerGrad *mat.Dense // of their shapes
	Step, Decay          float64    // h, d
	Degree               float64    // k, of the activation between them; 1 for none
}

// Valid names the violated hypothesis.
func (s LayerStep) Valid() error {
	q, m := s.Upper.Dims()
	lower, n := s.Lower.Dims()
	gq, gm := s.UpperGrad.Dims()
	gl, gn := s.LowerGrad.Dims()
	switch {
	case lower != m || gq != q || gm != m || gl != lower || gn != n:
		return errors.New("linear: shapes of the layers (q×m, m×n) and their gradients do not fit")
	case !(s.Step > 0 && s.Decay >= 0 && s.Degree > 0) || math.IsInf(s.Step+s.Decay+s.Degree, 0):
		return errors.New("linear: need h > 0, d ≥ 0 and k > 0, all finite")
	}
	return nil
}

// Next returns A_l⁺, m×m. All entries are NaN outside the hypotheses, one of which is that the degree is 1.
func (s LayerStep) Next() *mat.Dense {
	if s.Degree != 1 {
		s.Step = math.NaN()
	}
	return s.next()
}

// NextUnits returns k‖a‖² − ‖w‖² of every unit between the layers, after the step.
func (s LayerStep) NextUnits() []float64 {
	next := s.next()
	units := make([]float64, next.RawMatrix().Rows)
	for i := range units {
		units[i] = next.At(i, i)
	}
	return units
}

// next returns (1 − hd)²(kW_{l+1}ᵀW_{l+1} − W_lW_lᵀ) + h²(kG_{l+1}ᵀG_{l+1} − G_lG_lᵀ).
func (s LayerStep) next() *mat.Dense {
	_, m := s.Upper.Dims()
	sum := mat.NewDense(m, m, nil)
	if s.Valid() != nil {
		sum.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, sum)
		return sum
	}
	add := func(weight float64, a, b mat.Matrix) {
		var product mat.Dense
		product.Mul(a, b)
		product.Scale(weight, &product)
		sum.Add(sum, &product)
	}
	kept, h2 := math.Pow(1-s.Step*s.Decay, 2), s.Step*s.Step
	add(kept*s.Degree, s.Upper.T(), s.Upper)
	add(-kept, s.Lower, s.Lower.T())
	add(h2*s.Degree, s.UpperGrad.T(), s.UpperGrad)
	add(-h2, s.LowerGrad, s.LowerGrad.T())
	return sum
}
