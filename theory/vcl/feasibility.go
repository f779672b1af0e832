package vcl

import (
	"cmp"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
)

// Feasibility is the claim vcl/feasibility.
var Feasibility = theory.Statement{
	Slug:  "vcl/feasibility",
	Title: "When weights with the shifted Gram matrix exist: a criterion for m ≥ n, hardly ever for m < n",
	Plain: "Weights whose Gram matrix is exactly the shifted one need not exist; for tall layers and one " +
		"sample, a determinant decides.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "W (m×n) of full rank, A = WᵀW, D = −γ(HΓᵀW + WᵀΓHᵀ) + γ²WᵀΓΓᵀW the virtual covariance shift of a batch at " +
		"step γ > 0; the equation to solve is W₊ᵀW₊ = G = A + D with W₊ m×n. For one sample (h, g): w = Wᵀg, a = hᵀA⁻¹h, p " +
		"= hᵀA⁻¹w, q = wᵀA⁻¹w. P₀ projects on the kernel of W.",
	Params: []theory.Param{
		{Name: "a", Symbol: "a", Meaning: "hᵀA⁻¹h", Domain: theory.Between(0, 1e40), Default: "4"},
		{Name: "p", Symbol: "p", Meaning: "hᵀA⁻¹w", Domain: theory.Between(-1e40, 1e40), Default: "0.5"},
		{Name: "q", Symbol: "q", Meaning: "wᵀA⁻¹w", Domain: theory.Between(0, 1e40), Default: "1"},
		stepSize(theory.Inside(0, 1e40), "0.1"),
		{Name: "outside", Symbol: "‖P₀h‖", Meaning: "norm of the part of h in the kernel of W (for m < n)",
			Domain: theory.Between(0, 1e40), Default: "1"},
		{Name: "g", Symbol: "‖g‖", Meaning: "norm of the pre-activation gradient", Domain: theory.Between(0, 1e40),
			Default: "1"},
		layerWeights, layerInputs, preActivationGrads,
		{Name: "G", Symbol: "G", Meaning: "the target, WᵀW + D", Shape: "n×n"},
	},
	Claim: "For m ≥ n and one sample $det(A+D)/det A = (1−γp)² − γ²q(a−1)$ and A + D has at most one negative " +
		"eigenvalue. So a solution exists iff this quotient is not negative; if a > 1 and γ* = 1/(p+√(q(a−1))) is " +
		"positive, the first range of feasible steps ends at γ*. With B samples at most B eigenvalues are negative. For m " +
		"< n no step has a solution unless ΓHᵀP₀ = 0: with y = γσ, σ the largest singular value of WᵀΓHᵀP₀ and v its left " +
		"singular vector, λ_min(A+D) ≤ (x − √(x²+4y²))/2 for x = vᵀ(A+D)v. For small γ, m eigenvalues are positive and " +
		"rank(ΓHᵀP₀) are negative, generically min(B, n−m, m); for one sample λ_min(A+D)/γ² → −‖P₀h‖²‖g‖².",
	TeX: `\frac{\det(A + D)}{\det A} = (1 - \gamma p)^2 - \gamma^2 q (a - 1), \quad \lambda_{\min}(A + D) = ` +
		`-\gamma^2 \lVert P_0 h \rVert^2 \lVert g \rVert^2 (1 + O(\gamma)) \; \text{for} \; m < n`,
	Assumptions: []theory.Assumption{
		{ID: "one-sample", Text: "the step is taken on one sample (for the criterion and the limit)"},
		{ID: "full-rank", Text: "W has full rank"},
		{ID: "outside", Text: "for m < n, ΓHᵀP₀ ≠ 0: for one sample, h lies outside the row space of W and g ≠ 0"},
		{ID: "whole-shift", Text: "D carries its term of second order"},
	},
	Source:     paper.At("equation (2)"),
	Deviations: "The source does not discuss existence.",
	Proof: "W₊ exists iff G is positive semidefinite of rank at most m. For one sample D has rank 2 with one " +
		"eigenvalue of each sign, and det(I + A⁻¹D) is a 2×2 determinant. For m < n the block of G on the kernel of " +
		"W is zero and its cross block −γWᵀΓHᵀP₀ is not; the bound is the least eigenvalue of G on two orthonormal " +
		"vectors (Cauchy's interlacing). Where the block on the row space is positive definite, its Schur complement " +
		"counts the other eigenvalues.",
	Tolerance: "det G/det A is the product of the eigenvalues of the Cholesky-whitened target, each accurate to " +
		"64n·u·κ(W)² times 1 plus the size of its terms, since the identity and the parts of the whitened shift may " +
		"cancel; a, p and q are accurate to 8(m+n)·u·κ(W)². Signs are compared only beyond these errors. Eigenvalues of G " +
		"count as nonzero beyond 64n·u‖G‖; the draws keep them at least a hundred times above that, so no count depends on " +
		"chance. The limit is extrapolated from halved steps; the series of the quotient in γ has terms below those of the " +
		"solution of Q̄ = ρ/(1 − s − cQ̄), ρ = ‖P₀h‖², s = 2γ‖A^{+½}h‖‖g‖ + γ²‖g‖², c = (γ‖g‖/σ)², and the allowance " +
		"covers all omitted terms.",
	Limits: "W with condition up to 10³, Γ and the part of H outside the row space of W well and badly conditioned but " +
		"never singular. Layers up to 10×10, and small γ from 3·10⁻⁴ to 10⁻². The check does not ask which steps of " +
		"training on real data are feasible.",
	Readings: []theory.Reading{
		{ID: "always-feasible", Reading: "argmin ‖W₊ − W‖ s.t. W₊ᵀW₊ − WᵀW = cov(h⁺) − cov(h) exists for m < n",
			Locus: "equation (2), a problem that asserts no solution, on layers 256×784 and 256×3072",
			Correct: "for m < n the constraint has no solution for any step unless h lies in the row space of W or g " +
				"= 0",
			Counterexample: "W = (1, 0), h = (0, 1), g = 1, γ = ½: G = [[1.25, −0.5], [−0.5, 0]] has the eigenvalue " +
				"−0.1754"},
		{ID: "large-step", Reading: "for m ≥ n the constraint of equation (2) can be met at any step size",
			Locus:          "equation (2)",
			Correct:        "feasible up to γ* = 1/(p + √(q(a−1))) when a > 1",
			Counterexample: "W = 1, h = 2, g = 1, γ = 1: G = 1 − 4 + 1 = −2"},
	},
	RestsOn: []string{"vcl/residual"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := sampleShiftOf(v)
		return []theory.Quantity{
			{Name: "determinant", Symbol: "det G/det A", Value: s.Determinant(v.Float("step")),
				Meaning: "feasible for m ≥ n iff not negative"},
			{Name: "limit", Symbol: "γ*", Value: s.Limit(),
				Meaning: "first step at which feasibility ends, m ≥ n; +Inf if never"},
			{Name: "eigenvalue_min", Symbol: "λ_min", Value: LeastEigenvalue(v.Float("step"), v.Float("outside"),
				v.Float("g")),
				Meaning: "least eigenvalue of the target for m < n", Limit: "γ → 0"},
		}
	},
	Violated: func(v theory.Values) error { return sampleShiftOf(v).Valid() },
}

// SampleShift describes the shift of one sample in the geometry of A = WᵀW.
type SampleShift struct {
	A float64 // hᵀA⁻¹h
	P float64 // hᵀA⁻¹w
	Q float64 // wᵀA⁻¹w
}

func sampleShiftOf(v theory.Values) SampleShift {
	return SampleShift{A: v.Float("a"), P: v.Float("p"), Q: v.Float("q")}
}

// NewSampleShift measures h and w = Wᵀg in the geometry of WᵀW, W of full column rank. It returns an error when WᵀW is
// singular.
func NewSampleShift(w *mat.Dense, h, g []float64) (SampleShift, error) {
	_, n := w.Dims()
	var factor mat.Cholesky
	if !factor.Factorize(symmetrised(algebra.Product(w.T(), w))) {
		return SampleShift{}, errors.New("vcl: W does not have full column rank")
	}
	input, back := mat.NewVecDense(n, h), algebra.Image(w.T(), mat.NewVecDense(len(g), g))
	var x, y mat.VecDense
	if err := errors.Join(factor.SolveVecTo(&x, input), factor.SolveVecTo(&y, back)); err != nil {
		return SampleShift{}, err
	}
	return SampleShift{A: mat.Dot(input, &x), P: mat.Dot(input, &y), Q: mat.Dot(back, &y)}, nil
}

// Valid names the violated hypothesis: a and q are squared lengths and p a scalar product, up to rounding.
func (s SampleShift) Valid() error {
	return cmp.Or(
		theory.Require(s.A >= 0 && s.Q >= 0, "vcl: squared lengths must not be negative"),
		theory.Require(math.Abs(s.P) <= math.Sqrt(s.A)*math.Sqrt(s.Q)*(1+1e-6),
			"vcl: a scalar product is at most the product of the lengths, p² ≤ a·q"),
	)
}

// Determinant returns (1−γp)² − γ²q(a−1).
func (s SampleShift) Determinant(step float64) float64 {
	return theory.When(s.Valid() == nil, math.Pow(1-step*s.P, 2)-step*step*s.Q*(s.A-1))
}

// Limit returns γ* = 1/(p + √(q(a−1))), the step at which feasibility first ends; +Inf when it does not end.
func (s SampleShift) Limit() float64 {
	switch {
	case s.Valid() != nil:
		return math.NaN()
	case s.A <= 1 || s.Q == 0:
		return math.Inf(1)
	}
	if d := s.P + math.Sqrt(s.Q*(s.A-1)); d > 0 {
		return 1 / d
	}
	return math.Inf(1)
}

// LeastEigenvalue returns −γ²‖P₀h‖²‖g‖², the least eigenvalue of the target for m < n to leading order.
func LeastEigenvalue(step, outside, g float64) float64 {
	return theory.When(outside >= 0 && g >= 0, -step*step*outside*outside*g*g)
}

// NegativeEigenvalues returns min(B, n−m, m) for m < n: the number of negative eigenvalues of the target for a generic
// batch and small steps. It is 0 for m ≥ n.
func NegativeEigenvalues(m, n, batch int) int { return max(0, min(batch, n-m, m)) }

// NearestGram returns the Gram matrix of m×n weights that is nearest to the symmetric n×n matrix g in Frobenius norm,
// which keeps the non-negative ones of the m leading eigenpairs, and the norm of the discarded part. Both are NaN when
// the eigenvalues do not converge. A target WᵀW + D with W m×n has at most rank W ≤ m positive eigenvalues, since it
// vanishes on the kernel of W; its nearest Gram matrix is its positive part.
func NearestGram(g *mat.SymDense, m int) (near *mat.Dense, dropped float64) {
	n := g.SymmetricDim()
	var eigen mat.EigenSym
	if !eigen.Factorize(g, true) {
		return undefined(n), math.NaN()
	}
	near = mat.NewDense(n, n, nil)
	var vectors, pair mat.Dense
	eigen.VectorsTo(&vectors)
	for k, x := range eigen.Values(nil) { // ascending
		if k < n-m || x < 0 {
			dropped = math.Hypot(dropped, x)
			continue
		}
		pair.Outer(x, vectors.ColView(k), vectors.ColView(k))
		near.Add(near, &pair)
	}
	return near, dropped
}
