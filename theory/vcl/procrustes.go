package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory"
)

// Procrustes is the claim vcl/procrustes.
var Procrustes = theory.Statement{
	Slug:  "vcl/procrustes",
	Title: "The nearest weights with a given Gram matrix: closed form, certificate, distance, gap",
	Plain: "Among all weights with a prescribed Gram matrix, a polar decomposition gives those nearest to the " +
		"present weights.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "W m×n, G n×n positive semidefinite of rank at most m, G ≠ 0, A = WᵀW. Minimise ‖W₊ − W‖_F subject to " +
		"W₊ᵀW₊ = G.",
	Params: []theory.Param{
		{Name: "a", Symbol: "A", Meaning: "Gram matrix of one column of weights, which is a number",
			Domain: theory.Between(0, 1e12), Default: "1"},
		{Name: "g", Symbol: "G", Meaning: "its target", Domain: theory.Between(0, 1e12), Default: "4"},
		{Name: "angle", Symbol: "θ", Meaning: "angle by which a solution of m = 2, n = 1 is turned",
			Domain: theory.Between(-7, 7), Default: "0.1"},
		{Name: "W", Symbol: "W", Meaning: "present weights", Shape: "m×n"},
		{Name: "G", Symbol: "G", Meaning: "the prescribed Gram matrix", Shape: "n×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "the nearest weights with this Gram matrix", Shape: "m×n"},
		{Name: "W_other", Symbol: "W′", Meaning: "any weights with this Gram matrix, such as those of gradient descent",
			Shape: "m×n"},
	},
	Claim: "W₊ = UW̃ for any W̃ᵀW̃ = G and the polar factor U of WW̃ᵀ; $W₊ = (WGWᵀ)^{+1/2}WG$ if rank(WGWᵀ) = rank " +
		"G; $‖W₊−W‖² = tr A + tr G − 2tr(A^{1/2}GA^{1/2})^{1/2}$; a W′ with Gram matrix G is optimal iff W′Wᵀ is " +
		"symmetric positive semidefinite, and its squared distance exceeds the minimum by 2(‖W′Wᵀ‖_* − tr W′Wᵀ); the " +
		"minimiser is unique iff rank(WGWᵀ) = rank G.",
	TeX: `W_+ = \left( W G W^{\top} \right)^{+1/2} W G, \quad ` +
		`\lVert W_+ - W \rVert_F^2 = \operatorname{tr} A + \operatorname{tr} G - ` +
		`2 \operatorname{tr} \left( A^{1/2} G A^{1/2} \right)^{1/2}`,
	Assumptions: []theory.Assumption{
		{ID: "feasible", Text: "G is positive semidefinite of rank at most m"},
		{ID: "frobenius", Text: "the distance is the Frobenius norm of the difference"},
		{ID: "polar", Text: "the rotation is the polar factor of W W̃ᵀ"},
		{ID: "rank", Text: "rank(WGWᵀ) = rank G (for the closed form and uniqueness only)"},
	},
	Source: paper.At("Proposition 4, final version"),
	Deviations: "The source states the rotated factor. The closed form, the certificate, the gap and uniqueness are " +
		"added here. The distance is the Bures–Wasserstein distance between A and G (Bhatia, Jain, Lim, arXiv 1712.01504); " +
		"the rotation is Schönemann's (1966).",
	Proof: "All W′ with W′ᵀW′ = W̃ᵀW̃ are QW̃, Q orthogonal, and ‖QW̃ − W‖² = tr G + tr A − 2tr(QW̃Wᵀ). The trace is " +
		"largest, and equal to ‖W̃Wᵀ‖_*, at the polar factor (von Neumann); this is the distance, because " +
		"(W̃Wᵀ)ᵀW̃Wᵀ = WGWᵀ has the eigenvalues of A^{1/2}GA^{1/2}. With K = W₊Wᵀ, K² = WGWᵀ, the excess of W′ = QW₊ " +
		"is 2tr(K − QK) = ‖(Q − 1)K^{1/2}‖². It is at least σ‖W′ − W₊‖²/‖W₊‖², σ the least eigenvalue of K that is " +
		"not zero, when the columns of W₊ lie in the range of K: when rank(WGWᵀ) = rank G.",
	Tolerance: "G is accurate to E = 4n·u‖G‖, so its root C (n×r, r = rank G, CCᵀ = G) is accurate to E/√λ_r, λ_r the " +
		"least eigenvalue that counts as nonzero; eigenvalues below E count as zero and may hide √E. M = WC inherits ‖W‖ " +
		"times that, and 4n·u for the product. The nuclear norm of M = PΣVᵀ, which is the trace in the distance, moves by " +
		"√r times as much. The closed form PVᵀCᵀ moves by 2√r·max‖Cvⱼ‖/σⱼ times as much, and the part hidden below E is " +
		"multiplied by ‖W‖max‖Cvⱼ‖/σⱼ. No intermediate result is squared, so the distance depends on the condition of C " +
		"alone. The gap excludes the difference of ‖W′‖² and ‖W₊‖² as far as the error of a Gram matrix explains it. The " +
		"certificate depends on no condition: it compares W₊Wᵀ with its own modulus.",
	Limits: "Layers up to 10×10 with conditions up to 10⁴, and G ≠ 0. Weights with rank(WGWᵀ) < rank G form a regime " +
		"of their own, where a second solution is exhibited and the closed form is not claimed.",
	Cost: "Every wrong version is tested on as many layers as the claim, each with singular value decompositions.",
	Readings: []theory.Reading{
		{ID: "square-root",
			Reading: "with the n×n root C of G in place of the m×n factor, WC = PΣQᵀ, the solution is PQᵀC for every " +
				"positive semidefinite G",
			Locus: "Proposition 4, submitted version, which leaves the rank of G open",
			Correct: "this holds when rank G ≤ m, as the problem presupposes; otherwise PQᵀ is not an isometry on the range " +
				"of C, and the Gram matrix becomes CQQᵀC, which is not the nearest one of rank m either",
			Counterexample: "W = (1, 0), G = [[1, ½], [½, 1]]: W₊ = (1, ½) leaves ‖W₊ᵀW₊ − G‖ = 0.75, the best Gram " +
				"matrix of rank 1 leaves 0.5"},
	},
	Predict: func(v theory.Values) []theory.Quantity {
		b := BuresScalar{A: v.Float("a"), G: v.Float("g")}
		return []theory.Quantity{
			{Name: "distance", Symbol: "(√G−√A)²", Value: b.Distance(), Meaning: "least squared distance for n = 1"},
			{Name: "gap", Symbol: "2√(AG)(1−cos θ)", Value: b.Gap(v.Float("angle")),
				Meaning: "excess of a solution rotated by θ over the minimum, for n = 1"},
		}
	},
}

// BuresScalar is the problem with one column: W and W₊ are vectors of squared lengths A and G.
type BuresScalar struct{ A, G float64 }

// Valid names the violated hypothesis.
func (b BuresScalar) Valid() error {
	return theory.Require(b.A >= 0 && b.G >= 0, "vcl: a Gram matrix must not be negative")
}

// Distance returns (√G − √A)².
func (b BuresScalar) Distance() float64 {
	return theory.When(b.Valid() == nil, math.Pow(math.Sqrt(b.G)-math.Sqrt(b.A), 2))
}

// Gap returns 2√(AG)(1 − cos θ): by how much the squared distance exceeds the least one at an angle θ to the solution.
func (b BuresScalar) Gap(angle float64) float64 {
	if b.Valid() != nil {
		return math.NaN()
	}
	s := math.Sin(angle / 2)
	return 4 * math.Sqrt(b.A) * math.Sqrt(b.G) * s * s
}

// Gap returns 2(‖W′Wᵀ‖_* − tr W′Wᵀ): by how much ‖W′ − W‖² exceeds the least value for weights of its Gram matrix. It
// is NaN when the singular values do not converge.
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

// Prescribed solves the problem in closed form, through a root of the Gram matrix and the singular values of W times
// that root.
type Prescribed struct {
	w, root *mat.Dense // m×n; C, n×r with CCᵀ = G
	trace   float64    // of G
	svd     mat.SVD    // of M = WC, m×r
	values  []float64  // its singular values, descending

	rootError    float64 // of C
	productError float64 // of M
	hidden       float64 // an eigenvector of G that C omits may have this size
	hiddenCount  int     // and how many there may be
	unit         float64
}

// Prescribe factorises the problem, whose entries are accurate to the given unit roundoff.
func Prescribe(w *mat.Dense, g mat.Symmetric, unit float64) (*Prescribed, error) {
	m, n := w.Dims()
	if g.SymmetricDim() != n {
		return nil, errors.New("vcl: shapes of W (m×n) and G (n×n) do not fit")
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(g, true) {
		return nil, errors.New("vcl: eigenvalues of G do not converge")
	}
	values, p := eigen.Values(nil), &Prescribed{w: w, trace: mat.Trace(g), unit: unit}
	noise := 4 * float64(n) * unit * mat.Norm(g, 2)
	if values[0] < -noise || m < n && values[n-m-1] > noise || !(values[n-1] > noise) {
		return nil, errors.New("vcl: G is not positive semidefinite of rank at most m, or is zero")
	}
	rank := 0
	for rank < min(m, n) && values[n-1-rank] > noise {
		rank++
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	p.root = mat.DenseCopyOf(vectors.Slice(0, n, n-rank, n))
	p.root.Apply(func(_, j int, x float64) float64 { return x * math.Sqrt(values[n-rank+j]) }, p.root)
	var product mat.Dense
	product.Mul(w, p.root)
	if !p.svd.Factorize(&product, mat.SVDThin) {
		return nil, errors.New("vcl: singular values of WC do not converge")
	}
	p.values = p.svd.Values(nil)
	p.rootError = noise / math.Sqrt(values[n-rank])
	p.productError = mat.Norm(w, 2) * (p.rootError + 4*float64(n)*unit*mat.Norm(p.root, 2))
	p.hidden, p.hiddenCount = math.Sqrt(noise), min(m, n)-rank
	return p, nil
}

// Rank returns the ranks of G and of WGWᵀ to working precision.
func (p *Prescribed) Rank() (gram, product int) {
	for product < len(p.values) && p.values[product] > 8*p.productError {
		product++
	}
	_, gram = p.root.Dims()
	return gram, product
}

// Spread returns ‖W‖‖C‖ over the least singular value of WC that is not zero to working precision: the condition of the
// rotation. It is +Inf where there is none.
func (p *Prescribed) Spread() float64 {
	size := mat.Norm(p.w, 2) * mat.Norm(p.root, 2)
	if _, rank := p.Rank(); rank > 0 {
		return size / p.values[rank-1]
	}
	return math.Inf(1)
}

// Hidden bounds the norm of the part of new weights in directions in which G vanishes to working precision.
func (p *Prescribed) Hidden() float64 { return math.Sqrt(float64(p.hiddenCount)) * p.hidden }

// Distance returns tr A + tr G − 2tr(A^{1/2}GA^{1/2})^{1/2}, whose last trace is the nuclear norm of WC, and a bound on
// its rounding error.
func (p *Prescribed) Distance() (squared, rounding float64) {
	norm := mat.Norm(p.w, 2)
	_, n := p.w.Dims()
	squared = norm*norm + p.trace
	rounding = 4*float64(n)*p.unit*squared + 2*math.Sqrt(float64(len(p.values)))*p.productError +
		2*float64(p.hiddenCount)*norm*p.hidden
	for _, s := range p.values {
		squared -= 2 * s
	}
	return squared, rounding
}

// Nearest returns (WGWᵀ)^{+1/2}WG, m×n, and a bound on its rounding error. With M = WC = PΣVᵀ it is PVᵀCᵀ on the range
// of Σ, which avoids the squares in WGWᵀ.
func (p *Prescribed) Nearest() (next *mat.Dense, rounding float64) {
	m, n := p.w.Dims()
	_, rank := p.Rank()
	if rank == 0 {
		return mat.NewDense(m, n, nil), math.Inf(1)
	}
	var left, right, out mat.Dense
	p.svd.UTo(&left)
	p.svd.VTo(&right)
	r, _ := right.Dims()
	out.Product(left.Slice(0, m, 0, rank), right.Slice(0, r, 0, rank).T(), p.root.T())
	var turned mat.Dense
	turned.Mul(p.root, &right)
	for j := range rank { // a polar factor turns the j-th singular vector by at most 2‖δM‖/σⱼ
		rounding = math.Max(rounding, mat.Norm(turned.ColView(j), 2)/p.values[j])
	}
	rounding *= 2*math.Sqrt(float64(rank))*p.productError + mat.Norm(p.w, 2)*p.Hidden()
	return &out, rounding + 4*float64(n)*p.unit*mat.Norm(p.root, 2) + p.rootError + 2*p.Hidden()
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
		factor := math.Pow(x, power)
		if x <= 16*float64(n)*roundoff.Unit*values[n-1] {
			factor = 0
		}
		for i := range n {
			scaled.Set(i, j, factor*vectors.At(i, j))
		}
	}
	out.Mul(&scaled, vectors.T())
	return &out, true
}

// symmetrised returns (a + aᵀ)/2.
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
