package onestep

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
)

// Outlier is a singular value of F₀/√n + UVᵀ outside the bulk, with its vectors.
type Outlier struct {
	Value float64
	Left  []float64 // scalar products of the unit left vector with the columns of U
	Right []float64 // same for the right vector and V; the common sign of both vectors is arbitrary
}

// Triplets returns the singular values of [Bulk.Outliers] with their vectors.
//
// (0, A; Aᵀ, 0) for A = F₀/√n + UVᵀ is the same matrix for F₀/√n plus one of rank 2k. The forms of the resolvent of the
// matrix for F₀ at z = √x are zL on U, zR on V, and 0 across. A vector with p = Uᵀ(left) and q = Vᵀ(right) then
// satisfies q = zR p and p = zL q, and has the squared length −qᵀ(zL)′q − pᵀ(zR)′p, derivatives in z, half of it in
// each part.
func (b Bulk) Triplets(linear, rest, right *mat.Dense) []Outlier {
	return list.Map(b.roots(linear, rest, right), func(e float64) Outlier { return b.triplet(e, linear, rest, right) })
}

// triplet takes derivatives in x by differences along e, whose error is of second order in 10⁻⁵.
func (b Bulk) triplet(e float64, linear, rest, right *mat.Dense) Outlier {
	const step = 1e-5
	x, left, outer := b.forms(e, linear, rest, right)
	far, leftFar, outerFar := b.forms(e*(1-step), linear, rest, right)
	near, leftNear, outerNear := b.forms(e*(1+step), linear, rest, right)
	q := fixed(algebra.Scaled(x, algebra.Product(outer, left)))
	p := algebra.Image(left, q)
	p.ScaleVec(math.Sqrt(x), p)
	// −(zL)′ = −L − 2x dL/dx
	length := func(v *mat.VecDense, at, far, near *mat.Dense, dx float64) float64 {
		return -mat.Inner(v, at, v) - 2*x*(mat.Inner(v, far, v)-mat.Inner(v, near, v))/dx
	}
	half := (length(q, left, leftFar, leftNear, far-near) + length(p, outer, outerFar, outerNear, far-near)) / 2
	p.ScaleVec(1/math.Sqrt(half), p)
	q.ScaleVec(1/math.Sqrt(half), q)
	return Outlier{math.Sqrt(x), p.RawVector().Data, q.RawVector().Data}
}

// fixed returns the eigenvector of m at the eigenvalue that is nearest to one.
func fixed(m *mat.Dense) *mat.VecDense {
	k, _ := m.Dims()
	out := mat.NewVecDense(k, nil)
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenRight) {
		out.SetVec(0, math.NaN())
		return out
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	best := 0
	values := eigen.Values(nil)
	for i, value := range values {
		if cmplx.Abs(value-1) < cmplx.Abs(values[best]-1) {
			best = i
		}
	}
	for i := range k {
		out.SetVec(i, real(vectors.At(i, best)))
	}
	return out
}

// Share returns the squared length of the projection of a unit vector onto the span of some vectors, from its scalar
// products with them and their Gram matrix: pᵀG⁻¹p, and 0 for none. It is NaN where they are dependent.
func Share(products []float64, gram mat.Matrix) float64 {
	if len(products) == 0 {
		return 0
	}
	p := mat.NewVecDense(len(products), products)
	var x mat.VecDense
	if err := x.SolveVec(gram, p); err != nil {
		return math.NaN()
	}
	return mat.Dot(p, &x)
}
