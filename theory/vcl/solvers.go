package vcl

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Solvers says that cheaper routes lead to the same step, and how fast the one that is not exact approaches it.
//
// # Setting
//
// The problem of vcl/procrustes for the Gram matrix of gradient descent or of the true shift, a layer m×n and a batch of B.
// Routes: the paper's (eigenvectors of the n×n target, singular vectors of an m×m product); the same in the span of the rows of
// W and H; one polar factor of WW_sᵀ; the same for weights
// kept in two factors W = R·F, R orthogonal, where F takes the step of gradient descent, F_s, and R₊ = R·U with U the polar factor of FF_sᵀ; a closed form for the true shift, m ≥ n; a rotation within a block Krylov space of WWᵀ.
//
// # Claim
//
//  1. All exact routes give the step of the paper's.
//  2. The rotation in a Krylov space of any dimension has the Gram matrix exactly; its squared distance exceeds the least one by an
//     amount that is not negative, does not grow with the dimension and vanishes when the space is exhausted.
//  3. WWᵀ, carried along by Bm ← UCUᵀ in place of being formed, stays WWᵀ to rounding.
//  4. All hold for weights that have lost rank, repeated singular values, a zero gradient, batches larger than m, and samples that
//     occur twice. There too, for the true shift, W₊ has the nearest Gram matrix to the target that weights of the shape can have, its
//     positive part, and the routes say the norm of what that leaves out; the closed form refuses instead, and does so only where
//     the target is no Gram matrix or W has lost rank.
//
// # Numerical form
//
// A polar factor of M = WW_sᵀ carries the relative error of that product times κ, ‖W‖‖W_s‖ over the least singular value of M. Both routes
// multiply a few times over lengths of at most max(m, n)+B: 8(max(m, n)+B)·u·κ, and κ² where the route goes through eigenvectors of the
// Gram matrix of the true shift. Gram matrices are met within 4·max(m, n)·u·(‖G‖+‖W₊‖²). For the true shift the size is that
// of what the target adds up, S of vcl/residual: 4(max(m, n)+B)·u·S, times κ(W)² where the route divides by W.
//
// # Source
//
// The poster's open point: "needs one or two SVD (or EVD) → need further optimization". The routes are derived in this repository.
var Solvers = theory.Statement{
	Slug:     "vcl/solvers",
	Title:    "Cheaper routes to the same step",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting:  "One step of a layer m×n on a batch of B: nearest weights with the Gram matrix of gradient descent, or of the true shift.",
	Params: []theory.Param{
		{Name: "m", Symbol: "m", Meaning: "outputs of the layer", Domain: theory.IntegerFrom(1), Default: "256"},
		{Name: "n", Symbol: "n", Meaning: "inputs of the layer", Domain: theory.IntegerFrom(1), Default: "3072"},
		{Name: "batch", Symbol: "B", Meaning: "samples in the batch", Domain: theory.IntegerFrom(1), Default: "64"},
		{Name: "blocks", Symbol: "j", Meaning: "blocks of the Krylov space", Domain: theory.IntegerFrom(1), Default: "4"},
	},
	Claim: "All exact routes agree with the paper's; a rotation in a Krylov space has the exact Gram matrix and an excess distance that falls to zero; WWᵀ can be carried along.",
	TeX: `W_+ = \operatorname{polar} \left( W W_s^{\top} \right) W_s, \quad W_s = W - \gamma \Gamma H^{\top}, \quad ` +
		`W_+^{(k)} = \left( I + V_k (U_k - I) V_k^{\top} \right) W_s`,
	Assumptions: []theory.Assumption{
		{ID: "whole-space", Text: "the Krylov space is exhausted (for exactness of the step; its Gram matrix is exact always)"},
		{ID: "own-target", Text: "routes are compared on one target"},
		{ID: "own-memory", Text: "what is carried along belongs to the layer"},
	},
	Source:     paper.At("open point of the poster"),
	Deviations: "The source leaves the cost open.",
	RestsOn:    []string{"vcl/procrustes", "vcl/whitening", "vcl/feasibility"},
	Predict: func(v theory.Values) []theory.Quantity {
		r := Routes{Outputs: v.Int("m"), Inputs: v.Int("n"), Batch: v.Int("batch"), Blocks: v.Int("blocks")}
		return []theory.Quantity{
			{Name: "full", Symbol: "9n³+24m³", Value: r.Full(), Meaning: "flops of the paper's route"},
			{Name: "reduced", Symbol: "9(m+B)³+24m³+…", Value: r.Reduced(), Meaning: "flops of the paper's route in the span of weights and batch"},
			{Name: "polar", Symbol: "4m²n+14m³+…", Value: r.Polar(), Meaning: "flops of one polar factor"},
			{Name: "corotated", Symbol: "16m³+8m²B+…", Value: r.Corotated(), Meaning: "flops of one polar factor, weights kept in two factors"},
			{Name: "krylov", Symbol: "6mnk+20k³", Value: r.Krylov(), Meaning: "flops of a rotation in a Krylov space of dimension k = 2Bj"},
			{Name: "descent", Symbol: "2mnB", Value: r.Descent(), Meaning: "flops of gradient descent's step"},
		}
	},
}

// Routes counts flops for a layer, with 9n³ for eigenvectors and 24m³ for singular vectors.
type Routes struct{ Outputs, Inputs, Batch, Blocks int }

// Valid names the violated hypothesis.
func (r Routes) Valid() error {
	if r.Outputs < 1 || r.Inputs < 1 || r.Batch < 1 || r.Blocks < 1 {
		return errors.New("vcl: sizes must be positive")
	}
	return nil
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

// Corotated returns 16m³ + 8m²B + nB² + 2mB² + 2mnB: what gradient descent does, the products of the other factor with the batch, the update of FFᵀ or,
// in place of nB² + 2mB² + 2m²B where that is less, its computation for m²n, the polar factor, and the turn.
func (r Routes) Corotated() float64 {
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
