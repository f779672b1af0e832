package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// AttentionAnsatz is the claim vcl/attentionansatz.
var AttentionAnsatz = theory.Statement{
	Slug:  "vcl/attentionansatz",
	Title: "The exact part of the neural feature ansatz for attention: exponent ½ for balanced heads on white tokens",
	Plain: "In a balanced attention head on white tokens, the query Gram matrix is the square root of the average " +
		"gradient outer product of the scores.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A head of self-attention with query and key weights W_Q, W_K (k×d), A_Q = W_QᵀW_Q, A_K = W_KᵀW_K, B = " +
		"W_QᵀW_K, Δ = W_QW_Qᵀ − W_KW_Kᵀ, and scores β(W_Qx)·(W_Kxᵤ). AGOP is the average over the keys u = 1 … T of the " +
		"outer product of the score's gradient in the query's token x, keys held fixed; tokens are white if ΣxᵤxᵤᵀT⁻¹ = cI.",
	Params: []theory.Param{
		{Name: "gain", Symbol: "σ", Meaning: "a singular value of W_Q", Domain: theory.Inside(0, 1e20), Default: "2"},
		{Name: "variance", Symbol: "c", Meaning: "variance of white tokens", Domain: theory.Inside(0, 1e20), Default: "1"},
		{Name: "scale", Symbol: "β", Meaning: "scale of the scores", Domain: theory.Inside(0, 1e20), Default: "0.5"},
		{Name: "W_Q", Symbol: "W_Q", Meaning: "query weights of one head", Shape: "k×d"},
		{Name: "W_K", Symbol: "W_K", Meaning: "key weights of the head", Shape: "k×d"},
	},
	Claim: "$A_Q² − BBᵀ = W_QᵀΔW_Q$ and $A_K² − BᵀB = −W_KᵀΔW_K$ for any weights; AGOP = β²B(ΣxᵤxᵤᵀT⁻¹)Bᵀ. So for a " +
		"balanced head, Δ = 0, on white tokens $A_Q = (cβ²)^{−1/2} AGOP^{1/2}$: the exponent is ½.",
	TeX: `A_Q^2 - B B^{\top} = W_Q^{\top} \Delta W_Q, \quad A_K^2 - B^{\top} B = -W_K^{\top} \Delta W_K, \quad A_Q = ` +
		`(c \beta^2)^{-1/2} \, \mathrm{AGOP}^{1/2}`,
	Assumptions: []theory.Assumption{
		{ID: "balanced", Text: "Δ = 0 (for the exponent)"},
		{ID: "white", Text: "the keys' tokens are white (for the exponent)"},
	},
	Source: openPoint,
	Deviations: "The source mentions the ansatz for layers, with exponent one, and leaves self-attention open; this is " +
		"derived here.",
	Proof: "A_Q² = W_Qᵀ(W_QW_Qᵀ)W_Q and BBᵀ = W_Qᵀ(W_KW_Kᵀ)W_Q. The gradient of a score in its query's token is βBxᵤ. " +
		"Gradient flow keeps a balanced head balanced (vcl/attentionbalance), and at a stationary point with weight " +
		"decay every head is.",
	Tolerance: "Products of four factors with inner lengths k and d are known to (2k + 2d + 6)u of their norms, twice " +
		"for both sides, and the mean over T keys to T·u more; a balanced head is so to 4(k + d)u of ‖W_Q‖². Together " +
		"with the eigensolver that is at most (16(k + d) + T + 128)u of ‖AGOP‖, d times its largest eigenvalue at most, " +
		"and moves the logarithm of the smallest that is not zero by as much times the ratio.",
	Limits: "Nothing is said about gradients of the output or of the loss; for those the ansatz is only observed. Heads " +
		"of at most six entries, singular values within a factor of eight.",
	Readings: []theory.Reading{{ID: "exponent-one", Reading: "W_QᵀW_Q ∝ AGOP with exponent one, for queries too",
		Locus:          "poster; an ansatz for what is observed",
		Correct:        "exponent ½ for a balanced head on white tokens: queries and keys are two layers",
		Counterexample: "any balanced head with two different singular values σ: eigenvalues σ² of A_Q against cβ²σ⁴"}},
	RestsOn: []string{"vcl/attentionbalance"},
	Predict: func(v theory.Values) []theory.Quantity {
		h := BalancedHead{Gain: v.Float("gain"), Variance: v.Float("variance"), Scale: v.Float("scale")}
		return []theory.Quantity{
			{Name: "gram", Symbol: "σ²", Value: h.Gram(), Meaning: "eigenvalue of A_Q"},
			{Name: "agop", Symbol: "cβ²σ⁴", Value: h.AGOP(), Meaning: "eigenvalue of AGOP"},
		}
	},
}

// BalancedHead is a balanced head on white tokens, seen through one singular value.
type BalancedHead struct{ Gain, Variance, Scale float64 } // σ, c, β

// Valid names the violated hypothesis.
func (h BalancedHead) Valid() error {
	return theory.Require(h.Gain > 0 && h.Variance > 0 && h.Scale > 0,
		"vcl: singular value, variance and scale must be positive")
}

// Gram returns σ², the eigenvalue of A_Q.
func (h BalancedHead) Gram() float64 {
	return theory.When(h.Valid() == nil, h.Gain*h.Gain)
}

// AGOP returns cβ²σ⁴.
func (h BalancedHead) AGOP() float64 { return h.Variance * math.Pow(h.Scale*h.Gram(), 2) }

// Exponent returns ½, the power of AGOP that A_Q is.
func (h BalancedHead) Exponent() float64 {
	return theory.When(h.Valid() == nil, 0.5)
}

// AnsatzDefect returns W_QᵀΔW_Q = A_Q² − BBᵀ; with queries and keys exchanged it is A_K² − BᵀB.
func AnsatzDefect(query, key *mat.Dense) *mat.Dense {
	balance := PairBalance{U: query, V: key, GradU: query, GradV: key}.Balance()
	return algebra.Product(query.T(), balance, query)
}
