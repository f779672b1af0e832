package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// AttentionLipschitz is the claim vcl/attentionlipschitz.
var AttentionLipschitz = theory.Statement{
	Slug:  "vcl/attentionlipschitz",
	Title: "The bound on actual versus virtual updates, for attention weights: in norm, with L = ½",
	Plain: "When only queries or only keys learn, the attention weights move by at most a known multiple of their " +
		"virtual update.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "A head of self-attention as in vcl/attention, of which one projection takes a gradient step. P are its " +
		"attention weights, a row per query, M = ∂loss/∂P the gradient in them, so that −γM is their virtual update; M_c " +
		"has of every row its mean over the allowed keys subtracted. ‖·‖ is the Frobenius norm over all sequences, ‖·‖₂ " +
		"the largest singular value, K_c and X_c are keys and tokens less their means in every sequence.",
	Params: []theory.Param{
		{Name: "scale", Symbol: "β", Meaning: "scale of the scores", Domain: theory.Inside(0, 1e6), Default: "1"},
		{Name: "tokens", Symbol: "‖X‖₂", Meaning: "norm of orthogonal tokens of one length",
			Domain: theory.Inside(1e-6, 1e6), Default: "1"},
		{Name: "keys", Symbol: "‖K_c‖₂", Meaning: "norm of their keys less the mean, of which two are opposite",
			Domain: theory.Inside(1e-6, 1e6), Default: "1.5"},
		{Name: "virtual", Symbol: "γ‖M_c‖", Meaning: "virtual update of the attention of one query, half to each",
			Domain: theory.Inside(0, 1e6), Default: "0.5"},
	},
	Claim: "If W_Q alone moves, $‖P⁺ − P‖ ≤ ¼β²‖X‖₂² max‖K_c‖₂² ‖γM_c‖$; if W_K alone, $‖P⁺ − P‖ ≤ ¼β²‖X_c‖₂² max‖Q‖₂² " +
		"‖γM_c‖$, the maxima over sequences, any mask and step; ¼ = L² is best possible for both: where one query gives " +
		"half of its attention to each of two tokens, the quotient can be tanh(x)/x. For W_O or W_V alone the output " +
		"moves along its virtual update in sum: ⟨Y⁺ − Y, −γ∂loss/∂Y⟩ = γ²‖∂loss/∂W‖².",
	TeX: `\lVert P_+ - P \rVert \le \tfrac14 \beta^2 \lVert X \rVert_2^2 \max \lVert K_c \rVert_2^2 \, \lVert \gamma ` +
		`M_c \rVert, \quad \lVert P_+ - P \rVert \le \tfrac14 \beta^2 \lVert X_c \rVert_2^2 \max \lVert Q \rVert_2^2 ` +
		`\, \lVert \gamma M_c \rVert`,
	Assumptions: []theory.Assumption{
		{ID: "alone", Text: "one projection moves; the tokens and all other weights stay fixed"},
		{ID: "plain-descent", Text: "it takes a plain gradient step of size γ"},
		{ID: "uncentred-queries", Text: "the bound for W_K uses the queries without centring; only the tokens are centred"},
	},
	Source: openPoint,
	Deviations: "The source's Theorem 3 bounds every entry, |Δhᵢ| ≤ L²|Δvᵢ| with equal signs. For attention both fail: " +
		"with P = (½, ¼, ¼) and M − P·M = (10, 4, −24) the second weight first grows although its virtual update is " +
		"negative.",
	Proof: "A softmax has the Jacobian J = diag(p) − ppᵀ with ‖J‖₂ ≤ max 2pᵤ(1 − pᵤ) ≤ ½ (Gershgorin), and J1 = 0. So " +
		"‖∂loss/∂S‖ ≤ ½‖M_c‖ for the scores S, a step of W_Q moves S by −γβ²XᵀXRKᵀK, and P follows by at most ½ of " +
		"that; constants of a row do nothing. For W_K exchange the roles: there the sum over keys of R vanishes, which " +
		"centres X. The sum law is ⟨∇H, Γ⟩ = ‖∇‖².",
	Tolerance: "Rounding of P is (2d + k + T + 8)(1 + σ)u of a row before and after, σ = β‖queries‖‖keys‖ above all " +
		"scores, and its effect on the bound is relatively as small. The sharp family is known to 64u(1 + b) of its bound " +
		"b, and to 4√B·u, since adding to P = ½ rounds small moves away. The sum errs by the bounds of Block.Apart " +
		"on both gradients, and by 2(2d + T + v + 8)u of the outputs' terms.",
	Limits: "Tokens stay fixed, since softmax attention is not Lipschitz in unbounded tokens. On random heads the " +
		"bounds are far from sharp: the median ratio of move to bound is below 0.01.",
	RestsOn: []string{"vcl/attention", "vcl/lipschitz"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := ShortStep{Scale: v.Float("scale"), Tokens: v.Float("tokens"), Other: v.Float("keys"),
			Virtual: v.Float("virtual")}
		return []theory.Quantity{
			{Name: "bound", Symbol: "¼β²‖X‖₂²‖K_c‖₂²‖γM_c‖", Value: s.Bound(), Bound: "≤",
				Meaning: "bound on how far the attention weights move"},
			{Name: "moved", Symbol: "‖P⁺ − P‖", Value: s.Halved(),
				Meaning: "how far they move on two keys with half of the attention each"},
		}
	},
}

// ShortStep is a step of the queries' or the keys' weights alone, in the norms of the bound.
type ShortStep struct {
	Scale   float64 // β
	Tokens  float64 // ‖X‖₂, or ‖X_c‖₂ for the keys' weights
	Other   float64 // max‖K_c‖₂, or max‖Q‖₂
	Virtual float64 // ‖γM_c‖
}

// Valid names the violated hypothesis.
func (s ShortStep) Valid() error {
	return theory.Require(s.Scale >= 0 && s.Tokens >= 0 && s.Other >= 0 && s.Virtual >= 0,
		"vcl: norms must not be negative")
}

// Bound returns ¼β²‖X‖₂²‖K_c‖₂²‖γM_c‖.
func (s ShortStep) Bound() float64 {
	return theory.When(s.Valid() == nil, math.Pow(s.Scale*s.Tokens*s.Other, 2)*s.Virtual/4)
}

// Halved returns tanh(√2·Bound)/√2, how far the attention of one query moves that gives half of it to each of two
// opposite keys.
func (s ShortStep) Halved() float64 { return math.Tanh(math.Sqrt2*s.Bound()) / math.Sqrt2 }
