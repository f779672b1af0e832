package dlblas

import (
	"reflect"

	"gonum.org/v1/gonum/blas"
)

// The methods of blas.Float32; see call.

// Sdsdot calls cblas_sdsdot.
func (l single) Sdsdot(n int, alpha float32, x []float32, incX int, y []float32, incY int) float32 {
	return float32(l.call("Sdsdot", n, alpha, x, incX, y, incY)[0].Float())
}

// Dsdot calls cblas_dsdot.
func (l single) Dsdot(n int, x []float32, incX int, y []float32, incY int) float64 {
	return float64(l.call("Dsdot", n, x, incX, y, incY)[0].Float())
}

// Sdot calls cblas_sdot.
func (l single) Sdot(n int, x []float32, incX int, y []float32, incY int) float32 {
	return float32(l.call("Sdot", n, x, incX, y, incY)[0].Float())
}

// Snrm2 calls cblas_snrm2.
func (l single) Snrm2(n int, x []float32, incX int) float32 {
	return float32(l.call("Snrm2", n, x, incX)[0].Float())
}

// Sasum calls cblas_sasum.
func (l single) Sasum(n int, x []float32, incX int) float32 {
	return float32(l.call("Sasum", n, x, incX)[0].Float())
}

// Isamax calls cblas_isamax.
func (l single) Isamax(n int, x []float32, incX int) int {
	return toInt(l.call("Isamax", n, x, incX)[0])
}

// Sswap calls cblas_sswap.
func (l single) Sswap(n int, x []float32, incX int, y []float32, incY int) {
	l.call("Sswap", n, x, incX, y, incY)
}

// Scopy calls cblas_scopy.
func (l single) Scopy(n int, x []float32, incX int, y []float32, incY int) {
	l.call("Scopy", n, x, incX, y, incY)
}

// Saxpy calls cblas_saxpy.
func (l single) Saxpy(n int, alpha float32, x []float32, incX int, y []float32, incY int) {
	l.call("Saxpy", n, alpha, x, incX, y, incY)
}

// Srot calls cblas_srot.
func (l single) Srot(n int, x []float32, incX int, y []float32, incY int, c, s float32) {
	l.call("Srot", n, x, incX, y, incY, c, s)
}

// Srotm calls cblas_srotm.
func (l single) Srotm(n int, x []float32, incX int, y []float32, incY int, p blas.SrotmParams) {
	l.call("Srotm", n, x, incX, y, incY, p)
}

// Sscal calls cblas_sscal.
func (l single) Sscal(n int, alpha float32, x []float32, incX int) {
	l.call("Sscal", n, alpha, x, incX)
}

// Sgemv calls cblas_sgemv.
func (l single) Sgemv(tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int) {
	l.call("Sgemv", tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Sgbmv calls cblas_sgbmv.
func (l single) Sgbmv(tA blas.Transpose, m, n, kL, kU int, alpha float32, a []float32, lda int, x []float32,
	incX int, beta float32, y []float32, incY int) {
	l.call("Sgbmv", tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Strmv calls cblas_strmv.
func (l single) Strmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int) {
	l.call("Strmv", ul, tA, d, n, a, lda, x, incX)
}

// Stbmv calls cblas_stbmv.
func (l single) Stbmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int) {
	l.call("Stbmv", ul, tA, d, n, k, a, lda, x, incX)
}

// Stpmv calls cblas_stpmv.
func (l single) Stpmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int) {
	l.call("Stpmv", ul, tA, d, n, ap, x, incX)
}

// Strsv calls cblas_strsv.
func (l single) Strsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int) {
	l.call("Strsv", ul, tA, d, n, a, lda, x, incX)
}

// Stbsv calls cblas_stbsv.
func (l single) Stbsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int) {
	l.call("Stbsv", ul, tA, d, n, k, a, lda, x, incX)
}

// Stpsv calls cblas_stpsv.
func (l single) Stpsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int) {
	l.call("Stpsv", ul, tA, d, n, ap, x, incX)
}

// Ssymv calls cblas_ssymv.
func (l single) Ssymv(ul blas.Uplo, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int) {
	l.call("Ssymv", ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Ssbmv calls cblas_ssbmv.
func (l single) Ssbmv(ul blas.Uplo, n, k int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int) {
	l.call("Ssbmv", ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Sspmv calls cblas_sspmv.
func (l single) Sspmv(ul blas.Uplo, n int, alpha float32, ap []float32, x []float32, incX int, beta float32,
	y []float32, incY int) {
	l.call("Sspmv", ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Sger calls cblas_sger.
func (l single) Sger(m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32, lda int) {
	l.call("Sger", m, n, alpha, x, incX, y, incY, a, lda)
}

// Ssyr calls cblas_ssyr.
func (l single) Ssyr(ul blas.Uplo, n int, alpha float32, x []float32, incX int, a []float32, lda int) {
	l.call("Ssyr", ul, n, alpha, x, incX, a, lda)
}

// Sspr calls cblas_sspr.
func (l single) Sspr(ul blas.Uplo, n int, alpha float32, x []float32, incX int, ap []float32) {
	l.call("Sspr", ul, n, alpha, x, incX, ap)
}

// Ssyr2 calls cblas_ssyr2.
func (l single) Ssyr2(ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32, lda int) {
	l.call("Ssyr2", ul, n, alpha, x, incX, y, incY, a, lda)
}

// Sspr2 calls cblas_sspr2.
func (l single) Sspr2(ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32) {
	l.call("Sspr2", ul, n, alpha, x, incX, y, incY, a)
}

// Sgemm calls cblas_sgemm.
func (l single) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int) {
	l.call("Sgemm", tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssymm calls cblas_ssymm.
func (l single) Ssymm(s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int) {
	l.call("Ssymm", s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssyrk calls cblas_ssyrk.
func (l single) Ssyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int, beta float32,
	c []float32, ldc int) {
	l.call("Ssyrk", ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Ssyr2k calls cblas_ssyr2k.
func (l single) Ssyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int) {
	l.call("Ssyr2k", ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Strmm calls cblas_strmm.
func (l single) Strmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int) {
	l.call("Strmm", s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Strsm calls cblas_strsm.
func (l single) Strsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int) {
	l.call("Strsm", s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Srotg calls cblas_srotg, which returns r and z in the places of a and b.
func (l single) Srotg(a, b float32) (c, s, r, z float32) {
	fn, present := l.functions["Srotg"]
	if !present {
		return gonums.Srotg(a, b)
	}
	fn.Interface().(func(a, b, c, s *float32))(&a, &b, &c, &s)
	return c, s, a, b
}

// Srotmg calls cblas_srotmg.
func (l single) Srotmg(d1, d2, b1, b2 float32) (p blas.SrotmParams, rd1, rd2, rb1 float32) {
	fn, present := l.functions["Srotmg"]
	if !present {
		return gonums.Srotmg(d1, d2, b1, b2)
	}
	var raw [5]float32
	fn.Interface().(func(d1, d2, b1 *float32, b2 float32, p *[5]float32))(&d1, &d2, &b1, b2, &raw)
	p.Flag = blas.Flag(raw[0])
	copy(p.H[:], raw[1:])
	return p, d1, d2, b1
}

// toInt is an index that C returns as a size and gonum as an int.
func toInt(v reflect.Value) int {
	if v.CanUint() {
		return int(v.Uint())
	}
	return int(v.Int())
}
