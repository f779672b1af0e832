package linalg

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ErrNotPositiveDefinite says that a symmetric matrix has no Cholesky factor; the error that wraps it names the pivot.
var ErrNotPositiveDefinite = errors.New("linalg: the matrix is not positive definite")

// choleskyLeaf is the order up to which the recursion is not worth its calls.
const choleskyLeaf = 16

// Cholesky returns the lower triangular l with a = l·lᵀ and a positive diagonal, for symmetric positive definite a (n×n), which it leaves
// unchanged. A pivot that is not positive gives an error that wraps [ErrNotPositiveDefinite] and names its
// index and value; where an entry is not finite the error is [ErrNotFinite]. Cost n³/3 flops, nearly all in matrix products.
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
		transposeInto(blas64.General{Rows: n, Cols: n, Stride: n, Data: data}, blas64.General{Rows: n, Cols: n, Stride: raw.Stride, Data: raw.Data}, nil)
		return
	}
	for i := range n {
		for j := range i + 1 {
			data[i*n+j] = a.At(i, j)
		}
	}
}

// CholeskyInPlace replaces the lower triangle of the row-major n×n matrix a with leading dimension lda by its Cholesky factor, see [Cholesky].
// It neither reads nor writes above the diagonal. After an error the triangle holds a partial result. It panics if lda or the length of a is
// too small.
//
// Method: recursion on halves, A₂₁ ← A₂₁·L₁₁⁻ᵀ and A₂₂ ← A₂₂ − A₂₁·A₂₁ᵀ between them (Gustavson, IBM J. Res. Dev. 41 (1997) 737). The bits
// depend on n and the entries only.
func CholeskyInPlace(n int, a []float64, lda int) error {
	if n < 0 || lda < max(1, n) || n > 0 && len(a) < (n-1)*lda+n {
		panic("linalg: the triangle does not fit its slice")
	}
	return choleskyFrom(0, n, a, lda)
}

// choleskyFrom factorises a trailing block that begins at pivot `first` of the whole matrix.
func choleskyFrom(first, n int, a []float64, lda int) error {
	if n <= choleskyLeaf {
		return choleskyRows(first, n, a, lda)
	}
	h := (n/2 + choleskyLeaf - 1) / choleskyLeaf * choleskyLeaf
	if err := choleskyFrom(first, h, a, lda); err != nil {
		return err
	}
	below, rest := a[h*lda:], a[h*lda+h:]
	kernels.Dtrsm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, n-h, h, 1, a, lda, below, lda)
	kernels.Dsyrk(blas.Lower, blas.NoTrans, n-h, h, -1, below, lda, 1, rest, lda)
	return choleskyFrom(first+h, n-h, rest, lda)
}

// choleskyRows goes row by row. The fused operations are written out so that no compiler chooses others.
func choleskyRows(first, n int, a []float64, lda int) error {
	for i := range n {
		row := a[i*lda : i*lda+i+1]
		for j := range i {
			above := a[j*lda : j*lda+j+1]
			s := row[j]
			for p, l := range above[:j] {
				s = math.FMA(-l, row[p], s)
			}
			row[j] = s / above[j]
		}
		pivot := row[i]
		for _, l := range row[:i] {
			pivot = math.FMA(-l, l, pivot)
		}
		if ok := pivot > 0 && pivot <= math.MaxFloat64; !ok {
			return fmt.Errorf("%w: pivot %d is %.6g", ErrNotPositiveDefinite, first+i, pivot)
		}
		row[i] = math.Sqrt(pivot)
	}
	return nil
}

// CholeskySolve overwrites b (n×k) with the solution of l·lᵀ·x = b for the factor l of [Cholesky]. Cost 2n²k flops. It panics if the shapes
// differ.
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
	kernels.Dtrsm(blas.Left, t.Uplo, blas.NoTrans, blas.NonUnit, n, k, 1, t.Data, t.Stride, x.Data, x.Stride)
	kernels.Dtrsm(blas.Left, t.Uplo, blas.Trans, blas.NonUnit, n, k, 1, t.Data, t.Stride, x.Data, x.Stride)
}
