package latent

import "github.com/thm-suite/thm/theory"

// Embedding is the claim latent/embedding: both kernels and networks adapt to data on a subspace.
var Embedding = theory.Statement{
	Slug:  "latent/embedding",
	Title: "Kernels and networks on data in a subspace",
	Plain: "On data in a subspace, kernel ridge regression and ReLU networks with matching initial weights " +
		"behave exactly as on the low-dimensional data.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Points z in ℝᵏ and their images x = Qz in ℝᴰ, QᵀQ = I. Kernel ridge regression with a kernel of " +
		"distances, of inner products, or of both. Gradient descent with weight decay on the first layer of a ReLU " +
		"network with biases, loss (1/n)Σ(f(xᵢ)−yᵢ)².",
	Params: []theory.Param{
		{Name: "q", Symbol: "Q", Meaning: "orthonormal columns", Shape: "D×k"},
		{Name: "w", Symbol: "W₀", Meaning: "first layer at the start", Shape: "m×D"},
	},
	Claim: "Kernel ridge regression predicts the same at Qz from the images as at z from the points, whatever D is. At " +
		"all times, descent from (W₀, b, a) on the images has the same outputs as descent from (W₀Q, b, a) on the points.",
	TeX: `f_{W_0}(Qz) = f_{W_0 Q}(z) \ \text{at all times}`,
	Assumptions: []theory.Assumption{
		{ID: "isometry", Text: "Q has orthonormal columns"},
		{ID: "subspace", Text: "the data lie on the subspace exactly"},
		{ID: "rotation", Text: "the optimiser treats all directions alike"},
	},
	Source: paper.At("companion slides on adaptivity to low-dimensional support"),
	Proof: "Distances and inner products are preserved. W enters only through WQz. The gradient in W is a matrix times " +
		"(Qz)ᵀ, so WQ moves by the gradient in WQ; the decay acts on WQ in the same way.",
	Tolerance: "A Gram matrix errs by 4(D+k)u·s for a kernel of slope s in its arguments, and the solution by κ times " +
		"the relative error. A step of descent errs by 8(n+m+D)u of its size; each later step enlarges the error by at " +
		"most 1+ηL, L = 2Σa²·mean‖x‖², as long as no point crosses a kink by rounding.",
	Limits: "k up to 3, D up to 8. The data lie exactly on a subspace; targets of few directions on data that fill the " +
		"space are the subject of latent/kernelbound.",
}
