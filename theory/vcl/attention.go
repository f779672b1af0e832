package vcl

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
)

// Attention is the claim vcl/attention.
var Attention = theory.Statement{
	Slug:  "vcl/attention",
	Title: "Each projection of self-attention obeys the law of a linear layer, with the exact residual",
	Plain: "In self-attention, a gradient step changes each projection's Gram matrix just as a virtual step on the " +
		"projection's inputs changes their covariance.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Self-attention on a batch of sequences, tokens as columns: each head projects them to queries, keys and " +
		"values by W_Q, W_K, W_V, and its contexts to its part of the output by W_O. The projection W sees the " +
		"inputs H, the tokens of all sequences or the contexts; Γ is the gradient of the loss at its outputs, and P " +
		"= WᵀΓ that in a private copy of H which nothing else sees. W⁺ = W − γ∇, H⁺ = H − γP, any mask, scale, heads.",
	Params: slices.Concat([]theory.Param{
		{Name: "projection", Symbol: "W", Meaning: "which projection", Domain: theory.OneOf(projections...),
			Default: "queries"},
	}, headSizes("d_k"), []theory.Param{
		{Name: "W", Symbol: "W", Meaning: "weights of one projection of one head, or of all heads stacked", Shape: "m×n"},
		{Name: "H", Symbol: "H", Meaning: "its inputs, one token of one sequence per column", Shape: "n×N"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the loss at its outputs", Shape: "m×N"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the loss in a copy of its inputs that it alone sees", Shape: "n×N"},
		weightsAfter, anyStep, weightsScale,
		{Name: "b", Symbol: "b", Meaning: "scale of the loss that moves the inputs, over that of Γ"},
		covarianceScale,
	}),
	Claim: "For queries, keys, values and output of every head $Wᵀ∇ = PHᵀ$ and " +
		"$W⁺ᵀW⁺ − WᵀW = (H⁺H⁺ᵀ − HHᵀ) + γ²(HΓᵀΓHᵀ − WᵀΓΓᵀW)$, exactly, summed over tokens and sequences. The values " +
		"obey it too as a layer on the mixed tokens HAᵀ, A the attention weights, with the signal at the contexts.",
	TeX: `W^{\top} \nabla = P H^{\top}, \quad W_+^{\top} W_+ - W^{\top} W = ` +
		`\left( H_+ H_+^{\top} - H H^{\top} \right) + ` +
		`\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - W^{\top} \Gamma \Gamma^{\top} W \right)`,
	Assumptions: []theory.Assumption{
		{ID: "own-branch", Text: "the virtual step of a projection uses the gradient through this projection alone"},
		{ID: "same-block", Text: "weights and tokens are differentiated in one loss of one block: mask, scale, softmax"},
		{ID: "all-tokens", Text: "the covariance sums over all tokens of all sequences"},
		{ID: "plain-descent", Text: "the weights take a plain gradient step"},
	},
	Source:     openPoint,
	Deviations: "The source leaves self-attention open; the law for it is derived here.",
	Proof: "Each projection is a linear layer on its own copy of the tokens, whose outputs are its only use, and " +
		"vcl/residual applies. The softmax enters through Γ only: with S the scores, β their scale and R = ∂loss/∂S, " +
		"Γ_Q = βKRᵀ, Γ_K = βQR, Γ_V = EA for the gradient E at the contexts. The contexts are W_V(HAᵀ), which makes " +
		"W_V a layer on mixed tokens.",
	Tolerance: "W⁺ and P come from complex steps, one in the weights and one in private tokens, Γ from a backward pass. " +
		"An error in a score is a relative error of A; the count of all roundings, in the comment of Block.Apart, bounds " +
		"how far they may put Γ apart, with absolute values in place of every term. To this the bound of vcl/residual is " +
		"added. On dyadic numbers with vanishing scores every step is exact, and the tolerance is 0.",
	Limits: "WᵀΓ·Hᵀ = Wᵀ·ΓHᵀ holds for any Γ; the check shows that two independent differentiations agree on Γ. Up to " +
		"three heads and sequences, five tokens, scores of moderate size. No normalisation inside a head.",
	RestsOn:  []string{"vcl/residual"},
	Violated: func(v theory.Values) error { return attentionOf(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		s, projection := attentionOf(v), v.Choice("projection")
		return []theory.Quantity{
			{Name: "gradient", Symbol: "rank ∇", Value: s.GradientRank(projection), Meaning: "largest rank of the gradient"},
			{Name: "residual", Symbol: "rank R", Value: s.ResidualRank(projection), Meaning: "largest rank of the residual"},
		}
	},
}

var projections = []string{"queries", "keys", "values", "output"}

// AttentionShape holds the sizes of a head and its batch.
type AttentionShape struct{ Tokens, Sequences, Width, Head, Out int }

func attentionOf(v theory.Values) AttentionShape {
	return AttentionShape{Tokens: v.Int("tokens"), Sequences: v.Int("sequences"), Width: v.Int("width"),
		Head: v.Int("head"), Out: v.Int("out")}
}

// Valid names the violated hypothesis.
func (s AttentionShape) Valid() error {
	return theory.Require(min(s.Tokens, s.Sequences, s.Width, s.Head, s.Out) >= 1,
		"vcl: the sizes of a head must be positive")
}

// signalRank bounds the rank of Γ: the Jacobian of a softmax loses one dimension in every sequence, and the signals of
// values and output come through the output.
func (s AttentionShape) signalRank(projection string) int {
	switch projection {
	case "queries", "keys":
		return min(s.Head, s.Sequences*(s.Tokens-1))
	}
	return min(s.Head, s.Out, s.Sequences*s.Tokens)
}

// GradientRank returns the largest rank of ∇ = ΓHᵀ.
func (s AttentionShape) GradientRank(projection string) float64 {
	return theory.When(s.Valid() == nil, float64(min(s.signalRank(projection), s.Width)))
}

// ResidualRank returns the largest possible rank of the residual: the rank of ∇ᵀ∇ is at most that of ∇, and the rank of
// WᵀΓΓᵀW at most that of Γ.
func (s AttentionShape) ResidualRank(projection string) float64 {
	inputs := s.Width
	if projection == "output" {
		inputs = s.Head
	}
	return math.Min(s.GradientRank(projection)+float64(min(inputs, s.signalRank(projection))), float64(inputs))
}
