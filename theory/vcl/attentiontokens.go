package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// AttentionTokens is the claim vcl/attentiontokens.
var AttentionTokens = theory.Statement{
	Slug:  "vcl/attentiontokens",
	Title: "The true gradient in the tokens drives the sum of the Gram matrices",
	Plain: "A virtual step on the tokens along their true gradient shifts the sum of all query, key and value Gram " +
		"matrices, not single ones.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A block of self-attention with any number of heads, as in vcl/attention, on tokens X. Each of its n = 3h " +
		"projections i of the tokens has weights Wᵢ, a signal Γᵢ at its outputs and a private gradient wᵢ = WᵢᵀΓᵢ in " +
		"the tokens; w is the gradient in the tokens that all of them share, and Dᵢ = cov(X − γwᵢ) − cov(X), D = cov(X " +
		"− γw) − cov(X) are virtual shifts, not centred and without 1/N.",
	Params: []theory.Param{
		stepSize(theory.Inside(0, 1e20), "0.1"),
		{Name: "heads", Symbol: "h", Meaning: "number of heads", Domain: theory.IntegerBetween(1, 1000), Default: "2"},
		{Name: "signal", Symbol: "‖wᵢ‖", Meaning: "norm of every private gradient", Domain: theory.Between(0, 1e20),
			Default: "1"},
		{Name: "cosine", Symbol: "cos(wᵢ, wⱼ)", Meaning: "cosine between any two of them", Domain: theory.Between(0, 1),
			Default: "0.25"},
		{Name: "W", Symbol: "W", Meaning: "queries, keys and values of all heads stacked, W₁ to Wₙ", Shape: "m×d"},
		{Name: "H", Symbol: "X", Meaning: "tokens, one of one sequence per column", Shape: "d×N"},
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the loss at the stacked outputs", Shape: "m×N"},
		{Name: "P", Symbol: "w", Meaning: "gradients of the loss in the tokens", Shape: "d×N"},
		{Name: "W_next", Symbol: "W⁺", Meaning: "stacked weights after the step", Shape: "m×d"},
		weightsScale, tokensScale, covarianceScale,
	},
	Claim: "w = Σwᵢ, and $Σ(Wᵢ⁺ᵀWᵢ⁺ − WᵢᵀWᵢ) = D + γ²(XΓᵀΓXᵀ − wwᵀ)$ with ΓᵀΓ = ΣΓᵢᵀΓᵢ, exactly; and the private " +
		"shifts miss the joint one by cross terms of second order alone: $ΣDᵢ − D = −γ²Σ_{i≠j} wᵢwⱼᵀ$.",
	TeX: `\sum_i \left( W_{i+}^{\top} W_{i+} - W_i^{\top} W_i \right) = D + \gamma^2 \left( X \Gamma^{\top} \Gamma ` +
		`X^{\top} - w w^{\top} \right), \quad \sum_i D_i - D = -\gamma^2 \sum_{i \ne j} w_i w_j^{\top}`,
	Assumptions: []theory.Assumption{
		{ID: "all-branches", Text: "the sum runs over queries, keys and values of all heads, each with weight one"},
		{ID: "no-skip", Text: "only the projections use the tokens: no skip connection around the block"},
		{ID: "plain-descent", Text: "the weights take a plain gradient step"},
	},
	Source:     openPoint,
	Deviations: "The source leaves self-attention open; the law for it is derived here.",
	Proof: "The projections of all heads stacked are one linear layer, the only use of the tokens, whose Gram matrix " +
		"is ΣWᵢᵀWᵢ: vcl/residual applies. The gradient in shared tokens is the sum of those in private copies, and " +
		"Σwᵢwᵢᵀ − wwᵀ are the cross terms.",
	Tolerance: "As in vcl/attention: weights, shared and private tokens are differentiated separately, by complex " +
		"steps, and Γ is that of the backward pass; the bounds of the projections add up. The sum of n = 3h private " +
		"gradients rounds n times.",
	Limits: "Up to three heads and sequences, five tokens. A sum with unequal weights would belong to the same weighted " +
		"sum of the wᵢ, which is not the gradient in the tokens.",
	RestsOn:  []string{"vcl/attention", "vcl/residual"},
	Violated: func(v theory.Values) error { return branchesOf(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "cross", Symbol: "tr(ΣDᵢ − D)", Value: branchesOf(v).Trace(),
			Meaning: "trace of the cross terms"}}
	},
}

// CrossTerms returns −γ²Σ_{i≠j} wᵢwⱼᵀ, for private gradients wᵢ of one shape.
func CrossTerms(step float64, signals []*mat.Dense) *mat.Dense {
	d, _ := signals[0].Dims()
	sum := mat.NewDense(d, d, nil)
	var term mat.Dense
	for i, w := range signals {
		for j, other := range signals {
			if i != j {
				term.Mul(w, other.T())
				sum.Add(sum, &term)
			}
		}
	}
	sum.Scale(-step*step, sum)
	return sum
}

// EqualBranches describes the private gradients of 3h projections, all of one norm and at one angle to each other.
type EqualBranches struct {
	Step         float64 // γ
	Heads        int     // h
	Norm, Cosine float64
}

func branchesOf(v theory.Values) EqualBranches {
	return EqualBranches{Step: v.Float("step"), Heads: v.Int("heads"), Norm: v.Float("signal"),
		Cosine: v.Float("cosine")}
}

// Valid names the violated hypothesis.
func (b EqualBranches) Valid() error {
	return theory.Require(b.Heads >= 1 && b.Norm >= 0 && b.Cosine >= 0 && b.Cosine <= 1,
		"vcl: branches need a head, a norm and a cosine in [0, 1]")
}

// Trace returns −γ²·n(n−1)‖wᵢ‖²·cos for n = 3h, the trace of the cross terms.
func (b EqualBranches) Trace() float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	n := float64(3 * b.Heads)
	return -b.Step * b.Step * n * (n - 1) * b.Norm * b.Norm * b.Cosine
}
