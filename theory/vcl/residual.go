package vcl

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Residual is the claim vcl/residual.
var Residual = theory.Statement{
	Slug:  "vcl/residual",
	Title: "Gram shift equals virtual covariance shift, with the exact residual",
	Plain: "A gradient step shifts WᵀW as a virtual step on the layer's inputs shifts their covariance, up to " +
		"an explicit second-order term.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "One layer z = W h of a differentiable network. A step W⁺ = W − γ Σᵢ gᵢhᵢᵀ on the loss summed over a " +
		"batch; virtual hidden states hᵢ⁺ = hᵢ − γ ∂lossᵢ/∂hᵢ; covariance HHᵀ, not centred and without 1/B.",
	Params: []theory.Param{
		stepSize(theory.Inside(0, 1e20), "0.1"),
		{Name: "g", Symbol: "‖g‖", Meaning: "norm of the pre-activation gradient", Domain: theory.Between(0, 1e20),
			Default: "1"},
		{Name: "h", Symbol: "‖h‖", Meaning: "norm of the layer's input", Domain: theory.Between(0, 1e20), Default: "1"},
		{Name: "w", Symbol: "‖Wᵀg‖", Meaning: "norm of the input's gradient", Domain: theory.Between(0, 1e20),
			Default: "0.5"},
		{Name: "cosine", Symbol: "cos(h, Wᵀg)", Meaning: "cosine between input and its gradient",
			Domain: theory.Between(-1, 1), Default: "0"},
		layerWeights, layerInputs,
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the per-sample losses in the pre-activations",
			Shape: "m×B"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the per-sample losses in the layer's input, WᵀΓ", Shape: "n×B"},
		weightsAfter,
		{Name: "a", Symbol: "a", Meaning: "scale of the loss that moves the weights: 1 for a sum, 1/B for a mean"},
		{Name: "b", Symbol: "b", Meaning: "scale of the loss that moves the virtual hidden states"},
		covarianceScale,
	},
	Claim: "$W⁺ᵀW⁺ − WᵀW = (H⁺H⁺ᵀ − HHᵀ) + γ²(HΓᵀΓHᵀ − WᵀΓΓᵀW)$, exactly, for every step size γ.",
	TeX: `W_+^{\top} W_+ - W^{\top} W = \left( H_+ H_+^{\top} - H H^{\top} \right) + ` +
		`\gamma^2 \left( H \Gamma^{\top} \Gamma H^{\top} - W^{\top} \Gamma \Gamma^{\top} W \right)`,
	Assumptions: []theory.Assumption{
		{ID: "only-use", Text: "z = W h is the only use of h and of W in the network"},
		{ID: "plain-descent", Text: "the weights take a plain gradient step, W⁺ = W − γ Σᵢ gᵢhᵢᵀ"},
		{ID: "uncentred", Text: "the covariance is the uncentred second moment of the individual samples"},
		{ID: "convention", Text: "the batch conventions of loss, virtual step and covariance match (a = b·c)"},
		{ID: "exact-gradient", Text: "g is the derivative of the loss in the pre-activation"},
	},
	Source: paper.At("Theorem 2"),
	Deviations: "The source prints the one-sample form and leaves the residual open; the batch form, the residual " +
		"and the list of batch conventions for which it holds are derived here.",
	Proof: "Both sides are quadratic in γ and their linear terms agree, because ∇_h loss = Wᵀg (the chain rule). " +
		"With scales a, b, c for the batch loss of the weights, the loss of the virtual step and the covariance, the " +
		"linear terms agree exactly when a = b·c, and then R = γ²(a² HΓᵀΓHᵀ − c·b² WᵀΓΓᵀW).",
	Tolerance: "With small integers everything is exact in float64 and the tolerance is 0. Otherwise an inner product " +
		"of length k errs by at most k·u times the product of the norms. All inner products run over the m units or the B " +
		"samples, and every term is a product of products: (ΓHᵀ)ᵀ(ΓHᵀ) inherits B·u from each factor and adds m·u, " +
		"(WᵀΓ)(WᵀΓ)ᵀ does the same with m and B exchanged, W⁺ᵀW⁺ is like the first, and WᵀW adds another m. No term meets " +
		"more than twelve further operations (scales, γ, sums): |error| ≤ (2(m+B)+12)·u·S, where S bounds the size of " +
		"every term.",
	Limits: "The identity is algebra and holds for any layer that uses its input once; a pass says that our " +
		"backpropagation supplies the right gradients. Nothing is said about whether the covariance shift explains " +
		"learning. Widths and batches up to 8.",
	Predict: func(v theory.Values) []theory.Quantity {
		r := RankTwo{Step: v.Float("step"), G: v.Float("g"), H: v.Float("h"), W: v.Float("w"),
			Cosine: v.Float("cosine")}
		lo, hi := r.Eigenvalues()
		return []theory.Quantity{
			{Name: "trace", Symbol: "tr R", Value: r.Trace(), Meaning: "trace of the residual"},
			{Name: "frobenius", Symbol: "‖R‖_F", Value: r.Frobenius(), Meaning: "Frobenius norm of the residual"},
			{Name: "eigenvalue_min", Symbol: "λ₋", Value: lo, Meaning: "negative eigenvalue"},
			{Name: "eigenvalue_max", Symbol: "λ₊", Value: hi, Meaning: "positive eigenvalue"},
		}
	},
	Violated: func(v theory.Values) error {
		return RankTwo{G: v.Float("g"), H: v.Float("h"), W: v.Float("w"), Cosine: v.Float("cosine")}.Valid()
	},
}

// Convention fixes how a batch enters: the scale a of the loss that moves the weights, the scale b of the loss that
// moves the virtual hidden states, and the scale c of the covariance. A sum has scale 1, a mean 1/B.
type Convention struct{ Weights, Virtual, Covariance float64 }

// Sum is the convention of the statement: everything is summed.
var Sum = Convention{1, 1, 1}

// Cancels reports whether the terms of first order in γ agree.
func (c Convention) Cancels() bool { return c.Weights == c.Virtual*c.Covariance }

// LayerStep is one step of one layer on a batch.
type LayerStep struct {
	W          *mat.Dense // m×n
	Inputs     *mat.Dense // H, n×B
	PreGrads   *mat.Dense // Γ, m×B, per sample
	Step       float64    // γ
	Convention Convention
}

// Valid names the violated hypothesis.
func (s LayerStep) Valid() error {
	m, n := s.W.Dims()
	hn, hb := s.Inputs.Dims()
	gm, gb := s.PreGrads.Dims()
	return cmp.Or(
		theory.Require(hn == n && gm == m && hb == gb, "vcl: shapes of W (m×n), H (n×B) and Γ (m×B) do not fit"),
		theory.Require(!math.IsNaN(s.Step) && !math.IsInf(s.Step, 0), "vcl: step size is not finite"),
		theory.Require(s.Convention.Cancels(), "vcl: batch conventions do not match (a ≠ b·c)"),
	)
}

// Residual returns R = γ²(a² HΓᵀΓHᵀ − c·b² WᵀΓΓᵀW), n×n. All entries are NaN outside the hypotheses.
func (s LayerStep) Residual() *mat.Dense {
	if s.Valid() != nil {
		return undefined(s.W.RawMatrix().Cols)
	}
	gh, wg, c := algebra.Product(s.PreGrads, s.Inputs.T()), algebra.Product(s.W.T(), s.PreGrads), s.Convention
	first := algebra.Scaled(c.Weights*c.Weights, algebra.Product(gh.T(), gh))
	second := algebra.Scaled(c.Covariance*c.Virtual*c.Virtual, algebra.Product(wg, wg.T()))
	return algebra.Scaled(s.Step*s.Step, algebra.Difference(first, second))
}

// Magnitude returns S = (w+p)² + (√c·h+q)² + p² + q² with w = ‖W‖, h = ‖H‖, p = γ|a|‖Γ‖h and q = γ|b|√c·w‖Γ‖ in
// Frobenius norms: no term of either side exceeds it, so rounding errors are multiples of u·S.
func (s LayerStep) Magnitude() float64 {
	w, h, g, c := mat.Norm(s.W, 2), mat.Norm(s.Inputs, 2), mat.Norm(s.PreGrads, 2), s.Convention
	root := math.Sqrt(math.Abs(c.Covariance))
	p, q := math.Abs(s.Step*c.Weights)*g*h, math.Abs(s.Step*c.Virtual)*root*w*g
	return (w+p)*(w+p) + (root*h+q)*(root*h+q) + p*p + q*q
}

// RankTwo is the residual of a single sample, R = γ²(‖g‖² hhᵀ − wwᵀ) with w = Wᵀg, described by its invariants.
type RankTwo struct {
	Step, G, H, W float64 // γ, ‖g‖, ‖h‖, ‖w‖
	Cosine        float64 // of the angle between h and w
}

// Valid names the violated hypothesis.
func (r RankTwo) Valid() error {
	return cmp.Or(
		theory.Require(r.G >= 0 && r.H >= 0 && r.W >= 0, "vcl: norms must not be negative"),
		theory.Require(r.Cosine >= -1 && r.Cosine <= 1, "vcl: a cosine lies in [-1, 1]"),
		theory.Require(r.G > 0 || r.W == 0, "vcl: where g = 0, the input's gradient Wᵀg is 0 as well"),
	)
}

// Trace returns tr R = γ²(‖g‖²‖h‖² − ‖w‖²).
func (r RankTwo) Trace() float64 {
	return theory.When(r.Valid() == nil, r.Step*r.Step*(r.G*r.G*r.H*r.H-r.W*r.W))
}

// Frobenius returns ‖R‖_F = γ²·√(‖g‖⁴‖h‖⁴ − 2‖g‖²(h·w)² + ‖w‖⁴).
func (r RankTwo) Frobenius() float64 {
	if r.Valid() != nil {
		return math.NaN()
	}
	gh, hw := r.G*r.G*r.H*r.H, r.H*r.W*r.Cosine
	return r.Step * r.Step * math.Sqrt(max(0, gh*gh-2*r.G*r.G*hw*hw+math.Pow(r.W, 4)))
}

// Eigenvalues returns the two eigenvalues that may differ from zero, in ascending order. They have opposite signs
// whenever h and w are independent.
func (r RankTwo) Eigenvalues() (lo, hi float64) {
	t, f := r.Trace(), r.Frobenius()
	root := math.Sqrt(max(0, 2*f*f-t*t)) // λ₊ − λ₋, from λ₊+λ₋ = t and λ₊²+λ₋² = f²
	return (t - root) / 2, (t + root) / 2
}
