package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"gonum.org/v1/gonum/blas"
)

// Operator is a matrix that is known by its products with vectors. Both methods overwrite dst, leave x unchanged, and
// may assume that dst and x do not overlap.
type Operator interface {
	Dims() (rows, cols int)
	MulVec(dst, x []float64)      // dst = A x; len(dst) = rows, len(x) = cols
	MulVecTrans(dst, x []float64) // dst = Aᵀ x; len(dst) = cols, len(x) = rows
}

// Matrix returns a dense matrix as an operator, without copying it.
func Matrix(m *mat.Dense) Operator { return dense{m.RawMatrix()} }

type dense struct{ m blas64.General }

func (d dense) Dims() (rows, cols int)       { return d.m.Rows, d.m.Cols }
func (d dense) MulVec(dst, x []float64)      { d.product(blas.NoTrans, dst, x) }
func (d dense) MulVecTrans(dst, x []float64) { d.product(blas.Trans, dst, x) }
func (d dense) product(t blas.Transpose, dst, x []float64) {
	kernels.Dgemv(t, d.m.Rows, d.m.Cols, 1, d.m.Data, d.m.Stride, x, 1, 0, dst, 1)
}

// Updated returns A + scale·u vᵀ without forming it, for 4(rows+cols) more flops per product. len(u) is the number of
// rows of A and len(v) that of its columns. u and v are not copied.
func Updated(a Operator, scale float64, u, v []float64) Operator {
	if rows, cols := a.Dims(); len(u) != rows || len(v) != cols {
		panic("linalg: lengths of the update do not fit the operator")
	}
	return updated{a, scale, u, v}
}

type updated struct {
	Operator
	scale float64
	u, v  []float64
}

func (o updated) MulVec(dst, x []float64) {
	o.Operator.MulVec(dst, x)
	floats.AddScaled(dst, o.scale*floats.Dot(o.v, x), o.u)
}

func (o updated) MulVecTrans(dst, x []float64) {
	o.Operator.MulVecTrans(dst, x)
	floats.AddScaled(dst, o.scale*floats.Dot(o.u, x), o.v)
}

// transposed swaps the roles of rows and columns.
type transposed struct{ a Operator }

func (t transposed) Dims() (rows, cols int)       { cols, rows = t.a.Dims(); return rows, cols }
func (t transposed) MulVec(dst, x []float64)      { t.a.MulVecTrans(dst, x) }
func (t transposed) MulVecTrans(dst, x []float64) { t.a.MulVec(dst, x) }
