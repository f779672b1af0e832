package dlblas

import "gonum.org/v1/gonum/blas"

// Dgemv calls cblas_dgemv.
func (l *Library) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if l.blas.dgemv == nil {
		fallback.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	t := transposeCode(tA)
	sizes(m, n)
	leading(lda, n)
	increments(incX, incY)
	if m == 0 || n == 0 {
		return
	}
	lenY, lenX := shaped(tA, m, n)
	holdsVector(x, lenX, incX)
	holdsVector(y, lenY, incY)
	holdsMatrix(a, m, n, lda)
	l.blas.dgemv(rowMajor, t, int32(m), int32(n), alpha, at(a), int32(lda), at(x), int32(incX), beta, at(y),
		int32(incY))
}

// Dgbmv calls cblas_dgbmv.
func (l *Library) Dgbmv(tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	if l.blas.dgbmv == nil {
		fallback.Dgbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	t := transposeCode(tA)
	sizes(m, n, kL, kU)
	leading(lda, kL+kU+1)
	increments(incX, incY)
	if m == 0 || n == 0 {
		return
	}
	lenY, lenX := shaped(tA, m, n)
	holdsMatrix(a, min(m, n+kL), kL+kU+1, lda)
	holdsVector(x, lenX, incX)
	holdsVector(y, lenY, incY)
	l.blas.dgbmv(rowMajor, t, int32(m), int32(n), int32(kL), int32(kU), alpha, at(a), int32(lda), at(x), int32(incX),
		beta, at(y), int32(incY))
}

// triangular checks the arguments of Dtrmv and Dtrsv, and calls one of them.
func triangular(call func(order, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	u, t, g := triangleCode(ul), transposeCode(tA), diagonalCode(d)
	sizes(n)
	leading(lda, n)
	increments(incX)
	if n == 0 {
		return
	}
	holdsMatrix(a, n, n, lda)
	holdsVector(x, n, incX)
	call(rowMajor, u, t, g, int32(n), at(a), int32(lda), at(x), int32(incX))
}

// Dtrmv calls cblas_dtrmv.
func (l *Library) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	if l.blas.dtrmv == nil {
		fallback.Dtrmv(ul, tA, d, n, a, lda, x, incX)
		return
	}
	triangular(l.blas.dtrmv, ul, tA, d, n, a, lda, x, incX)
}

// Dtrsv calls cblas_dtrsv.
func (l *Library) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	if l.blas.dtrsv == nil {
		fallback.Dtrsv(ul, tA, d, n, a, lda, x, incX)
		return
	}
	triangular(l.blas.dtrsv, ul, tA, d, n, a, lda, x, incX)
}

// Dsymv calls cblas_dsymv.
func (l *Library) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int) {
	if l.blas.dsymv == nil {
		fallback.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	leading(lda, n)
	increments(incX, incY)
	if n == 0 {
		return
	}
	holdsMatrix(a, n, n, lda)
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	l.blas.dsymv(rowMajor, u, int32(n), alpha, at(a), int32(lda), at(x), int32(incX), beta, at(y), int32(incY))
}

// Dger calls cblas_dger.
func (l *Library) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if l.blas.dger == nil {
		fallback.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	sizes(m, n)
	leading(lda, n)
	increments(incX, incY)
	if m == 0 || n == 0 {
		return
	}
	holdsVector(x, m, incX)
	holdsVector(y, n, incY)
	holdsMatrix(a, m, n, lda)
	l.blas.dger(rowMajor, int32(m), int32(n), alpha, at(x), int32(incX), at(y), int32(incY), at(a), int32(lda))
}

// Dsyr calls cblas_dsyr.
func (l *Library) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	if l.blas.dsyr == nil {
		fallback.Dsyr(ul, n, alpha, x, incX, a, lda)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	leading(lda, n)
	increments(incX)
	if n == 0 {
		return
	}
	holdsVector(x, n, incX)
	holdsMatrix(a, n, n, lda)
	l.blas.dsyr(rowMajor, u, int32(n), alpha, at(x), int32(incX), at(a), int32(lda))
}

// Dsyr2 calls cblas_dsyr2.
func (l *Library) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	if l.blas.dsyr2 == nil {
		fallback.Dsyr2(ul, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	u := triangleCode(ul)
	sizes(n)
	leading(lda, n)
	increments(incX, incY)
	if n == 0 {
		return
	}
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	holdsMatrix(a, n, n, lda)
	l.blas.dsyr2(rowMajor, u, int32(n), alpha, at(x), int32(incX), at(y), int32(incY), at(a), int32(lda))
}
