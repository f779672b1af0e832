package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// AttentionHeads is the claim vcl/attentionheads.
var AttentionHeads = theory.Statement{
	Slug:  "vcl/attentionheads",
	Title: "Two heads meet in the output's Gram matrix: it learns their cross-covariance",
	Plain: "A gradient step changes the product of two heads' output weights just as a virtual step changes the " +
		"cross-covariance of the heads' contexts.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Two heads a, b of self-attention, with output weights O_a, O_b, contexts C_a, C_b (one token per column), " +
		"output Y = ΣO_iC_i, G = ∂loss/∂Y, and signals E_i = O_iᵀG at the contexts. O_i⁺ = O_i − γ∂loss/∂O_i and " +
		"C_i⁺ = C_i − γE_i, all tokens of all sequences summed.",
	Params: []theory.Param{
		stepSize(theory.Inside(0, 1e20), "0.1"),
		{Name: "oa", Symbol: "o_a", Meaning: "output weight of head a, with one token and one entry of everything",
			Domain: theory.Inside(-1e20, 1e20), Default: "1"},
		{Name: "ob", Symbol: "o_b", Meaning: "output weight of head b", Domain: theory.Inside(-1e20, 1e20), Default: "0.5"},
		{Name: "va", Symbol: "v_a", Meaning: "value of head a", Domain: theory.Inside(-1e20, 1e20), Default: "2"},
		{Name: "vb", Symbol: "v_b", Meaning: "value of head b", Domain: theory.Inside(-1e20, 1e20), Default: "1"},
		{Name: "g", Symbol: "g", Meaning: "gradient in the output", Domain: theory.Inside(-1e20, 1e20), Default: "1"},
		{Name: "O_a", Symbol: "O_a", Meaning: "output weights of head a", Shape: "m×k"},
		{Name: "O_b", Symbol: "O_b", Meaning: "output weights of head b", Shape: "m×l"},
		{Name: "O_a_next", Symbol: "O_a⁺", Meaning: "those of head a after the step", Shape: "m×k"},
		{Name: "O_b_next", Symbol: "O_b⁺", Meaning: "those of head b after the step", Shape: "m×l"},
		{Name: "C_a", Symbol: "C_a", Meaning: "contexts of head a", Shape: "k×N"},
		{Name: "C_b", Symbol: "C_b", Meaning: "contexts of head b", Shape: "l×N"},
		{Name: "E_a", Symbol: "E_a", Meaning: "gradients of the loss in the contexts of head a", Shape: "k×N"},
		{Name: "E_b", Symbol: "E_b", Meaning: "gradients of the loss in the contexts of head b", Shape: "l×N"},
		{Name: "G", Symbol: "G", Meaning: "gradients of the loss in the output", Shape: "m×N"},
	},
	Claim: "$O_a⁺ᵀO_b⁺ − O_aᵀO_b = (C_a⁺C_b⁺ᵀ − C_aC_bᵀ) + γ²(C_aGᵀGC_bᵀ − E_aE_bᵀ)$, exactly: between heads the " +
		"output learns the cross-covariance of the contexts, from first order on.",
	TeX: `O_{a+}^{\top} O_{b+} - O_a^{\top} O_b = \left( C_{a+} C_{b+}^{\top} - C_a C_b^{\top} \right) + ` +
		`\gamma^2 \left( C_a G^{\top} G C_b^{\top} - E_a E_b^{\top} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "own-signal", Text: "each head's contexts move along the signal through its own output weights"},
		{ID: "one-output", Text: "both heads feed one output, and one loss differentiates both"},
		{ID: "all-tokens", Text: "the cross-covariance sums over all tokens of all sequences"},
		{ID: "plain-descent", Text: "both take a plain gradient step"},
	},
	Source:     openPoint,
	Deviations: "The source leaves self-attention open; the law for it is derived here.",
	Proof: "The output weights of all heads, side by side, are one linear layer on their contexts, one below another. " +
		"The law of vcl/attention holds for its Gram matrix, of which this is the block of two heads.",
	Tolerance: "As in vcl/attention, for the layer [O_a O_b]: weights and contexts are differentiated separately, by " +
		"complex steps, G is that of the backward pass, and a block of a matrix is no larger than the matrix.",
	Limits: "Up to three heads and sequences, five tokens. The queries, keys and values of several heads interact only " +
		"through the tokens, where their laws add up (vcl/attentiontokens).",
	RestsOn: []string{"vcl/attention", "vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		g := v.Float("g") // o g is the signal at a context of one entry
		s := HeadPair{number(v.Float("va")), number(v.Float("vb")), number(v.Float("oa") * g), number(v.Float("ob") * g),
			number(g), v.Float("step")}
		return []theory.Quantity{
			{Name: "change", Symbol: "Δ(o_ao_b)", Value: s.Shift().At(0, 0) + s.Residual().At(0, 0),
				Meaning: "change of the product of the output weights"},
			{Name: "shift", Symbol: "Δ(c_ac_b)", Value: s.Shift().At(0, 0),
				Meaning: "virtual change of the product of the contexts"},
			{Name: "residual", Symbol: "γ²g²(v_av_b − o_ao_b)", Value: s.Residual().At(0, 0), Meaning: "the difference"},
		}
	},
}

// HeadPair is a step of two heads' output weights.
type HeadPair struct {
	ContextA, ContextB *mat.Dense // C, k×N and l×N
	SignalA, SignalB   *mat.Dense // E
	OutputGrad         *mat.Dense // G, m×N
	Step               float64    // γ
}

// Valid names the violated hypothesis.
func (p HeadPair) Valid() error {
	k, n := p.ContextA.Dims()
	l, nb := p.ContextB.Dims()
	ka, na := p.SignalA.Dims()
	lb, nc := p.SignalB.Dims()
	if _, ng := p.OutputGrad.Dims(); k != ka || l != lb || n != na || n != nb || n != nc || n != ng {
		return errors.New("vcl: shapes of contexts, signals and output gradients do not fit")
	}
	return nil
}

// Shift returns C_a⁺C_b⁺ᵀ − C_aC_bᵀ = −γ(E_aC_bᵀ + C_aE_bᵀ) + γ²E_aE_bᵀ, k×l. All entries are NaN outside the
// hypotheses.
func (p HeadPair) Shift() *mat.Dense {
	if p.Valid() != nil {
		return number(math.NaN())
	}
	first := algebra.Sum(algebra.Product(p.SignalA, p.ContextB.T()), algebra.Product(p.ContextA, p.SignalB.T()))
	second := algebra.Product(p.SignalA, p.SignalB.T())
	return algebra.Sum(algebra.Scaled(-p.Step, first), algebra.Scaled(p.Step*p.Step, second))
}

// Residual returns γ²(C_aGᵀGC_bᵀ − E_aE_bᵀ), k×l. All entries are NaN outside the hypotheses.
func (p HeadPair) Residual() *mat.Dense {
	if p.Valid() != nil {
		return number(math.NaN())
	}
	return secondOrder(p.Step, p.OutputGrad, p.ContextA, p.OutputGrad, p.ContextB, p.SignalA, p.SignalB)
}
