// Package dense multiplies gonum's dense matrices with the kernels of impl/blas, whichever BLAS gonum itself uses. Lazy
// transposes are read in place.
package dense

import (
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
)

var kernels blas.Implementation

// Gemm sets dst to alpha·a·b + beta·dst, for a m×k, b k×n and dst m×n, and returns dst. a and b are *mat.Dense, any
// matrix with a RawMatrix of that layout, or lazy transposes of them; others, such as diagonal ones, are copied. dst
// shares no memory with either. beta = 0 overwrites dst whatever it held. Cost 2mnk flops.
func Gemm(dst *mat.Dense, alpha float64, a, b mat.Matrix, beta float64) *mat.Dense {
	x, transX := operand(a)
	y, transY := operand(b)
	m, k := a.Dims()
	rows, n := b.Dims()
	c := dst.RawMatrix()
	if rows != k || c.Rows != m || c.Cols != n {
		panic("dense: shapes of a product do not fit")
	}
	kernels.Dgemm(transX, transY, m, n, k, alpha, x.Data, x.Stride, y.Data, y.Stride, beta, c.Data, c.Stride)
	return dst
}

// Mul returns a new matrix a·b. See [Gemm].
func Mul(a, b mat.Matrix) *mat.Dense {
	m, _ := a.Dims()
	_, n := b.Dims()
	return Gemm(mat.NewDense(m, n, nil), 1, a, b, 0)
}

// Gram returns the new symmetric matrix a·aᵀ (m×m) of a (m×k), both triangles filled. Cost m²k flops, half those of
// Mul.
func Gram(a mat.Matrix) *mat.Dense {
	m, _ := a.Dims()
	return GramInto(mat.NewDense(m, m, nil), a)
}

// GramInto is [Gram] in the memory of dst (m×m), whatever it held.
func GramInto(dst *mat.Dense, a mat.Matrix) *mat.Dense {
	x, trans := operand(a)
	m, k := a.Dims()
	c := dst.RawMatrix()
	if c.Rows != m || c.Cols != m {
		panic("dense: shapes of a product do not fit")
	}
	kernels.Dsyrk(gblas.Upper, trans, m, k, 1, x.Data, x.Stride, 0, c.Data, c.Stride)
	mirror(c)
	return dst
}

// AddGram adds a·aᵀ to the symmetric dst (m×m), of which it reads the upper triangle and writes both. Cost as [Gram].
func AddGram(dst *mat.Dense, a mat.Matrix) {
	x, trans := operand(a)
	m, k := a.Dims()
	c := dst.RawMatrix()
	if c.Rows != m || c.Cols != m {
		panic("dense: shapes of a product do not fit")
	}
	kernels.Dsyrk(gblas.Upper, trans, m, k, 1, x.Data, x.Stride, 1, c.Data, c.Stride)
	mirror(c)
}

// AddSymmetric adds alpha·(a·bᵀ + b·aᵀ) to the symmetric dst (m×m), of which it reads the upper triangle and writes
// both, for a and b m×k. Cost 2m²k flops. It copies a and b if one is a transpose and the other is not.
func AddSymmetric(dst *mat.Dense, alpha float64, a, b mat.Matrix) {
	x, trans := operand(a)
	y, other := operand(b)
	if trans != other {
		AddSymmetric(dst, alpha, mat.DenseCopyOf(a), mat.DenseCopyOf(b))
		return
	}
	m, k := a.Dims()
	rows, cols := b.Dims()
	c := dst.RawMatrix()
	if rows != m || cols != k || c.Rows != m || c.Cols != m {
		panic("dense: shapes of a product do not fit")
	}
	kernels.Dsyr2k(gblas.Upper, trans, m, k, alpha, x.Data, x.Stride, y.Data, y.Stride, 1, c.Data, c.Stride)
	mirror(c)
}

// mirror copies the upper triangle to the lower one.
func mirror(c blas64.General) {
	// rows and columns that are taken together: rows of a length that is a power of two want the same lines of the cache
	const block = 8
	m := c.Rows
	for top := 0; top < m; top += block {
		for left := 0; left <= top; left += block {
			for i := top; i < min(top+block, m); i++ {
				row := c.Data[i*c.Stride : i*c.Stride+m]
				for j := left; j < min(left+block, i); j++ {
					row[j] = c.Data[j*c.Stride+i]
				}
			}
		}
	}
}

// Identity returns the n×n identity.
func Identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// Sized returns a matrix of that shape, m itself if it fits; m may be nil. Its entries are unspecified.
func Sized(m *mat.Dense, rows, cols int) *mat.Dense {
	if m != nil {
		if r, c := m.Dims(); r == rows && c == cols {
			return m
		}
	}
	return mat.NewDense(rows, cols, nil)
}

// operand is the storage of a matrix and how to read it.
func operand(a mat.Matrix) (blas64.General, gblas.Transpose) {
	trans := gblas.NoTrans
	for {
		t, ok := a.(mat.Untransposer)
		if !ok {
			break
		}
		a = t.Untranspose()
		if trans == gblas.NoTrans {
			trans = gblas.Trans
		} else {
			trans = gblas.NoTrans
		}
	}
	if raw, ok := a.(mat.RawMatrixer); ok {
		return raw.RawMatrix(), trans
	}
	return mat.DenseCopyOf(a).RawMatrix(), trans
}
