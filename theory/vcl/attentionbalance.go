package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// AttentionBalance is the claim vcl/attentionbalance.
var AttentionBalance = theory.Statement{
	Slug:  "vcl/attentionbalance",
	Title: "Balance of queries against keys, and of values against the output, changes by a known second-order term",
	Plain: "In each attention head, a gradient step changes the balance of query against key weights only at second " +
		"order, by a known amount.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A head of self-attention as in vcl/attention. Its pairs are U = W_Q, V = W_K, and U = W_Oᵀ, V = W_V; the " +
		"balance of a pair is Δ = UUᵀ − VVᵀ. A step with weight decay λ: U⁺ = (1 − γλ)U − γ∂loss/∂U, and V alike.",
	Params: []theory.Param{
		oneQuery("W_Q", "2"), oneKey("W_K", "1"),
		{Name: "form", Symbol: "n", Meaning: "gradient of the loss in qk", Domain: theory.Inside(-1e10, 1e10),
			Default: "0.75"},
		stepSize(theory.Inside(0, 1e10), "0.5"),
		{Name: "U", Symbol: "U", Meaning: "weights of the queries, or those of the output, transposed", Shape: "k×d"},
		{Name: "V", Symbol: "V", Meaning: "weights of the keys, or of the values", Shape: "k×d"},
		{Name: "decay", Symbol: "λ", Meaning: "weight decay"},
	},
	Claim: "With ∇_U = ∂loss/∂U and ∇_V = ∂loss/∂V, $∇_U Uᵀ = V∇_Vᵀ$, and so $Δ⁺ = (1 − γλ)²Δ + γ²(∇_U∇_Uᵀ − " +
		"∇_V∇_Vᵀ)$, exactly, for both pairs of every head, any mask and step. Heads stacked together have no such balance.",
	TeX: `\nabla_U U^{\top} = V \nabla_V^{\top}, \quad \Delta_+ = (1 - \gamma \lambda)^2 \Delta + \gamma^2 \left( ` +
		`\nabla_U \nabla_U^{\top} - \nabla_V \nabla_V^{\top} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "one-head", Text: "the balance is taken of one head"},
		{ID: "form", Text: "the loss depends on a pair through UᵀV alone: no positions between queries, keys and scores"},
		{ID: "plain-descent", Text: "both take a plain gradient step of one size and one decay, without momentum"},
		{ID: "both", Text: "all gradients are taken at the old weights"},
	},
	Source: theory.Source{
		Paper: "After S. Marcotte, R. Gribonval, G. Peyré: conservation laws of attention layers under gradient flow",
		ArXiv: "2506.06194", Version: "abstract", Year: 2025,
		Locus: "abstract: the flow conserves the balance of an attention layer; the identity of a step is derived here",
	},
	Deviations: "The source speaks of gradient flow; a step of any size and weight decay are derived here.",
	Proof: "The loss depends on UᵀV =: B with gradient N, so ∂loss/∂U = VNᵀ, ∂loss/∂V = UN, and both sides of the first " +
		"equation are VNᵀUᵀ. It cancels the terms of first order in Δ⁺. Over a time Kγ the second order adds up to " +
		"O(γ): the flow conserves Δ, or lets it decay as e^(−2λt).",
	Tolerance: "The gradients of both weights are complex steps of their own; Block.Apart bounds how far they may be " +
		"apart. Products of inner length d or less are known to (2d + 10)u of (‖U‖ + γ‖∂loss/∂U‖)² and of that of V.",
	Limits: "Up to three heads and sequences, five tokens. With rotary positions less is conserved: only traces, over " +
		"the blocks that the rotations act on. Adaptive methods break it at first order.",
	RestsOn: []string{"vcl/attention", "vcl/bilinear", "linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		q, k, n := v.Float("query"), v.Float("key"), v.Float("form")
		b := PairBalance{U: number(q), V: number(k), GradU: number(k * n), GradV: number(q * n), Step: v.Float("step")}
		return []theory.Quantity{
			{Name: "balance", Symbol: "q² − k²", Value: b.Balance().At(0, 0), Meaning: "balance before the step"},
			{Name: "change", Symbol: "γ²n²(k² − q²)", Value: math.Pow(b.Step*n, 2) * (k - q) * (k + q),
				Meaning: "change by the step"},
		}
	},
}

// PairBalance describes a step of two weights U and V (k×d and k×e) on which a loss depends only through UᵀV.
type PairBalance struct {
	U, V, GradU, GradV *mat.Dense
	Step, Decay        float64 // γ, λ
}

// Valid names the violated hypothesis.
func (b PairBalance) Valid() error {
	k, _ := b.U.Dims()
	for _, m := range []*mat.Dense{b.V, b.GradU, b.GradV} {
		if rows, _ := m.Dims(); rows != k {
			return errors.New("vcl: a pair of weights and their gradients have as many rows")
		}
	}
	return nil
}

// Balance returns UUᵀ − VVᵀ, NaN outside the hypotheses.
func (b PairBalance) Balance() *mat.Dense { return b.difference(b.U, b.V) }

// Next returns (1 − γλ)²Δ + γ²(∇_U∇_Uᵀ − ∇_V∇_Vᵀ), NaN outside the hypotheses.
func (b PairBalance) Next() *mat.Dense {
	return algebra.Sum(algebra.Scaled(math.Pow(1-b.Step*b.Decay, 2), b.Balance()),
		algebra.Scaled(b.Step*b.Step, b.difference(b.GradU, b.GradV)))
}

func (b PairBalance) difference(u, v *mat.Dense) *mat.Dense {
	if b.Valid() != nil {
		return number(math.NaN())
	}
	return algebra.Difference(algebra.Product(u, u.T()), algebra.Product(v, v.T()))
}
