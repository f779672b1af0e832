package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// QueryKey is the claim vcl/querykey.
var QueryKey = theory.Statement{
	Slug:  "vcl/querykey",
	Title: "On queries and keys together, gradient descent is its own whitened step; on either alone it is not",
	Plain: "Up to a known step size, gradient descent on queries and keys together already takes the shortest way to " +
		"its new Gram matrix.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A head of self-attention as in vcl/attention. Z = [W_Q W_K] is k×2d of rank k, Z⁺ its step of gradient " +
		"descent, N = ∂loss/∂(W_QᵀW_K), and J = [0 N; Nᵀ 0]. The whitened step towards the Gram matrix of Z⁺ is UZ⁺ with U " +
		"the polar factor of ZZ⁺ᵀ; of all weights with that Gram matrix it is the nearest to Z (vcl/procrustes).",
	Params: []theory.Param{
		oneQuery("W_Q", "1"), oneKey("W_K", "0.5"),
		{Name: "form", Symbol: "n", Meaning: "N of that head", Domain: theory.Inside(-1e10, 1e10), Default: "0.75"},
		stepSize(theory.Inside(0, 1e10), "0.5"),
	},
	Claim: "$Z⁺ = Z(I − γJ)$, so $ZZ⁺ᵀ = Z⁺Zᵀ$ is symmetric, and positive definite iff γ < γ* = 1/λ, λ the largest " +
		"eigenvalue of ZJZᵀ relative to ZZᵀ (no limit if λ ≤ 0), in particular if γ‖N‖₂ < 1. Below γ* the whitened step is " +
		"Z⁺ itself, while W_Q and W_K whitened one by one lose their rotation against each other, a change of first order " +
		"(single rows cannot rotate).",
	TeX: `Z_+ = Z (I - \gamma J), \quad Z Z_+^{\top} = Z_+ Z^{\top} \succ 0 \iff \gamma \, \lambda_{\max} ( Z J ` +
		`Z^{\top}, Z Z^{\top} ) < 1`,
	Assumptions: []theory.Assumption{
		{ID: "both", Text: "queries and keys move together, along gradients at the old weights"},
		{ID: "plain-descent", Text: "both take a plain gradient step of one size"},
		{ID: "small-step", Text: "γ < γ* (for the whitened step)"},
		{ID: "joint", Text: "the pair is whitened as one matrix"},
		{ID: "full-rank", Text: "Z has rank k", NoControl: "at lower rank, I is one of several polar factors, and Z⁺ is " +
			"one of several nearest weights"},
	},
	Source:     openPoint,
	Deviations: "The source whitens layers one by one and leaves self-attention open; all of this is derived here.",
	Proof: "∂loss/∂W_Q = W_KNᵀ and ∂loss/∂W_K = W_QN (vcl/bilinear), together ZJ with a symmetric J. ZZ⁺ᵀ = ZZᵀ − γZJZᵀ " +
		"is symmetric; relative to ZZᵀ its least eigenvalue is 1 − γλ, and ‖J‖₂ = ‖N‖₂. The polar factor of a positive " +
		"definite matrix is I. The gradient of the pair has no part that preserves its Gram matrix; the gradients of W_Q " +
		"and W_K have such parts, with opposite signs.",
	Tolerance: "Z⁺ and N are differentiated separately, and agree within δ by Block.Apart and Block.FormApart. An error " +
		"δ of ZZ⁺ᵀ moves an eigenvalue relative to ZZᵀ by δ/σ², σ the least singular value of Z, and a polar factor by " +
		"2δ/τ, τ the least singular value of ZZ⁺ᵀ; rounding adds 64(k + d)u‖Z‖(‖Z‖ + ‖Z⁺‖) to δ. Cases with τ/‖Z‖(‖Z‖ + " +
		"‖Z⁺‖) or σ/‖Z‖ below 10⁻³ are declined.",
	Limits: "Up to three heads and sequences, k ≤ 4 and k ≤ 2d. Nothing is said about which step learns better. The " +
		"pair [W_Oᵀ W_V] obeys the same law, but no case draws it.",
	RestsOn: []string{"vcl/bilinear", "vcl/procrustes"},
	Predict: func(v theory.Values) []theory.Quantity {
		p := QueryKeyPair{number(v.Float("query")), number(v.Float("key")), number(v.Float("form"))}
		return []theory.Quantity{
			{Name: "least", Symbol: "1 − γ/γ*", Value: p.Smallest(v.Float("step")),
				Meaning: "product of weights before and after the step, over the square of those before"},
		}
	},
	Violated: func(v theory.Values) error {
		return theory.Require(v.Float("query") != 0 || v.Float("key") != 0, "vcl: queries and keys vanish together")
	},
}

// QueryKeyPair holds the query and key weights of a head (k×d) and the gradient N in W_QᵀW_K (d×d).
type QueryKeyPair struct{ Query, Key, Form *mat.Dense }

// Valid names the violated hypothesis.
func (p QueryKeyPair) Valid() error {
	k, d := p.Query.Dims()
	rows, cols := p.Form.Dims()
	if kk, dd := p.Key.Dims(); kk != k || dd != d || rows != d || cols != d {
		return errors.New("vcl: shapes of W_Q, W_K (k×d) and N (d×d) do not fit")
	}
	return nil
}

// Limit returns γ*, the step size at which ZZ⁺ᵀ ceases to be positive definite; +Inf if there is none.
func (p QueryKeyPair) Limit() float64 {
	if largest := p.largest(); !(largest <= 0) {
		return 1 / largest
	}
	return math.Inf(1)
}

// Smallest returns 1 − γλ, the least eigenvalue of ZZ⁺ᵀ relative to ZZᵀ.
func (p QueryKeyPair) Smallest(step float64) float64 { return 1 - step*p.largest() }

// largest returns λ, the largest eigenvalue of ZJZᵀ = W_QNW_Kᵀ + W_KNᵀW_Qᵀ relative to ZZᵀ; NaN outside the hypotheses.
func (p QueryKeyPair) largest() float64 {
	if p.Valid() != nil {
		return math.NaN()
	}
	square := algebra.Sum(algebra.Product(p.Query, p.Query.T()), algebra.Product(p.Key, p.Key.T()))
	half := algebra.Product(p.Query, p.Form, p.Key.T())
	half = algebra.Sum(half, half.T())
	var factor mat.Cholesky
	if !factor.Factorize(symmetrised(square)) {
		return math.NaN()
	}
	var l mat.TriDense
	factor.LTo(&l)
	var x, y mat.Dense
	if x.Solve(&l, half) != nil || y.Solve(&l, x.T()) != nil {
		return math.NaN()
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetrised(&y), false) {
		return math.NaN()
	}
	values := eigen.Values(nil)
	return values[len(values)-1]
}
