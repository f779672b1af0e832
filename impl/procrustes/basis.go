package procrustes

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/dense"
)

var kernels blas.Implementation

// deflation is the length, relative to what it was, below which a vector counts as lying in the span of those before.
// Krylov blocks become dependent long before they vanish: without dropping such vectors the basis loses its
// orthogonality, and with it the Gram matrix of the step.
const deflation = 1e-10

// basis is an orthonormal set of vectors, kept as rows.
type basis struct {
	rows *mat.Dense // capacity×length; the first size rows are in use
	size int
}

func newBasis(capacity, length int) *basis { return &basis{rows: mat.NewDense(capacity, length, nil)} }

// vectors are rows from…size.
func (b *basis) vectors(from int) *mat.Dense {
	_, length := b.rows.Dims()
	return b.rows.Slice(from, b.size, 0, length).(*mat.Dense)
}

// extend adds the span of the rows of block, which it overwrites, until the capacity is reached. Rows are
// orthogonalised against earlier vectors twice, in one product for the whole block, then one after the other among
// themselves; a row of which little is left then goes through all vectors once more. After that nothing above rounding
// is left ("twice is enough", Parlett, The Symmetric Eigenvalue Problem, section 6.9).
func (b *basis) extend(block *mat.Dense) {
	count, length := block.Dims()
	capacity, _ := b.rows.Dims()
	norms := make([]float64, count)
	for i := range norms {
		norms[i] = kernels.Dnrm2(length, block.RawRowView(i), 1)
	}
	if b.size > 0 {
		for range 2 {
			old := b.vectors(0)
			dense.Gemm(block, -1, dense.Mul(block, old.T()), old, 1)
		}
	}
	first := b.size
	for i := 0; i < count && b.size < capacity; i++ {
		x := block.RawRowView(i)
		b.project(x, first)
		norm := kernels.Dnrm2(length, x, 1)
		if !(norm > deflation*norms[i]) {
			continue
		}
		if norm < 0.1*norms[i] { // what was cancelled left a remainder along the older vectors too
			kernels.Dscal(length, 1/norm, x, 1)
			b.project(x, 0)
			norm = kernels.Dnrm2(length, x, 1)
		}
		kernels.Dscal(length, 1/norm, x, 1)
		copy(b.rows.RawRowView(b.size), x)
		b.size++
	}
}

// project removes from x its components along the vectors from… on.
func (b *basis) project(x []float64, from int) {
	if b.size == from {
		return
	}
	v, length := b.vectors(from).RawMatrix(), len(x)
	c := make([]float64, b.size-from)
	kernels.Dgemv('N', v.Rows, length, 1, v.Data, v.Stride, x, 1, 0, c, 1)
	kernels.Dgemv('T', v.Rows, length, -1, v.Data, v.Stride, c, 1, 1, x, 1)
}
