package dlblas

import "gonum.org/v1/gonum/blas"

// A triangle takes the memory of a symmetric matrix, whose routines have the factors that make them check alone.

// Dtrmv calls cblas_dtrmv.
func (l *Library) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	dense(l.blas.Dtrmv, gonums.Dtrmv, ul, tA, d, n, a, lda, x, incX)
}

// Dtrsv calls cblas_dtrsv.
func (l *Library) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	dense(l.blas.Dtrsv, gonums.Dtrsv, ul, tA, d, n, a, lda, x, incX)
}

// dense calls f, or gonum's routine where the library has none; so do the other helpers.
func dense(f func(order, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32),
	own func(blas.Uplo, blas.Transpose, blas.Diag, int, []float64, int, []float64, int),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	if f == nil {
		own(ul, tA, d, n, a, lda, x, incX)
		return
	}
	gonums.Dsymv(ul, n, 0, a, lda, x, incX, 1, x, incX)
	if t, unit := transposition(tA), diagonal(d); n > 0 {
		f(rowMajor, triangle(ul), t, unit, small(n), at(a), small(lda), at(x), small(incX))
	}
}

// Dtbmv calls cblas_dtbmv.
func (l *Library) Dtbmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	banded(l.blas.Dtbmv, gonums.Dtbmv, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtbsv calls cblas_dtbsv.
func (l *Library) Dtbsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	banded(l.blas.Dtbsv, gonums.Dtbsv, ul, tA, d, n, k, a, lda, x, incX)
}

func banded(f func(order, ul, tA, d, n, k int32, a *float64, lda int32, x *float64, incX int32),
	own func(blas.Uplo, blas.Transpose, blas.Diag, int, int, []float64, int, []float64, int),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64, incX int) {
	if f == nil {
		own(ul, tA, d, n, k, a, lda, x, incX)
		return
	}
	gonums.Dsbmv(ul, n, k, 0, a, lda, x, incX, 1, x, incX)
	if t, unit := transposition(tA), diagonal(d); n > 0 {
		f(rowMajor, triangle(ul), t, unit, small(n), small(k), at(a), small(lda), at(x), small(incX))
	}
}

// Dtpmv calls cblas_dtpmv.
func (l *Library) Dtpmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	packed(l.blas.Dtpmv, gonums.Dtpmv, ul, tA, d, n, ap, x, incX)
}

// Dtpsv calls cblas_dtpsv.
func (l *Library) Dtpsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	packed(l.blas.Dtpsv, gonums.Dtpsv, ul, tA, d, n, ap, x, incX)
}

func packed(f func(order, ul, tA, d, n int32, ap, x *float64, incX int32),
	own func(blas.Uplo, blas.Transpose, blas.Diag, int, []float64, []float64, int),
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	if f == nil {
		own(ul, tA, d, n, ap, x, incX)
		return
	}
	gonums.Dspmv(ul, n, 0, ap, x, incX, 1, x, incX)
	if t, unit := transposition(tA), diagonal(d); n > 0 {
		f(rowMajor, triangle(ul), t, unit, small(n), at(ap), at(x), small(incX))
	}
}

// Dtrmm calls cblas_dtrmm.
func (l *Library) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	matrix(l.blas.Dtrmm, gonums.Dtrmm, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrsm calls cblas_dtrsm.
func (l *Library) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	matrix(l.blas.Dtrsm, gonums.Dtrsm, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func matrix(f func(order, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32),
	own func(blas.Side, blas.Uplo, blas.Transpose, blas.Diag, int, int, float64, []float64, int, []float64, int),
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int) {
	if f == nil {
		own(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	gonums.Dsymm(s, ul, m, n, 0, a, lda, b, ldb, 1, b, ldb)
	if t, unit := transposition(tA), diagonal(d); m > 0 && n > 0 {
		f(rowMajor, sideNumber(s), triangle(ul), t, unit, small(m), small(n), alpha, at(a), small(lda), at(b), small(ldb))
	}
}
