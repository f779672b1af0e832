package linalg

import (
	"errors"
	"fmt"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/lapack"
)

// ErrNotPositiveDefinite says that a symmetric matrix has no Cholesky factor; the error that wraps it names the pivot.
var ErrNotPositiveDefinite = errors.New("linalg: the matrix is not positive definite")

// Cholesky returns the lower triangular l with a = l·lᵀ and a positive diagonal, for symmetric positive definite a
// (n×n), which it leaves unchanged. A pivot that is not positive gives an error that wraps [ErrNotPositiveDefinite] and
// names its index and value; where an entry is not finite the error is [ErrNotFinite]. Cost n³/3 flops, nearly all in
// matrix products.
func Cholesky(a mat.Symmetric) (l *mat.TriDense, err error) {
	n := a.SymmetricDim()
	if n == 0 {
		return new(mat.TriDense), nil
	}
	data := make([]float64, n*n)
	copyLower(data, a)
	for i := range n {
		row := data[i*n : i*n+i+1]
		if j := notFinite(row); j >= 0 {
			return nil, errNotFinite(i, j, row[j])
		}
		clear(data[i*n+i+1 : (i+1)*n])
	}
	if err := CholeskyInPlace(n, data, n); err != nil {
		return nil, err
	}
	return mat.NewTriDense(n, mat.Lower, data), nil
}

// copyLower copies the lower triangle of a to that of the row-major data. A [mat.SymDense] stores the upper one.
func copyLower(data []float64, a mat.Symmetric) {
	n := a.SymmetricDim()
	if s, ok := a.(mat.RawSymmetricer); ok {
		raw := s.RawSymmetric()
		transposeInto(blas64.General{Rows: n, Cols: n, Stride: n, Data: data},
			blas64.General{Rows: n, Cols: n, Stride: raw.Stride, Data: raw.Data})
		return
	}
	for i := range n {
		for j := range i + 1 {
			data[i*n+j] = a.At(i, j)
		}
	}
}

// CholeskyInPlace replaces the lower triangle of the row-major n×n matrix a with leading dimension lda by its Cholesky
// factor, see [Cholesky]. What lies above the diagonal does not matter and stays. After an error the triangle holds a
// partial result. It panics if lda or the length of a is too small.
//
// The bits depend on n and the entries only. Method: see [lapack.Cholesky].
func CholeskyInPlace(n int, a []float64, lda int) error {
	if n < 0 || lda < max(1, n) || n > 0 && len(a) < (n-1)*lda+n {
		panic("linalg: the triangle does not fit its slice")
	}
	if bad, pivot := lapack.Cholesky(gblas.Lower, n, a, lda); bad >= 0 {
		return fmt.Errorf("%w: pivot %d is %.6g", ErrNotPositiveDefinite, bad, pivot)
	}
	return nil
}

// CholeskySolve overwrites b (n×k) with the solution of l·lᵀ·x = b for the factor l of [Cholesky]. Cost 2n²k flops. It
// panics if the shapes differ.
func CholeskySolve(l *mat.TriDense, b *mat.Dense) {
	n, _ := l.Dims()
	rows, k := b.Dims()
	if rows != n {
		panic("linalg: the right-hand side does not fit the factor")
	}
	if n == 0 || k == 0 {
		return
	}
	t, x := l.RawTriangular(), b.RawMatrix()
	kernels.Dtrsm(gblas.Left, t.Uplo, gblas.NoTrans, gblas.NonUnit, n, k, 1, t.Data, t.Stride, x.Data, x.Stride)
	kernels.Dtrsm(gblas.Left, t.Uplo, gblas.Trans, gblas.NonUnit, n, k, 1, t.Data, t.Stride, x.Data, x.Stride)
}
