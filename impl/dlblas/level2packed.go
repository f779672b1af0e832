package dlblas

import "gonum.org/v1/gonum/blas"

// The routines on banded and packed triangles.

// banded checks the arguments of Dtbmv and Dtbsv, and calls one of them.
func banded(call func(order, ul, tA, d, n, k int32, a *float64, lda int32, x *float64, incX int32),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64, incX int) {
	u, t, g := triangleCode(ul), transposeCode(tA), diagonalCode(d)
	sizes(n, k)
	leading(lda, k+1)
	increments(incX)
	if n == 0 {
		return
	}
	holdsMatrix(a, n, k+1, lda)
	holdsVector(x, n, incX)
	call(rowMajor, u, t, g, int32(n), int32(k), at(a), int32(lda), at(x), int32(incX))
}

// Dtbmv calls cblas_dtbmv.
func (l *Library) Dtbmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	if l.blas.dtbmv == nil {
		fallback.Dtbmv(ul, tA, d, n, k, a, lda, x, incX)
		return
	}
	banded(l.blas.dtbmv, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtbsv calls cblas_dtbsv.
func (l *Library) Dtbsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	if l.blas.dtbsv == nil {
		fallback.Dtbsv(ul, tA, d, n, k, a, lda, x, incX)
		return
	}
	banded(l.blas.dtbsv, ul, tA, d, n, k, a, lda, x, incX)
}

// Dsbmv calls cblas_dsbmv.
func (l *Library) Dsbmv(ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if l.blas.dsbmv == nil {
		fallback.Dsbmv(ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	u := triangleCode(ul)
	sizes(n, k)
	leading(lda, k+1)
	increments(incX, incY)
	if n == 0 {
		return
	}
	holdsMatrix(a, n, k+1, lda)
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	l.blas.dsbmv(rowMajor, u, int32(n), int32(k), alpha, at(a), int32(lda), at(x), int32(incX), beta, at(y),
		int32(incY))
}

// packed checks the arguments of Dtpmv and Dtpsv, and calls one of them.
func packed(call func(order, ul, tA, d, n int32, ap, x *float64, incX int32),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	u, t, g := triangleCode(ul), transposeCode(tA), diagonalCode(d)
	sizes(n)
	increments(incX)
	if n == 0 {
		return
	}
	holdsPacked(ap, n)
	holdsVector(x, n, incX)
	call(rowMajor, u, t, g, int32(n), at(ap), at(x), int32(incX))
}

// Dtpmv calls cblas_dtpmv.
func (l *Library) Dtpmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	if l.blas.dtpmv == nil {
		fallback.Dtpmv(ul, tA, d, n, ap, x, incX)
		return
	}
	packed(l.blas.dtpmv, ul, tA, d, n, ap, x, incX)
}

// Dtpsv calls cblas_dtpsv.
func (l *Library) Dtpsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	if l.blas.dtpsv == nil {
		fallback.Dtpsv(ul, tA, d, n, ap, x, incX)
		return
	}
	packed(l.blas.dtpsv, ul, tA, d, n, ap, x, incX)
}

// Dspmv calls cblas_dspmv.
func (l *Library) Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64,
	incY int) {
	if l.blas.dspmv == nil {
		fallback.Dspmv(ul, n, alpha, ap, x, incX, beta, y, incY)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	increments(incX, incY)
	if n == 0 {
		return
	}
	holdsPacked(ap, n)
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	l.blas.dspmv(rowMajor, u, int32(n), alpha, at(ap), at(x), int32(incX), beta, at(y), int32(incY))
}

// Dspr calls cblas_dspr.
func (l *Library) Dspr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64) {
	if l.blas.dspr == nil {
		fallback.Dspr(ul, n, alpha, x, incX, ap)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	increments(incX)
	if n == 0 {
		return
	}
	holdsVector(x, n, incX)
	holdsPacked(ap, n)
	l.blas.dspr(rowMajor, u, int32(n), alpha, at(x), int32(incX), at(ap))
}

// Dspr2 calls cblas_dspr2.
func (l *Library) Dspr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	ap []float64) {
	if l.blas.dspr2 == nil {
		fallback.Dspr2(ul, n, alpha, x, incX, y, incY, ap)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	increments(incX, incY)
	if n == 0 {
		return
	}
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	holdsPacked(ap, n)
	l.blas.dspr2(rowMajor, u, int32(n), alpha, at(x), int32(incX), at(y), int32(incY), at(ap))
}
