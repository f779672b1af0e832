// Package layers draws the weights of a layer and its targets, and judges the conditions on new weights that several
// claims share: a prescribed Gram matrix, and the least distance among all weights with it.
package layers

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// Shapes are the regimes of a layer: fewer outputs than inputs, as many, more.
var Shapes = []string{"m < n", "m = n", "m > n"}

// Ill is the suffix in the name of a regime whose layer is ill-conditioned.
const Ill = ", ill-conditioned"

// Conditions are the shapes, each well and ill-conditioned.
var Conditions = []string{Shapes[0], Shapes[1], Shapes[2], Shapes[0] + Ill, Shapes[1] + Ill, Shapes[2] + Ill}

// Shape is the regime of a matrix.
func Shape(w mat.Matrix) string {
	switch m, n := w.Dims(); {
	case m < n:
		return Shapes[0]
	case m == n:
		return Shapes[1]
	}
	return Shapes[2]
}

// Condition is the regime of a matrix, ill-conditioned or not.
func Condition(w mat.Matrix, ill bool) string {
	if ill {
		return Shape(w) + Ill
	}
	return Shape(w)
}

// Dims draws outputs and inputs of a layer, each at most limit; more inputs, as many and fewer are equally likely.
func Dims(t *props.T, limit int) (m, n int) {
	shape := rapid.SampledFrom(Shapes).Draw(t.T, "shape")
	m = gen.Dim(t.T, "smaller side", limit)
	n = min(limit, m+gen.Dim(t.T, "difference", limit-1))
	switch shape {
	case Shapes[1]:
		return m, m
	case Shapes[2]:
		return n, m
	}
	return m, n
}

// WithSingularValues draws an m×n matrix with the given singular values, min(m, n) of them.
func WithSingularValues(r *rand.Rand, m, n int, values []float64) *mat.Dense {
	k := len(values)
	return algebra.Product(gen.Orthonormal(r, m, k), mat.NewDiagDense(k, values), gen.Orthonormal(r, n, k).T())
}

// Conditioned draws an m×n matrix whose singular values lie between 1/kappa and 1, evenly on a logarithmic scale.
func Conditioned(r *rand.Rand, m, n int, kappa float64) *mat.Dense {
	values := make([]float64, min(m, n))
	for i := range values {
		values[i] = 1
		if i > 0 {
			values[i] = math.Pow(kappa, -float64(i)/float64(len(values)-1))
		}
	}
	return WithSingularValues(r, m, n, values)
}

// LoseDirection makes the last row and column of a matrix zero.
func LoseDirection(w *mat.Dense) {
	m, n := w.Dims()
	w.SetRow(m-1, make([]float64, n))
	w.SetCol(n-1, make([]float64, m))
}

// Batch is a step on random gradients and inputs of that size.
func Batch(r *rand.Rand, w *mat.Dense, batch int, size, rate float64) routes.Problem {
	m, n := w.Dims()
	return routes.Problem{W: w, Gamma: gen.Gaussian(r, m, batch, size), H: gen.Gaussian(r, n, batch, size), Rate: rate}
}

// Towards is the step of gradient descent from w to other.
func Towards(w, other *mat.Dense) routes.Problem {
	_, n := w.Dims()
	by := algebra.Difference(w, other)
	h := mat.NewDense(n, n, nil)
	for i := range n {
		h.Set(i, i, 1)
	}
	return routes.Problem{W: w, Gamma: by, H: h, Rate: 1}
}

// Descent is W_s = W − γΓHᵀ, the weights of gradient descent.
func Descent(p routes.Problem) *mat.Dense {
	return algebra.Sum(p.W, algebra.Scaled(-p.Rate, algebra.Product(p.Gamma, p.H.T())))
}

// Whiteners are solvers for the Gram matrix of gradient descent.
var Whiteners = []routes.Solver{routes.Full{}, routes.Polar{}, routes.Krylov{}, routes.Auto{}}

// Next is the solver's new weights.
func Next(s routes.Solver, p routes.Problem) *mat.Dense {
	return must.Get(s.Solve(p)).W
}

// JudgeGram states that new weights have a Gram matrix. Each of its entries is an inner product of m terms, and a
// factor of the target and a rotation are multiplied over lengths of at most max(m, n).
func JudgeGram(r *props.Record, next, target mat.Matrix) {
	m, n := next.Dims()
	size := mat.Norm(target, 2) + math.Pow(mat.Norm(next, 2), 2)
	r.WithinMatrix("Gram matrix", Gram(next), target, float64(4*(m+n))*r.Unit()*size)
}

// JudgeDescent states that new weights have the Gram matrix of gradient descent, W − γΓHᵀ, whose terms may cancel.
// Both sides compute it, to (B+2)u of the terms, and square it: 4(B+2)u. The rotation of the new weights and the two
// products add 4m, and 4n are left for what the rotation lacks of an isometry.
func JudgeDescent(r *props.Record, next *mat.Dense, p routes.Problem) {
	m, n := next.Dims()
	_, batch := p.H.Dims()
	size := mat.Norm(p.W, 2) + math.Abs(p.Rate)*mat.Norm(p.Gamma, 2)*mat.Norm(p.H, 2)
	r.WithinMatrix("Gram matrix", Gram(next), Gram(Descent(p)), float64(4*(m+n+batch+2))*r.Unit()*size*size)
}

// JudgeNearest states the certificate that no weights with the Gram matrix of next are nearer to w: W₊Wᵀ is its own
// modulus |W₊Wᵀ| = ((W₊Wᵀ)ᵀW₊Wᵀ)^½, which says that it is symmetric and has no negative eigenvalue. The modulus moves
// by at most √2 times what its argument does (Araki and Yamagami 1981), and a polar factor by iteration has a backward
// error of some tens of u (Nakatsukasa and Higham 2012). Where one of them is zero there is nothing to say.
func JudgeNearest(r *props.Record, next, w mat.Matrix) {
	if mat.Norm(w, 2) == 0 || mat.Norm(next, 2) == 0 {
		return
	}
	m, n := w.Dims()
	product := algebra.Product(next, w.T())
	_, values, right := SVD(product)
	modulus := algebra.Product(right, mat.NewDiagDense(len(values), values), right.T())
	r.WithinMatrix("W₊Wᵀ is its own modulus", product, modulus,
		float64(64*(m+n))*r.Unit()*mat.Norm(next, 2)*mat.Norm(w, 2))
}

// SVD is the thin singular value decomposition by impl/linalg.
func SVD(a *mat.Dense) (left *mat.Dense, values []float64, right *mat.Dense) {
	left, values, right, err := linalg.SVD(a, mat.SVDThin)
	if err != nil {
		panic(err)
	}
	return left, values, right
}

// Eigenvalues returns the eigenvalues of a symmetric matrix, ascending.
func Eigenvalues(a mat.Matrix) []float64 {
	values, _ := must.Both(linalg.SymEigen(Symmetric(a), false))
	return values
}

// Rank counts the singular values that are not zero to rounding, 16·max(m, n)·u of the largest.
func Rank(a *mat.Dense) int {
	_, values, _ := SVD(a)
	m, n := a.Dims()
	count := 0
	for count < len(values) && values[count] > 16*float64(max(m, n))*roundoff.Unit*values[0] {
		count++
	}
	return count
}

// Spread is the largest singular value over the smallest one that is not zero to rounding; 1 for a zero matrix.
func Spread(a *mat.Dense) float64 {
	_, values, _ := SVD(a)
	if k := Rank(a); k > 0 {
		return values[0] / values[k-1]
	}
	return 1
}

// SmallestValue is the smallest singular value that is not zero to rounding; 0 for a zero matrix.
func SmallestValue(a *mat.Dense) float64 {
	_, values, _ := SVD(a)
	if k := Rank(a); k > 0 {
		return values[k-1]
	}
	return 0
}

// ProductSpread is ‖W‖‖W₊‖ over the smallest singular value of WW₊ᵀ that is not zero to rounding: the condition of the
// rotation between them; 1 where there is none.
func ProductSpread(w, next *mat.Dense) float64 {
	product := algebra.Product(w, next.T())
	_, values, _ := SVD(product)
	if k := Rank(product); k > 0 {
		return mat.Norm(w, 2) * mat.Norm(next, 2) / values[k-1]
	}
	return 1
}

// Unique is whether nearest weights W₊ are the only ones with their Gram matrix that are as near to W: whether W₊Wᵀ has
// the rank of W₊ (vcl/procrustes).
func Unique(w, next *mat.Dense) bool { return Rank(algebra.Product(next, w.T())) == Rank(next) }

// Gram is WᵀW.
func Gram(w mat.Matrix) *mat.SymDense { return Symmetric(algebra.Product(w.T(), w)) }

// Symmetric is (A + Aᵀ)/2.
func Symmetric(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, a.At(i, j)/2+a.At(j, i)/2)
		}
	}
	return s
}

// SquaredDistance is ‖A − B‖²_F.
func SquaredDistance(a, b mat.Matrix) float64 {
	norm := algebra.Distance(a, b)
	return norm * norm
}
