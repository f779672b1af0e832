package vcl

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Solvers is the claim vcl/solvers.
var Solvers = theory.Statement{
	Slug:  "vcl/solvers",
	Title: "Cheaper algorithms for the same step",
	Plain: "Where the nearest-weights step is unique, several cheaper exact algorithms give the same step as " +
		"the paper's.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "One step of a layer m×n on a batch of B: nearest weights with the Gram matrix of gradient descent, or " +
		"of the true shift. Routes: the paper's (eigenvectors of the n×n target, singular vectors of an m×m " +
		"product); the same in the span of the rows of W and H; one polar factor of WW_sᵀ; the same for weights " +
		"kept in two factors W = R·F, where F takes the step of gradient descent and R the rotation; a closed form " +
		"for the true shift, m ≥ n; a rotation within a block Krylov space of WWᵀ.",
	Params: []theory.Param{
		{Name: "m", Symbol: "m", Meaning: "outputs of the layer", Domain: theory.IntegerBetween(1, 1e6), Default: "256"},
		{Name: "n", Symbol: "n", Meaning: "inputs of the layer", Domain: theory.IntegerBetween(1, 1e6), Default: "3072"},
		{Name: "batch", Symbol: "B", Meaning: "samples in the batch", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
		{Name: "blocks", Symbol: "j", Meaning: "blocks of the Krylov space",
			Domain: theory.IntegerBetween(1, 1e6), Default: "4"},
		weightsBefore,
		{Name: "W_paper", Symbol: "W₊ₚ", Meaning: "weights after it, by the paper's route", Shape: "m×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "weights after it, by another route", Shape: "m×n"},
	},
	Claim: "Where the step is unique, all exact routes give the same step as the paper's. The rotation in a Krylov " +
		"space of any dimension attains the Gram matrix exactly; its squared distance is at least the minimum, does not " +
		"grow with the dimension, and equals the minimum when the space is exhausted. A matrix Bm that starts as WWᵀ and " +
		"is updated by Bm ← UCUᵀ stays equal to WWᵀ up to rounding. On degenerate layers the routes still attain the Gram " +
		"matrix of gradient descent. The target of the true shift is replaced by the nearest Gram matrix that weights can " +
		"have, its positive part, and the norm of the rest is reported; the closed form refuses such a target. Both happen " +
		"only where the target is no Gram matrix or W has lost rank.",
	TeX: `W_+ = \operatorname{polar} \left( W W_s^{\top} \right) W_s, \quad W_s = W - \gamma \Gamma H^{\top}, \quad ` +
		`W_+^{(k)} = \left( I + V_k (U_k - I) V_k^{\top} \right) W_s`,
	Assumptions: []theory.Assumption{
		{ID: "whole-space",
			Text: "the Krylov space is exhausted (for exactness of the step; its Gram matrix is exact always)"},
		{ID: "own-target", Text: "routes are compared on one target"},
		{ID: "own-memory", Text: "the carried matrix belongs to the layer"},
	},
	Source: paper.At("open point of the poster"),
	Deviations: "The source leaves the cost open: \"needs one or two SVD (or EVD) → need further optimization\". " +
		"The routes are derived in this repository.",
	Proof: "All targets and weights live in the span of the rows of W and H. W_s is a factor of gradient descent's " +
		"target, so one polar factor is enough. I + V(U − I)Vᵀ is orthogonal whatever V spans, and so leaves the Gram " +
		"matrix unchanged. A larger space contains the rotations of a smaller one. WW₊ᵀ is positive semidefinite, so W₊W₊ᵀ " +
		"= UCUᵀ with C = W_sW_sᵀ.",
	Tolerance: "A polar factor of M = WW_sᵀ carries the relative error of that product times κ, ‖W‖‖W₊‖ over the least " +
		"singular value of M; routes that go through eigenvectors of the Gram matrix lose another condition of W₊: " +
		"8(m+n+B)·u·κ·κ(W₊). For the true shift Gram matrices agree within 4(max(m, n)+B)·u·S, S the size of the terms of " +
		"the target (vcl/residual), times κ(W)² where the route divides by W.",
	Limits: "Layers up to 12×12, 24×32 in Krylov spaces, conditions up to 10³. The counts of flops come from " +
		"textbooks and are not measured here; the benchmarks measure time.",
	Cost:    "Several routes solve every layer, degenerate ones included, and are compared with one another.",
	RestsOn: []string{"vcl/procrustes", "vcl/whitening", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		r := Routes{Outputs: v.Int("m"), Inputs: v.Int("n"), Batch: v.Int("batch"), Blocks: v.Int("blocks")}
		return []theory.Quantity{
			{Name: "full", Symbol: "9n³+24m³", Value: r.Full(), Meaning: "flops of the paper's route"},
			{Name: "reduced", Symbol: "9(m+B)³+24m³+…", Value: r.Reduced(),
				Meaning: "flops of the paper's route in the span of weights and batch"},
			{Name: "polar", Symbol: "4m²n+14m³+…", Value: r.Polar(), Meaning: "flops of one polar factor"},
			{Name: "factored", Symbol: "16m³+8m²B+…", Value: r.Factored(),
				Meaning: "flops of one polar factor, weights kept in two factors"},
			{Name: "krylov", Symbol: "6mnk+20k³", Value: r.Krylov(),
				Meaning: "flops of a rotation in a Krylov space of dimension k = 2Bj"},
			{Name: "descent", Symbol: "2mnB", Value: r.Descent(), Meaning: "flops of gradient descent's step"},
		}
	},
}

// Routes counts flops for a layer, with 9n³ for eigenvectors and 24m³ for singular vectors.
type Routes struct{ Outputs, Inputs, Batch, Blocks int }

// Valid names the violated hypothesis.
func (r Routes) Valid() error {
	return theory.Require(r.Outputs >= 1 && r.Inputs >= 1 && r.Batch >= 1 && r.Blocks >= 1, "vcl: sizes must be positive")
}

func (r Routes) sizes() (m, n, b, k float64) {
	if r.Valid() != nil {
		return math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	m, n, b = float64(r.Outputs), float64(r.Inputs), float64(r.Batch)
	return m, n, b, math.Min(m, 2*b*float64(r.Blocks))
}

// Full returns 9n³ + 24m³ and the products 2n²B + 4m²n.
func (r Routes) Full() float64 {
	m, n, b, _ := r.sizes()
	return 9*n*n*n + 24*m*m*m + 2*n*n*b + 4*m*m*n
}

// Reduced returns 9d³ + 24m³ + 2nd² + 4mnd for d = m+B, or Full where that is no less than n.
func (r Routes) Reduced() float64 {
	m, n, b, _ := r.sizes()
	d := m + b
	if d >= n {
		return r.Full()
	}
	return 9*d*d*d + 24*m*m*m + 2*n*d*d + 4*m*n*d
}

// Polar returns 4m²n + 14m³ + 2mnB.
func (r Routes) Polar() float64 {
	m, n, b, _ := r.sizes()
	return 4*m*m*n + 14*m*m*m + 2*m*n*b
}

// Factored returns 16m³ + 8m²B + nB² + 2mB² + 2mnB: the step of gradient descent, the products of the other factor with
// the batch, the update of FFᵀ (or its computation for m²n where that is less than nB² + 2mB² + 2m²B), the polar
// factor, and the rotation.
func (r Routes) Factored() float64 {
	m, n, b, _ := r.sizes()
	return 16*m*m*m + 6*m*m*b + min(n*b*b+2*m*b*b+2*m*m*b, m*m*n) + 2*m*n*b
}

// Krylov returns 6mnk + 20k³ + 2mnB with k = min(m, 2Bj).
func (r Routes) Krylov() float64 {
	m, n, b, k := r.sizes()
	return 6*m*n*k + 20*k*k*k + 2*m*n*b
}

// Descent returns 2mnB.
func (r Routes) Descent() float64 {
	m, n, b, _ := r.sizes()
	return 2 * m * n * b
}
