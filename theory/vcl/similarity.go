package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Similarity is the claim vcl/similarity.
var Similarity = theory.Statement{
	Slug: "vcl/similarity",
	Title: "Closed form of the change in the similarity of targets and Gram matrix; for a linear readout, the form of " +
		"Theorem 3'",
	Plain: "One gradient step changes the similarity of a layer's Gram matrix and the targets by an exact closed " +
		"form.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A layer z = Wh on samples in the columns of H (n×N), targets Y of length N, S(W) = ‖WHY‖² = YᵀGY for G " +
		"= HᵀWᵀWH. The layer takes a step W⁺ = W − γ∇ on a loss L summed over the samples; f is the network's scalar " +
		"output, g = −∂L/∂f, K = HᵀH.",
	Params: []theory.Param{
		stepSize(theory.Inside(0, 1e40), "0.01"),
		{Name: "f", Symbol: "fᵀY", Meaning: "outputs times targets", Domain: theory.Between(-1e40, 1e40), Default: "1"},
		{Name: "k", Symbol: "YᵀKg", Meaning: "targets and negative gradients in the geometry of the inputs",
			Domain: theory.Between(-1e40, 1e40), Default: "2"},
		{Name: "a", Symbol: "‖a‖", Meaning: "norm of a linear readout f = aᵀWh", Domain: theory.Inside(0, 1e40),
			Default: "1"},
		weightsBefore, weightsAfter, allInputs,
		{Name: "Gamma", Symbol: "Γ", Meaning: "gradients of the per-sample losses in the pre-activations",
			Shape: "m×N"},
		{Name: "P", Symbol: "P", Meaning: "gradients of the per-sample losses in the layer's input, WᵀΓ", Shape: "n×N"},
		{Name: "Y", Symbol: "Y", Meaning: "targets", Shape: "N"},
	},
	Claim: "S(W⁺) − S(W) = −2γ Σᵢ (∂Lᵢ/∂hᵢ · HY)(hᵢ · HY) + γ²‖∇HY‖² exactly. For a linear readout f = aᵀWh this is " +
		"2γ(fᵀY)(YᵀKg) + γ²‖a‖²(YᵀKg)².",
	TeX: `S(W_+) - S(W) = -2 \gamma \, (W H Y) \cdot (\nabla H Y) + \gamma^2 \lVert \nabla H Y \rVert^2 = 2 \gamma ` +
		`\, (f^{\top} Y)(Y^{\top} K g) + \gamma^2 \lVert a \rVert^2 (Y^{\top} K g)^2`,
	Assumptions: []theory.Assumption{
		{ID: "plain-descent", Text: "the layer takes a plain gradient step"},
		{ID: "only-use", Text: "z = Wh is the only use of h (for the form with the gradients in the hidden states)"},
		{ID: "linear", Text: "f is linear in h (for the second form)"},
	},
	Source: successor.At("Theorem 3'"),
	Deviations: "The source states S(W⁺) − S(W) ≈ 2γ(fᵀY)(YᵀKg) for f that is homogeneous of degree one in h. The " +
		"exact change, and the term of second order for a linear readout, are derived here.",
	Proof: "‖(W−γ∇)x‖² − ‖Wx‖² = −2γ(Wx)·(∇x) + γ²‖∇x‖² for x = HY. With ∇ = Σ gᵢhᵢᵀ one has (Wx)·(∇x) = Σ " +
		"(Wᵀgᵢ·x)(hᵢ·x), and Wᵀgᵢ = ∂Lᵢ/∂hᵢ. For a linear readout ∇ = −a(Hg)ᵀ, so ∇HY = −a·YᵀKg, and (WHY)·a = fᵀY.",
	Tolerance: "An inner product of length k errs by k·u of the norms; S is the square of a vector WHY accurate to " +
		"(n+N+2)·u·‖W‖‖H‖‖Y‖, and the step adds (N+2)·u·γ‖Γ‖‖H‖. So both sides are accurate to " +
		"(8(m+n+N)+16)·u·(‖W‖+γ‖Γ‖‖H‖)²‖H‖²‖Y‖².",
	Limits: "One layer is updated and the others stay fixed. Nothing is said about whether S grows: to first order, the " +
		"sign of (fᵀY)(YᵀKg) decides that. Widths and batches up to 8.",
	Readings: []theory.Reading{
		{ID: "homogeneous", Reading: "S(W⁺) − S(W) ≈ 2γ(fᵀY)(YᵀKg) to first order in γ for every f that is " +
			"homogeneous of degree one in h, ReLU networks among them",
			Locus: "Theorem 3'",
			Correct: "to first order for f linear in h; hᵢᵀ∇f(hₖ) = f(hᵢ) for i ≠ k, which the derivation " +
				"uses, is a Taylor approximation otherwise",
			Counterexample: "f = ReLU(h) with W = a = 1, h = (1, −1), Y = (1, −1), g = (1, 0): S grows by 8γ + 4γ², " +
				"the formula says 4γ + 4γ²"},
	},
	RestsOn: []string{"vcl/equation"},
	Predict: func(v theory.Values) []theory.Quantity {
		first, second := LinearReadout{v.Float("f"), v.Float("k"), math.Pow(v.Float("a"), 2)}.Change(v.Float("step"))
		return []theory.Quantity{
			{Name: "change", Symbol: "S(W⁺) − S(W)", Value: first + second,
				Meaning: "change of the similarity for a linear readout"},
			{Name: "first_order", Symbol: "2γ(fᵀY)(YᵀKg)", Value: first, Meaning: "its first order"},
		}
	},
}

// LinearReadout describes a step of a layer under f = aᵀWh by the quantities that change the similarity.
type LinearReadout struct{ Aligned, Pull, Squared float64 } // fᵀY, YᵀKg, ‖a‖²

// Valid names the violated hypothesis.
func (l LinearReadout) Valid() error {
	return theory.Require(l.Squared >= 0, "vcl: a squared norm must not be negative")
}

// Change returns the first-order and the second-order part of S(W⁺) − S(W) in γ.
func (l LinearReadout) Change(step float64) (first, second float64) {
	if l.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	return 2 * step * l.Aligned * l.Pull, l.Squared * math.Pow(step*l.Pull, 2)
}
