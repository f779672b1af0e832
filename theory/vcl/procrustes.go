package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Procrustes solves the problem of virtual covariance learning: the nearest weights with a prescribed Gram matrix.
//
// # Setting
//
// W m×n, G n×n symmetric positive semidefinite of rank at most m. Minimise ‖W₊ − W‖_F subject to W₊ᵀW₊ = G.
//
// # Claim
//
//  1. For any factor W̃ᵀW̃ = G and the orthogonal polar factor U of W W̃ᵀ, W₊ = U W̃ is a solution; in closed form
//     W₊ = (W G Wᵀ)^{+1/2} W G, where rank(WGWᵀ) = rank G.
//  2. ‖W₊ − W‖² = tr A + tr G − 2 tr(A^{1/2} G A^{1/2})^{1/2}, A = WᵀW: the squared Bures–Wasserstein distance of A and G.
//  3. W₊ is a solution if and only if it has the Gram matrix G and W₊Wᵀ is symmetric positive semidefinite. Any W′ with
//     that Gram matrix misses the minimum by exactly 2(‖W′Wᵀ‖_* − tr W′Wᵀ), ‖·‖_* the nuclear norm.
//  4. The solution is unique if and only if rank(WGWᵀ) = rank G.
//
// All W₊ with W₊ᵀW₊ = W̃ᵀW̃ are QW̃, Q orthogonal, and ‖QW̃ − W‖² = tr G + tr A − 2 tr(QW̃Wᵀ); the trace is largest, and equal to
// ‖W̃Wᵀ‖_*, at the polar factor (von Neumann).
//
// # Numerical form
//
// The Gram matrix is met within 32·max(m, n)^{1/2}·u·‖G‖_F (a polar factor is orthogonal to 10√m·u, the factor of G has 4n·u from its
// eigenvectors), symmetry and the least eigenvalue of W₊Wᵀ within 100·max(m, n)^{1/2}·u‖W₊‖‖W‖. The two traces of the distance and the nuclear
// norm come from roots of eigenvalues: an eigenvalue λ known to ε has its root known to min(√ε, ε/√λ).
//
// # Source
//
// Proposition 4 of the paper (final version). Distance: Bhatia, Jain, Lim, arXiv 1712.01504; rotation: Schönemann 1966.
var Procrustes = theory.Statement{
	Slug:     "vcl/procrustes",
	Title:    "The nearest weights with a given Gram matrix: closed form, certificate, distance, gap",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting:  "W m×n, G n×n positive semidefinite of rank at most m, A = WᵀW. Minimise ‖W₊ − W‖_F subject to W₊ᵀW₊ = G.",
	Params: []theory.Param{
		{Name: "a", Symbol: "A", Meaning: "Gram matrix of one column of weights, a number", Domain: theory.AtLeast(0), Default: "1"},
		{Name: "g", Symbol: "G", Meaning: "its target", Domain: theory.AtLeast(0), Default: "4"},
		{Name: "angle", Symbol: "θ", Meaning: "angle by which a solution of m = 2, n = 1 is turned", Domain: theory.Real(), Default: "0.1"},
		{Name: "W", Symbol: "W", Meaning: "present weights", Shape: "m×n"},
	},
	Claim: "W₊ = (WGWᵀ)^{+1/2}WG; ‖W₊−W‖² = tr A + tr G − 2tr(A^{1/2}GA^{1/2})^{1/2}; W′ with Gram matrix G is optimal iff W′Wᵀ is symmetric " +
		"positive semidefinite, and otherwise misses the minimum by 2(‖W′Wᵀ‖_* − tr W′Wᵀ); unique iff rank(WGWᵀ) = rank G.",
	TeX: `W_+ = \left( W G W^{\top} \right)^{+1/2} W G, \quad \lVert W_+ - W \rVert_F^2 = \operatorname{tr} A + \operatorname{tr} G - ` +
		`2 \operatorname{tr} \left( A^{1/2} G A^{1/2} \right)^{1/2}`,
	Assumptions: []theory.Assumption{
		{ID: "feasible", Text: "G is positive semidefinite of rank at most m"},
		{ID: "frobenius", Text: "the distance is that of the Frobenius norm"},
		{ID: "polar", Text: "the rotation is the polar factor of W W̃ᵀ"},
		{ID: "rank", Text: "rank(WGWᵀ) = rank G (for the closed form and uniqueness only)"},
	},
	Source:     paper.At("Proposition 4, final version"),
	Deviations: "The source states the rotated factor; closed form, distance, certificate, gap and uniqueness are added.",
	Errata: []theory.Erratum{
		{ID: "square-root", Printed: "take the n×n square root C of G, WC = PΣQᵀ, W₊ = PQᵀC", Locus: "Proposition 4, submitted version",
			Correct:        "the factor must be m×n: for m < n, PQᵀ is no isometry of ℝⁿ and the Gram matrix becomes CQQᵀC",
			Counterexample: "W = (1, 0), G = [[1, ½], [½, 1]]: W₊ = (1, ½) leaves ‖W₊ᵀW₊ − G‖ = 0.75, the best Gram matrix of rank 1 leaves 0.5"},
		{ID: "any-norm", Printed: "argmin ‖W₊ − W‖ without naming the norm", Locus: "poster",
			Correct:        "the Frobenius norm; in the spectral norm other rotations are nearer",
			Counterexample: "2×2 instances: a rotation found by search is nearer in the spectral norm than the solution"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		b := BuresScalar{A: v.Float("a"), G: v.Float("g")}
		return []theory.Quantity{
			{Name: "distance", Symbol: "(√G−√A)²", Value: b.Distance(), Meaning: "least squared distance for n = 1"},
			{Name: "gap", Symbol: "2√(AG)(1−cos θ)", Value: b.Gap(v.Float("angle")), Meaning: "what a solution turned by θ misses, for n = 1"},
		}
	},
}

// BuresScalar is the problem with one column: W and W₊ are vectors of squared lengths A and G.
type BuresScalar struct{ A, G float64 }

// Valid names the violated hypothesis.
func (b BuresScalar) Valid() error {
	if !(b.A >= 0 && b.G >= 0) {
		return errors.New("vcl: a Gram matrix must not be negative")
	}
	return nil
}

// Distance returns (√G − √A)².
func (b BuresScalar) Distance() float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	return math.Pow(math.Sqrt(b.G)-math.Sqrt(b.A), 2)
}

// Gap returns 2√(AG)(1 − cos θ): by how much the squared distance exceeds the least one at an angle θ to the solution.
func (b BuresScalar) Gap(angle float64) float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	s := math.Sin(angle / 2)
	return 4 * math.Sqrt(b.A*b.G) * s * s
}

// Bures returns tr A + tr G − 2 tr(A^{1/2}GA^{1/2})^{1/2} for symmetric positive semidefinite matrices of one order, and how far it may be off
// by rounding. Both are NaN when an eigenvalue routine does not converge.
func Bures(a, g *mat.SymDense) (squared, rounding float64) {
	root, ok := symmetricPower(a, 0.5)
	if !ok {
		return math.NaN(), math.NaN()
	}
	var inner mat.Dense
	inner.Mul(root, g)
	inner.Mul(&inner, root)
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetrised(&inner), false) {
		return math.NaN(), math.NaN()
	}
	n := float64(a.SymmetricDim())
	// Eigenvalues of a product of three matrices: each factor brings n·u, the eigenvalue routine as much.
	epsilon := 8 * n * 0x1p-53 * mat.Norm(a, 2) * mat.Norm(g, 2)
	cross := 0.0
	for _, x := range eigen.Values(nil) {
		x = max(x, 0)
		cross += math.Sqrt(x)
		rounding += 2 * math.Min(math.Sqrt(epsilon), epsilon/math.Sqrt(x))
	}
	trace := mat.Trace(a) + mat.Trace(g)
	return trace - 2*cross, rounding + 4*n*0x1p-53*trace
}

// Nearest returns (WGWᵀ)^{+1/2}WG, m×n: the solution in closed form. Eigenvalues of WGWᵀ below 16m·u of the largest
// count as zero. All entries are NaN when an eigenvalue routine does not converge.
func Nearest(w *mat.Dense, g *mat.SymDense) *mat.Dense {
	var wg, m, out mat.Dense
	wg.Mul(w, g)
	m.Mul(&wg, w.T())
	root, ok := symmetricPower(symmetrised(&m), -0.5)
	if !ok {
		rows, cols := w.Dims()
		out.CloneFrom(mat.NewDense(rows, cols, nil))
		out.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, &out)
		return &out
	}
	out.Mul(root, &wg)
	return &out
}

// Gap returns 2(‖W′Wᵀ‖_* − tr W′Wᵀ): by how much ‖W′ − W‖² exceeds the least value for weights of its Gram matrix. It is NaN
// when the singular values do not converge.
func Gap(other, w *mat.Dense) float64 {
	var product mat.Dense
	product.Mul(other, w.T())
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDNone) {
		return math.NaN()
	}
	nuclear := 0.0
	for _, s := range svd.Values(nil) {
		nuclear += s
	}
	return 2 * (nuclear - mat.Trace(&product))
}

// symmetricPower returns A^p for a symmetric positive semidefinite matrix on the range of A: eigenvalues below 16n·u of
// the largest count as zero.
func symmetricPower(a *mat.SymDense, power float64) (*mat.Dense, bool) {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return nil, false
	}
	values, n := eigen.Values(nil), a.SymmetricDim()
	var vectors, scaled, out mat.Dense
	eigen.VectorsTo(&vectors)
	scaled.CloneFrom(&vectors)
	for j, x := range values {
		factor := 0.0
		if x > 16*float64(n)*0x1p-53*values[n-1] {
			factor = math.Pow(x, power)
		}
		for i := range n {
			scaled.Set(i, j, factor*vectors.At(i, j))
		}
	}
	out.Mul(&scaled, vectors.T())
	return &out, true
}

// symmetrised is (a + aᵀ)/2.
func symmetrised(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}
