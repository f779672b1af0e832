package vcl

import "github.com/thm-suite/thm/theory"

// Taylor is the claim vcl/taylor.
var Taylor = theory.Statement{
	Slug: "vcl/taylor",
	Title: "First-order Taylor errors between samples cancel over all pairs, for homogeneous functions of centred " +
		"data",
	Plain: "For homogeneous functions, first-order Taylor errors between all pairs of samples add up to zero if " +
		"inputs and outputs are centred.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "f is positively homogeneous of degree m, f(th) = tᵐf(h) for t > 0, and differentiable at the samples " +
		"h₁ … h_N; eᵢₖ = f(hᵢ) − f(hₖ) − ∇f(hₖ)·(hᵢ − hₖ). A network without biases whose activations are " +
		"homogeneous is an example: of degree 1 with ReLU, of degree 4 with two layers of squares.",
	Params: []theory.Param{
		{Name: "samples", Symbol: "N",
			Meaning: "number of samples", Domain: theory.IntegerBetween(1, 1_000_000), Default: "100"},
		{Name: "degree", Symbol: "m", Meaning: "degree of homogeneity", Domain: theory.Real(), Default: "1"},
		{Name: "output", Symbol: "Σf(hₖ)", Meaning: "sum of the outputs", Domain: theory.Real(), Default: "2"},
		{Name: "cross", Symbol: "Σhᵢ · Σ∇f(hₖ)",
			Meaning: "sum of the samples times sum of the gradients", Domain: theory.Real(),
			Default: "3"},
		{Name: "H", Symbol: "H", Meaning: "samples, one per column", Shape: "n×N"},
		{Name: "f", Symbol: "f", Meaning: "outputs at the samples", Shape: "N"},
		{Name: "gradients", Symbol: "∇f", Meaning: "gradients at the samples, one per column", Shape: "n×N"},
	},
	Claim: "$Σᵢₖ eᵢₖ = N·m·Σf(hₖ) − Σhᵢ · Σ∇f(hₖ)$. So the errors cancel where the samples and the outputs are centred.",
	TeX:   `\sum_{i,k} e_{ik} = N m \sum_k f(h_k) - \Big( \sum_i h_i \Big) \cdot \Big( \sum_k \nabla f(h_k) \Big)`,
	Assumptions: []theory.Assumption{
		{ID: "homogeneous", Text: "f is homogeneous of degree m"},
		{ID: "centred", Text: "samples and outputs are centred (for the sum to vanish)"},
	},
	Source:     successor.At("Proposition 4'"),
	Deviations: "The source says that the sum vanishes; its value for data that are not centred is derived here.",
	Proof: "Σᵢₖ (f(hᵢ) − f(hₖ)) = 0, and Σᵢₖ ∇f(hₖ)·(hᵢ − hₖ) = Σhᵢ · Σ∇f(hₖ) − N Σ∇f(hₖ)·hₖ, where ∇f(h)·h = m f(h) " +
		"by Euler's identity.",
	Tolerance: "Networks are drawn with small integers, on which everything is exact. For other numbers a sum of N² " +
		"terms of size |f| + ‖∇f‖(‖hᵢ‖ + ‖hₖ‖), each with an inner product of length n, errs by (N²+n+8)·u of the sum of " +
		"their sizes, and another 100·u of it is reserved for the errors of a network's own outputs and gradients, as long " +
		"as their terms do not cancel much.",
	Limits: "The errors cancel in the sum, but none of them need be small. Networks of two hidden layers, up to 3 wide, " +
		"and sums of powers between −3 and 5, with up to 6 samples.",
	Predict: func(v theory.Values) []theory.Quantity {
		sum := HomogeneousSum{v.Int("samples"), v.Float("degree"), v.Float("output"), v.Float("cross")}.Errors()
		return []theory.Quantity{{Name: "sum", Symbol: "Σeᵢₖ", Value: sum,
			Meaning: "sum of the Taylor errors over all pairs"}}
	},
}

// HomogeneousSum holds the data for the sum of the Taylor errors of a homogeneous function at samples.
type HomogeneousSum struct {
	Samples int
	Degree  float64
	Output  float64 // Σf(hₖ)
	Cross   float64 // Σhᵢ · Σ∇f(hₖ)
}

// Valid names the violated hypothesis.
func (h HomogeneousSum) Valid() error {
	return theory.Require(h.Samples >= 1, "vcl: there must be samples")
}

// Errors returns N·m·Σf(hₖ) − Σhᵢ · Σ∇f(hₖ).
func (h HomogeneousSum) Errors() float64 {
	return theory.When(h.Valid() == nil, float64(h.Samples)*h.Degree*h.Output-h.Cross)
}
