package vcl

import (
	"cmp"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Logistic is the claim vcl/logistic.
var Logistic = theory.Statement{
	Slug:  "vcl/logistic",
	Title: "Binary logistic regression: whitening is gradient descent, the true shift is never feasible",
	Plain: "In binary logistic regression, whitening equals gradient descent for moderate steps; the exact " +
		"covariance shift is infeasible unless sample and weights are parallel.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "One output z = w·x, w ≠ 0, mean loss log(1+eᶻ) − yz over a batch of B, gᵢ = (1/(1+e^{−zᵢ}) − yᵢ)/B, step " +
		"γ. Whitening takes the nearest weights with the Gram matrix of gradient descent. The true shift prescribes the " +
		"Gram matrix of w plus the virtual covariance shift, here of one sample x, whose part orthogonal to w is x_⊥.",
	Params: []theory.Param{
		{Name: "weights", Symbol: "‖w‖", Meaning: "norm of the weights", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "along", Symbol: "x·w/‖w‖", Meaning: "component of the input along the weights",
			Domain: theory.Between(-1e6, 1e6), Default: "0.5"},
		{Name: "across", Symbol: "‖x_⊥‖", Meaning: "norm of the rest of the input", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "g", Symbol: "g", Meaning: "ŷ − y", Domain: theory.Between(-1, 1), Default: "0.6"},
		stepSize(theory.Between(1e-9, 1e6), "0.1"),
		{Name: "W", Symbol: "w", Meaning: "weights, as a row", Shape: "1×n"},
		{Name: "H", Symbol: "x", Meaning: "inputs, one sample per column", Shape: "n×B"},
		{Name: "Y", Symbol: "y", Meaning: "labels 0 and 1, as a row", Shape: "1×B"},
		{Name: "Gamma", Symbol: "g", Meaning: "gradients of the mean loss in the logits, as a row", Shape: "1×B"},
		{Name: "W_next", Symbol: "w₊", Meaning: "whitened weights, as a row", Shape: "1×n"},
		{Name: "W_shift", Symbol: "√λ₁q₁", Meaning: "the nearest weights for the true shift of one sample, as a row",
			Shape: "1×n"},
	},
	Claim: "Whitening is w₊ = w − γΣgᵢxᵢ exactly, as long as w·w₊ > 0. The target of the true shift has the " +
		"eigenvalues (P ± √(P²+4R²))/2 in the plane of w and x, one of them negative unless x ∥ w; the nearest " +
		"weights to its positive part are √λ₁q₁, q₁ ∝ (λ₁, R), which differ from w − γgx by O(γ²).",
	TeX: `w_+ = w - \gamma g x \text{ (whitening)}, \quad \lambda_{\pm} = \frac{P \pm \sqrt{P^2 + 4 R^2}}{2}, \quad ` +
		`P = (1 + \gamma^2 g^2) \lVert w \rVert^2 - 2 \gamma g \, w \cdot x, \quad ` +
		`R = - \gamma g \lVert w \rVert \lVert x_{\perp} \rVert`,
	Assumptions: []theory.Assumption{
		{ID: "one-output", Text: "there is one output"},
		{ID: "same-side", Text: "w·(w − γgx) > 0: the step does not turn the weights around (for whitening)"},
		{ID: "one-sample", Text: "the step is taken on one sample (for the closed form)"},
	},
	Source:     paper.At("poster, logistic regression"),
	Deviations: "The source announces the case as easy to investigate; everything stated is derived here.",
	Proof: "An orthogonal matrix of order one is ±1, which proves the first statement. The target wwᵀ + D acts in the " +
		"plane of w and x. In an orthonormal basis of that plane whose first vector is along w, it is [[P, R], [R, 0]] " +
		"with determinant −R². With m = 1 the best Gram matrix of rank one is λ₁q₁q₁ᵀ (vcl/procrustes).",
	Tolerance: "The gradient is a function of slope at most ¼ of a logit that errs by n·u‖w‖‖x‖. The whitened step adds " +
		"the error 16(n+B)·u(‖w‖ + ‖w₊‖) of one product to the error of ΓHᵀ, which is at most (B+2)·u·γ‖Γ‖‖H‖ on either " +
		"side. Eigenvectors of the target turn by its error 16n·u·‖G‖ over the gap λ₁ − λ₂, and roots of λ₁ err by as much " +
		"relative to λ₁.",
	Limits: "Up to eight inputs, logits up to some 30 in size. Saturated samples have small gradients of lower " +
		"accuracy; they form a regime of their own. For x ∥ w only P > 0 is drawn; with P ≤ 0 the new weights vanish.",
	RestsOn: []string{"vcl/procrustes", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := LogisticStep{Weights: v.Float("weights"), Along: v.Float("along"), Across: v.Float("across"),
			G: v.Float("g"), Step: v.Float("step")}
		lo, hi := s.Eigenvalues()
		along, across := s.True()
		down, side := s.Descent()
		return []theory.Quantity{
			{Name: "eigenvalue_min", Symbol: "λ₋", Value: lo, Meaning: "negative eigenvalue of the target"},
			{Name: "eigenvalue_max", Symbol: "λ₊", Value: hi, Meaning: "positive eigenvalue of the target"},
			{Name: "along", Symbol: "w₊·w/‖w‖", Value: along, Meaning: "new weights along the old ones, true shift"},
			{Name: "across", Symbol: "w₊·x_⊥/‖x_⊥‖", Value: across,
				Meaning: "new weights across the old ones, true shift"},
			{Name: "apart", Symbol: "‖w₊ − (w−γgx)‖", Value: math.Hypot(along-down, across-side),
				Meaning: "distance from gradient descent"},
		}
	},
}

// LogisticStep is one step in the plane of w and x.
type LogisticStep struct {
	Weights       float64 // ‖w‖
	Along, Across float64 // x = Along·w/‖w‖ + x_⊥, Across = ‖x_⊥‖
	G             float64 // ŷ − y
	Step          float64 // γ
}

// Valid names the violated hypothesis.
func (s LogisticStep) Valid() error {
	return cmp.Or(
		theory.Require(s.Weights > 0, "vcl: the weights must not vanish"),
		theory.Require(s.Across >= 0 && !math.IsNaN(s.Along+s.G+s.Step),
			"vcl: a norm must not be negative, and a step must be a number"),
	)
}

// plane returns P and R of the target [[P, R], [R, 0]].
func (s LogisticStep) plane() (p, r float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	move := s.Step * s.G
	return (1+move*move)*s.Weights*s.Weights - 2*move*s.Weights*s.Along, -move * s.Weights * s.Across
}

// Eigenvalues returns (P ∓ √(P²+4R²))/2.
func (s LogisticStep) Eigenvalues() (lo, hi float64) {
	p, r := s.plane()
	root := math.Hypot(p, 2*r)
	return (p - root) / 2, (p + root) / 2
}

// True returns the nearest weights for the true shift, √λ₁q₁, along w and along x_⊥.
func (s LogisticStep) True() (along, across float64) {
	_, hi := s.Eigenvalues()
	_, r := s.plane()
	length := math.Hypot(hi, r)
	return math.Sqrt(hi) * hi / length, math.Sqrt(hi) * r / length
}

// Descent returns w − γgx along w and along x_⊥.
func (s LogisticStep) Descent() (along, across float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	return s.Weights - s.Step*s.G*s.Along, -s.Step * s.G * s.Across
}
