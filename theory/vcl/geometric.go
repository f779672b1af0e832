package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Geometric is the claim vcl/geometric.
var Geometric = theory.Statement{
	Slug:  "vcl/geometric",
	Title: "For full column rank the step is a matrix geometric mean",
	Plain: "For weights of full column rank, the nearest-weights step multiplies them from the right by a " +
		"matrix geometric mean.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "W m×n of full column rank, so m ≥ n; A = WᵀW; G n×n positive definite; W₊ the nearest weights to W " +
		"with W₊ᵀW₊ = G.",
	Params: []theory.Param{
		{Name: "a1", Symbol: "A₁₁", Meaning: "squared length of the first of two orthogonal columns of W",
			Domain: theory.Between(1e-6, 1e6), Default: "4"},
		{Name: "a2", Symbol: "A₂₂", Meaning: "squared length of the second column", Domain: theory.Between(1e-6, 1e6),
			Default: "1"},
		{Name: "g1", Symbol: "G₁₁", Meaning: "prescribed squared length of the first column",
			Domain: theory.Between(1e-6, 1e6), Default: "3.25"},
		{Name: "g2", Symbol: "G₂₂", Meaning: "prescribed squared length of the second column",
			Domain: theory.Between(1e-6, 1e6), Default: "0.5625"},
		{Name: "cosine", Symbol: "G₁₂/√(G₁₁G₂₂)", Meaning: "prescribed cosine between the columns",
			Domain: theory.Between(-0.999, 0.999), Default: "-0.5"},
		{Name: "W", Symbol: "W", Meaning: "present weights", Shape: "m×n"},
		{Name: "G", Symbol: "G", Meaning: "the prescribed Gram matrix", Shape: "n×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "the nearest weights with this Gram matrix", Shape: "m×n"},
	},
	Claim: "$W₊ = WT$ with $T = A⁻¹ # G = A^{−1/2}(A^{1/2}GA^{1/2})^{1/2}A^{−1/2}$, the positive definite solution of " +
		"$TAT = G$: the map of optimal transport from N(0, A) to N(0, G), whose cost tr (T−1)A(T−1) is ‖W₊ − W‖².",
	TeX: `W_+ = W T, \quad T = A^{-1} \# G = A^{-1/2} \left( A^{1/2} G A^{1/2} \right)^{1/2} A^{-1/2}, \quad T A T = G`,
	Assumptions: []theory.Assumption{
		{ID: "column-rank", Text: "W has full column rank"},
		{ID: "nearest", Text: "W₊ is the nearest solution, not just one with the Gram matrix G"},
	},
	Source:     paper.At("Proposition 4, final version, whose solution it rewrites"),
	Deviations: "The source has no form that multiplies from the right; this form is derived here.",
	Proof: "(WT)ᵀWT = TAT = G, and WT Wᵀ is symmetric positive semidefinite: the certificate of vcl/procrustes. " +
		"With K = A^{1/2}TA^{1/2}, TAT = G reads K² = A^{1/2}GA^{1/2}, so T is the only positive definite solution.",
	Tolerance: "Roots of A are accurate to u·κ(A), and the root of A^{1/2}GA^{1/2} to u over its least eigenvalue. The " +
		"tolerance is 16(m+n)·u·κ(A)·κ, κ = ‖W‖‖W₊‖ over the least singular value of WW₊ᵀ. This form is worse conditioned " +
		"than the polar factor, and should not be used to compute on ill-conditioned layers.",
	Limits: "Layers up to 8×8 with condition numbers of W up to 50. For m < n there is no such form: T does not exist " +
		"on the kernel of W.",
	RestsOn: []string{"vcl/procrustes"},
	Predict: func(v theory.Values) []theory.Quantity {
		t := TwoColumns{v.Float("a1"), v.Float("a2"), v.Float("g1"), v.Float("g2"), v.Float("cosine")}
		t1, t12, t2 := t.Transport()
		return []theory.Quantity{
			{Name: "t1", Symbol: "T₁₁", Value: t1, Meaning: "factor by which the first column is stretched"},
			{Name: "t12", Symbol: "T₁₂", Value: t12, Meaning: "share of each column that is added to the other"},
			{Name: "t2", Symbol: "T₂₂", Value: t2, Meaning: "factor by which the second column is stretched"},
		}
	},
}

// TwoColumns is the problem for two orthogonal columns.
type TwoColumns struct {
	A1, A2 float64 // diagonal of A
	G1, G2 float64 // diagonal of G
	Cosine float64 // G₁₂/√(G₁₁G₂₂)
}

// Valid names the violated hypothesis.
func (t TwoColumns) Valid() error {
	return theory.Require(t.A1 > 0 && t.A2 > 0 && t.G1 > 0 && t.G2 > 0 && math.Abs(t.Cosine) < 1,
		"vcl: squared lengths must be positive, and a cosine less than one in size")
}

// Transport returns the entries of A⁻¹ # G, by the closed form of order two: X # Y = √(xy)/√det(X/x + Y/y)·(X/x + Y/y),
// with x = √det X and y = √det Y.
func (t TwoColumns) Transport() (t1, t12, t2 float64) {
	if t.Valid() != nil {
		return math.NaN(), math.NaN(), math.NaN()
	}
	x := 1 / math.Sqrt(t.A1*t.A2)
	y := math.Sqrt(t.G1 * t.G2 * (1 - t.Cosine) * (1 + t.Cosine))
	t1, t2 = 1/t.A1/x+t.G1/y, 1/t.A2/x+t.G2/y
	t12 = t.Cosine * math.Sqrt(t.G1*t.G2) / y
	scale := math.Sqrt(x * y / (t1*t2 - t12*t12))
	return scale * t1, scale * t12, scale * t2
}

// TransportMap returns A⁻¹ # G = A^{−1/2}(A^{1/2}GA^{1/2})^{1/2}A^{−1/2}, on the range of A. All entries are NaN when
// eigenvalues do not converge.
func TransportMap(a, g *mat.SymDense) *mat.Dense {
	root, ok := symmetricPower(a, 0.5)
	inverse, fine := symmetricPower(a, -0.5)
	if ok && fine {
		if middle, ok := symmetricPower(symmetrised(algebra.Product(root, g, root)), 0.5); ok {
			return algebra.Product(inverse, middle, inverse)
		}
	}
	return undefined(a.SymmetricDim())
}
