package dlblas

import "gonum.org/v1/gonum/blas"

// Dgemv calls cblas_dgemv.
func (l *Library) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	f := l.blas.Dgemv
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dgemv(tA, m, n, scale, a, lda, x, incX, keep, y, incY)
	if f != nil && m > 0 && n > 0 {
		f(rowMajor, transposition(tA), small(m), small(n), alpha, at(a), small(lda), at(x), small(incX), beta, at(y),
			small(incY))
	}
}

// Dgbmv calls cblas_dgbmv.
func (l *Library) Dgbmv(tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	f := l.blas.Dgbmv
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dgbmv(tA, m, n, kL, kU, scale, a, lda, x, incX, keep, y, incY)
	if f != nil && m > 0 && n > 0 {
		f(rowMajor, transposition(tA), small(m), small(n), small(kL), small(kU), alpha, at(a), small(lda), at(x),
			small(incX), beta, at(y), small(incY))
	}
}

// Dsymv calls cblas_dsymv.
func (l *Library) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int) {
	f := l.blas.Dsymv
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dsymv(ul, n, scale, a, lda, x, incX, keep, y, incY)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(a), small(lda), at(x), small(incX), beta, at(y), small(incY))
	}
}

// Dsbmv calls cblas_dsbmv.
func (l *Library) Dsbmv(ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	f := l.blas.Dsbmv
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dsbmv(ul, n, k, scale, a, lda, x, incX, keep, y, incY)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), small(k), alpha, at(a), small(lda), at(x), small(incX), beta, at(y),
			small(incY))
	}
}

// Dspmv calls cblas_dspmv.
func (l *Library) Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64,
	incY int) {
	f := l.blas.Dspmv
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dspmv(ul, n, scale, ap, x, incX, keep, y, incY)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(ap), at(x), small(incX), beta, at(y), small(incY))
	}
}

// Dger calls cblas_dger.
func (l *Library) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	f := l.blas.Dger
	scale, _ := asked(f != nil, alpha, 1)
	gonums.Dger(m, n, scale, x, incX, y, incY, a, lda)
	if f != nil && m > 0 && n > 0 {
		f(rowMajor, small(m), small(n), alpha, at(x), small(incX), at(y), small(incY), at(a), small(lda))
	}
}

// Dsyr calls cblas_dsyr.
func (l *Library) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	f := l.blas.Dsyr
	scale, _ := asked(f != nil, alpha, 1)
	gonums.Dsyr(ul, n, scale, x, incX, a, lda)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(x), small(incX), at(a), small(lda))
	}
}

// Dspr calls cblas_dspr.
func (l *Library) Dspr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64) {
	f := l.blas.Dspr
	scale, _ := asked(f != nil, alpha, 1)
	gonums.Dspr(ul, n, scale, x, incX, ap)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(x), small(incX), at(ap))
	}
}

// Dsyr2 calls cblas_dsyr2.
func (l *Library) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	f := l.blas.Dsyr2
	scale, _ := asked(f != nil, alpha, 1)
	gonums.Dsyr2(ul, n, scale, x, incX, y, incY, a, lda)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(x), small(incX), at(y), small(incY), at(a), small(lda))
	}
}

// Dspr2 calls cblas_dspr2.
func (l *Library) Dspr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	ap []float64) {
	f := l.blas.Dspr2
	scale, _ := asked(f != nil, alpha, 1)
	gonums.Dspr2(ul, n, scale, x, incX, y, incY, ap)
	if f != nil && n > 0 {
		f(rowMajor, triangle(ul), small(n), alpha, at(x), small(incX), at(y), small(incY), at(ap))
	}
}
