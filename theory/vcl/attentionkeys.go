package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// AttentionKeys is the claim vcl/attentionkeys.
var AttentionKeys = theory.Statement{
	Slug:  "vcl/attentionkeys",
	Title: "Key signals sum to zero, so keys learn the centred covariance",
	Plain: "In self-attention the keys' gradients ignore whatever all tokens of a sequence have in common, so key " +
		"weights learn the centred covariance.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A head of self-attention as in vcl/attention, softmax over the keys of each query, any mask. Γ_Q, Γ_K, " +
		"Γ_V are the gradients of the loss in queries, keys and values of one sequence (a column per token), E that in the " +
		"contexts, 1 the vector of ones. Centring subtracts one vector of all tokens of a sequence: their mean, that " +
		"of the batch, or any other.",
	Params: []theory.Param{
		{Name: "x1", Symbol: "x₁", Meaning: "first of two tokens, numbers, under a causal mask",
			Domain: theory.Between(-100, 100), Default: "2"},
		{Name: "x2", Symbol: "x₂", Meaning: "second token", Domain: theory.Between(-100, 100), Default: "1"},
		{Name: "query", Symbol: "W_Q", Meaning: "weight of the query, a number", Domain: theory.Between(-10, 10),
			Default: "1"},
		{Name: "key", Symbol: "W_K", Meaning: "weight of the key", Domain: theory.Between(-10, 10), Default: "1"},
		{Name: "signal", Symbol: "e", Meaning: "gradient of the loss in the second value's context, W_V = 1",
			Domain: theory.Between(-1e20, 1e20), Default: "2"},
		{Name: "W", Symbol: "W_K", Meaning: "weights of the keys", Shape: "k×d"},
		{Name: "H", Symbol: "X", Meaning: "tokens, centred in every sequence", Shape: "d×N"},
		{Name: "Gamma", Symbol: "Γ_K", Meaning: "gradients of the loss in the keys", Shape: "k×N"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the loss in the tokens through the keys, W_KᵀΓ_K", Shape: "d×N"},
		{Name: "W_next", Symbol: "W_K⁺", Meaning: "weights after the step", Shape: "k×d"},
		anyStep, weightsScale, tokensScale, covarianceScale,
	},
	Claim: "$Γ_K 1 = 0$ and $Γ_V 1 = E 1$, and under a causal mask the first query has no signal. So the law of " +
		"vcl/attention holds for the keys with the tokens of each sequence centred at any point: $W_K⁺ᵀW_K⁺ − W_KᵀW_K = " +
		"(H⁺H⁺ᵀ − HHᵀ) + γ²(HΓ_KᵀΓ_KHᵀ − W_KᵀΓ_KΓ_KᵀW_K)$ for H = X − c1ᵀ and every c. It fails for queries and values.",
	TeX: `\Gamma_K \mathbf{1} = 0, \quad \Gamma_V \mathbf{1} = E \, \mathbf{1}, \quad W_{K+}^{\top} W_{K+} - ` +
		`W_K^{\top} W_K = \left( H_+ H_+^{\top} - H H^{\top} \right) + \gamma^2 \left( H \Gamma_K^{\top} \Gamma_K ` +
		`H^{\top} - W_K^{\top} \Gamma_K \Gamma_K^{\top} W_K \right)`,
	Assumptions: []theory.Assumption{
		{ID: "softmax", Text: "attention weights are a softmax over the keys of each query, and sum to one"},
		{ID: "keys", Text: "the projection is the one to the keys"},
		{ID: "one-centre", Text: "one vector is subtracted from all tokens of a sequence"},
	},
	Source: openPoint,
	Deviations: "The source asks for covariances that are not centred; that keys do not tell the difference is derived " +
		"here.",
	Proof: "The Jacobian of a softmax has rows that sum to zero: R1 = 0 for R = ∂loss/∂scores. Γ_K = βQR, so Γ_K1 = 0, " +
		"ΓHᵀ does not depend on c, and neither does (Γ_KHᵀ)ᵀ(Γ_KHᵀ). Γ_V = EA with A1 = 1. A query with one key has a " +
		"constant softmax.",
	Tolerance: "As in vcl/attention: signals by complex steps against the backward pass. A sum over T tokens is at most " +
		"√T times the norm, and centring adds one rounding of every token, which moves HΓᵀ by u‖H‖‖Γ‖.",
	Limits: "Up to three heads and sequences, five tokens. With an attention sink, an extra key that belongs to no " +
		"token, the weights of the tokens do not sum to one, and the claim fails.",
	RestsOn: []string{"vcl/attention"},
	Predict: func(v theory.Values) []theory.Quantity {
		t := TwoTokens{X1: v.Float("x1"), X2: v.Float("x2"), Query: v.Float("query"), Key: v.Float("key"), Value: 1,
			Signal: v.Float("signal"), Scale: 1}
		return []theory.Quantity{
			{Name: "weight", Symbol: "p", Value: t.Weight(), Meaning: "attention of the second token to the first"},
			{Name: "key_grad", Symbol: "∂loss/∂W_K", Value: t.Query * t.Form(),
				Meaning: "gradient in the key's weight, as the difference of the tokens moves it"},
			{Name: "query_grad", Symbol: "∂loss/∂W_Q", Value: t.Key * t.Form(), Meaning: "gradient in the query's weight"},
		}
	},
}

// TwoTokens is a head whose tokens, queries, keys and values are numbers, on a sequence of two under a causal mask. The
// first token attends to itself.
type TwoTokens struct {
	X1, X2            float64
	Query, Key, Value float64 // W_Q, W_K, W_V
	Signal            float64 // gradient of the loss in the second context
	Scale             float64 // β
}

// Valid names the violated hypothesis.
func (t TwoTokens) Valid() error {
	return theory.Require(!math.IsNaN(t.X1+t.X2+t.Query+t.Key+t.Value+t.Signal+t.Scale),
		"vcl: a head of two tokens needs numbers")
}

// Weight returns p = 1/(1 + exp(−βW_QW_K x₂(x₁ − x₂))), the attention of the second token to the first.
func (t TwoTokens) Weight() float64 {
	return theory.When(t.Valid() == nil, 1/(1+math.Exp(-t.Scale*t.Query*t.Key*t.X2*(t.X1-t.X2))))
}

// Form returns N = βx₂ p(1 − p)(x₁ − x₂)·e W_V(x₁ − x₂), the gradient in W_QW_K: that in the score of the first key is
// p(1 − p) times the difference of the values, and tokens enter by their difference.
func (t TwoTokens) Form() float64 {
	p, difference := t.Weight(), t.X1-t.X2
	return t.Scale * t.X2 * p * (1 - p) * difference * difference * t.Signal * t.Value
}
