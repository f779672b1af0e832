package blas

import (
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// The routines below are gonum's own: they are not worth a kernel here. Banded and packed storage is rare, has short
// rows, and is memory bound; rotations are made one at a time. They inherit gonum's behaviour, which skips zero
// factors: there 0·NaN can be 0.

var delegate gonum.Implementation

// Idamax delegates to gonum.
func (Implementation) Idamax(n int, x []float64, incX int) int { return delegate.Idamax(n, x, incX) }

// Drotg delegates to gonum.
func (Implementation) Drotg(a, b float64) (c, s, r, z float64) { return delegate.Drotg(a, b) }

// Drotmg delegates to gonum.
func (Implementation) Drotmg(d1, d2, b1, b2 float64) (p gblas.DrotmParams, rd1, rd2, rb1 float64) {
	return delegate.Drotmg(d1, d2, b1, b2)
}

// Drotm delegates to gonum.
func (Implementation) Drotm(n int, x []float64, incX int, y []float64, incY int, p gblas.DrotmParams) {
	delegate.Drotm(n, x, incX, y, incY, p)
}

// Dgbmv delegates to gonum.
func (Implementation) Dgbmv(tA gblas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64,
	incX int, beta float64, y []float64, incY int) {
	delegate.Dgbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Dsbmv delegates to gonum.
func (Implementation) Dsbmv(ul gblas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	delegate.Dsbmv(ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Dspmv delegates to gonum.
func (Implementation) Dspmv(ul gblas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64,
	incY int) {
	delegate.Dspmv(ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Dspr delegates to gonum.
func (Implementation) Dspr(ul gblas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64) {
	delegate.Dspr(ul, n, alpha, x, incX, ap)
}

// Dspr2 delegates to gonum.
func (Implementation) Dspr2(ul gblas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	ap []float64) {
	delegate.Dspr2(ul, n, alpha, x, incX, y, incY, ap)
}

// Dtbmv delegates to gonum.
func (Implementation) Dtbmv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n, k int, a []float64, lda int,
	x []float64, incX int) {
	delegate.Dtbmv(ul, tA, d, n, k, a, lda, x, incX)
}

// Dtbsv delegates to gonum.
func (Implementation) Dtbsv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n, k int, a []float64, lda int,
	x []float64, incX int) {
	delegate.Dtbsv(ul, tA, d, n, k, a, lda, x, incX)
}

// Dtpmv delegates to gonum.
func (Implementation) Dtpmv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n int, ap, x []float64, incX int) {
	delegate.Dtpmv(ul, tA, d, n, ap, x, incX)
}

// Dtpsv delegates to gonum.
func (Implementation) Dtpsv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n int, ap, x []float64, incX int) {
	delegate.Dtpsv(ul, tA, d, n, ap, x, incX)
}
