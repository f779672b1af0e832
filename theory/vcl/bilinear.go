package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Bilinear is the claim vcl/bilinear.
var Bilinear = theory.Statement{
	Slug:  "vcl/bilinear",
	Title: "The step of the attention form W_QᵀW_K: a virtual cross-covariance with exchanged signals",
	Plain: "The product of query and key weights moves by a closed formula in one gradient step, just as a virtual step " +
		"moves the tokens' cross-covariance.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A head of self-attention as in vcl/attention, with query and key weights Q, K (k×d), B = QᵀK, A_Q = QᵀQ, " +
		"A_K = KᵀK, N = ∂loss/∂B with the scores as functions of B, tokens X, and Γ_Q, Γ_K the signals at queries and " +
		"keys. Q⁺ = Q − γ∂loss/∂Q and K⁺ = K − γ∂loss/∂K.",
	Params: []theory.Param{
		oneQuery("Q", "1"), oneKey("K", "0.5"),
		{Name: "form", Symbol: "n", Meaning: "N of that head", Domain: theory.Inside(-1e10, 1e10), Default: "0.75"},
		stepSize(theory.Inside(0, 1e10), "0.5"),
		{Name: "W_Q", Symbol: "Q", Meaning: "query weights of one head", Shape: "k×d"},
		{Name: "W_K", Symbol: "K", Meaning: "key weights of the head", Shape: "k×d"},
		{Name: "W_Q_next", Symbol: "Q⁺", Meaning: "query weights after the step", Shape: "k×d"},
		{Name: "W_K_next", Symbol: "K⁺", Meaning: "key weights after the step", Shape: "k×d"},
		{Name: "H", Symbol: "X", Meaning: "tokens of all sequences, one per column", Shape: "d×N"},
		{Name: "Gamma_Q", Symbol: "Γ_Q", Meaning: "gradients of the loss in the queries", Shape: "k×N"},
		{Name: "Gamma_K", Symbol: "Γ_K", Meaning: "gradients of the loss in the keys", Shape: "k×N"},
	},
	Claim: "$B⁺ = B − γ(NA_K + A_QN) + γ²NBᵀN$, $A_Q⁺ = A_Q − γ(NBᵀ + BNᵀ) + γ²NA_KNᵀ$ and A_K⁺ = A_K − γ(NᵀB + BᵀN) + " +
		"γ²NᵀA_QN. These three recursions form a closed system. With signals pulled back through the other projection, t = " +
		"QᵀΓ_K and v = KᵀΓ_Q, $B⁺ − B = (X − γt)(X − γv)ᵀ − XXᵀ + γ²(XΓ_QᵀΓ_KXᵀ − tvᵀ)$.",
	TeX: `B_+ = B - \gamma (N A_K + A_Q N) + \gamma^2 N B^{\top} N, \quad A_{Q+} = A_Q - \gamma (N B^{\top} + B ` +
		`N^{\top}) + \gamma^2 N A_K N^{\top}, \quad B_+ - B = (X - \gamma t)(X - \gamma v)^{\top} - X X^{\top} + ` +
		`\gamma^2 (X \Gamma_Q^{\top} \Gamma_K X^{\top} - t v^{\top})`,
	Assumptions: []theory.Assumption{
		{ID: "form", Text: "scores depend on queries and keys through B alone: no positions between them and the scores"},
		{ID: "both", Text: "both projections move, along gradients at the old weights"},
		{ID: "plain-descent", Text: "both take a plain gradient step of one size"},
		{ID: "all-tokens", Text: "all sums run over all tokens of all sequences"},
	},
	Source:     openPoint,
	Deviations: "The source leaves self-attention open; the law for it is derived here.",
	Proof: "By the chain rule ∂loss/∂Q = KNᵀ = Γ_QXᵀ and ∂loss/∂K = QN = Γ_KXᵀ. Multiplying out Q⁺ᵀK⁺, Q⁺ᵀQ⁺ and K⁺ᵀK⁺ " +
		"gives the claim. So the step of B is not −γN: both Gram matrices precondition it, and the rank of B stays at most " +
		"k.",
	Tolerance: "Q⁺, K⁺ and N come from three differentiations by complex steps, and Γ comes from a backward pass; " +
		"Block.Apart and Block.FormApart bound the differences between them. Products of up to five factors of inner " +
		"lengths k and d are accurate to (2k + 2d + 8)u of (‖Q‖ + γ‖K‖‖N‖ + ‖K‖ + γ‖Q‖‖N‖)². The law with tokens is a " +
		"block of the law of vcl/residual for [Q K] on doubled tokens, and has the same bound.",
	Limits:  "Up to three heads and sequences, five tokens, scores of moderate size. Queries and keys without biases.",
	RestsOn: []string{"vcl/attention"},
	Predict: func(v theory.Values) []theory.Quantity {
		q, k, moved := v.Float("query"), v.Float("key"), v.Float("step")*v.Float("form")
		q, k = q-moved*k, k-moved*q // the forms of numbers are products of these, and cancel where they are small
		return []theory.Quantity{
			{Name: "product", Symbol: "B⁺", Value: q * k, Meaning: "query weight times key weight"},
			{Name: "query_gram", Symbol: "A_Q⁺", Value: q * q, Meaning: "query weight squared"},
			{Name: "key_gram", Symbol: "A_K⁺", Value: k * k, Meaning: "key weight squared"},
		}
	},
}

// Forms holds the three products of query and key weights, and the gradient N in B.
type Forms struct {
	QueryGram, KeyGram, Product *mat.Dense // A_Q, A_K, B, d×d
	Gradient                    *mat.Dense // N, d×d
	Step                        float64    // γ
}

// NewForms returns the forms of query and key weights.
func NewForms(query, key, gradient *mat.Dense, step float64) Forms {
	return Forms{QueryGram: algebra.Product(query.T(), query), KeyGram: algebra.Product(key.T(), key),
		Product: algebra.Product(query.T(), key), Gradient: gradient, Step: step}
}

// number returns a 1×1 matrix.
func number(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }

// undefined returns an n×n matrix of NaN.
func undefined(n int) *mat.Dense {
	out := mat.NewDense(n, n, nil)
	out.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, out)
	return out
}

// Valid names the violated hypothesis.
func (f Forms) Valid() error {
	d, _ := f.Product.Dims()
	for _, m := range []*mat.Dense{f.QueryGram, f.KeyGram, f.Product, f.Gradient} {
		if rows, cols := m.Dims(); rows != d || cols != d {
			return errors.New("vcl: forms of queries and keys are square, of the size of a token")
		}
	}
	return nil
}

// NextProduct returns B − γ(NA_K + A_QN) + γ²NBᵀN. It and the Gram matrices are NaN outside the hypotheses.
func (f Forms) NextProduct() *mat.Dense {
	return f.moved(f.Product, f.Gradient, f.KeyGram, f.QueryGram, f.Gradient, f.Product.T(), f.Gradient)
}

// NextQueryGram returns A_Q − γ(NBᵀ + BNᵀ) + γ²NA_KNᵀ.
func (f Forms) NextQueryGram() *mat.Dense {
	return f.moved(f.QueryGram, f.Gradient, f.Product.T(), f.Product, f.Gradient.T(), f.KeyGram, f.Gradient.T())
}

// NextKeyGram returns A_K − γ(NᵀB + BᵀN) + γ²NᵀA_QN.
func (f Forms) NextKeyGram() *mat.Dense {
	return f.moved(f.KeyGram, f.Gradient.T(), f.Product, f.Product.T(), f.Gradient, f.QueryGram, f.Gradient)
}

// moved returns start − γ(ab + cd) + γ²a·middle·last.
func (f Forms) moved(start, a, b, c, d, middle, last mat.Matrix) *mat.Dense {
	if f.Valid() != nil {
		return number(math.NaN())
	}
	first := algebra.Sum(algebra.Product(a, b), algebra.Product(c, d))
	second := algebra.Product(a, middle, last)
	return algebra.Sum(start, algebra.Sum(algebra.Scaled(-f.Step, first), algebra.Scaled(f.Step*f.Step, second)))
}

// CrossShift returns (X − γt)(X − γv)ᵀ − XXᵀ = −γ(tXᵀ + Xvᵀ) + γ²tvᵀ, for X, t and v of one shape.
func CrossShift(tokens, t, v *mat.Dense, step float64) *mat.Dense {
	return HeadPair{ContextA: tokens, ContextB: tokens, SignalA: t, SignalB: v, OutputGrad: tokens, Step: step}.Shift()
}

// CrossResidual returns γ²(XΓ_QᵀΓ_KXᵀ − tvᵀ).
func CrossResidual(tokens, queries, keys, t, v *mat.Dense, step float64) *mat.Dense {
	return secondOrder(step, queries, tokens, keys, tokens, t, v)
}

// secondOrder returns γ²(XΓᵀΔYᵀ − tvᵀ) for the signals Γ and Δ of X and Y.
func secondOrder(step float64, xSignals, x, ySignals, y, t, v *mat.Dense) *mat.Dense {
	a, b := algebra.Product(xSignals, x.T()), algebra.Product(ySignals, y.T())
	return algebra.Scaled(step*step, algebra.Difference(algebra.Product(a.T(), b), algebra.Product(t, v.T())))
}
