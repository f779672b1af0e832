package faulty

import (
	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
)

// wrong is how a faulty routine treats a call; sound makes it as it should be.
type wrong func(r *routine, a *args, sound func(*args))

// faulty is a sound BLAS with one faulty routine.
type faulty struct {
	blas.Float64
	routine *routine
	wrong   wrong
}

// do passes a call through, or to the fault when it is of the faulty routine.
func (f faulty) do(name string, a args) float64 {
	r := blaskit.RoutineNamed(name)
	sound := func(a *args) { r.Call(f.Float64, a) }
	if r == f.routine {
		f.wrong(r, &a, sound)
	} else {
		sound(&a)
	}
	return a.Result
}

func (f faulty) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	f.do("gemm", args{TA: tA, TB: tB, M: m, N: n, K: k, Alpha: alpha, A: a, Lda: lda, B: b, Ldb: ldb, Beta: beta, C: c,
		Ldc: ldc})
}

func (f faulty) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	f.do("symm", args{Side: s, Uplo: ul, M: m, N: n, Alpha: alpha, A: a, Lda: lda, B: b, Ldb: ldb, Beta: beta, C: c,
		Ldc: ldc})
}

func (f faulty) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	f.do("syrk", args{Uplo: ul, TA: t, N: n, K: k, Alpha: alpha, A: a, Lda: lda, Beta: beta, C: c, Ldc: ldc})
}

func (f faulty) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	f.do("syr2k", args{Uplo: ul, TA: t, N: n, K: k, Alpha: alpha, A: a, Lda: lda, B: b, Ldb: ldb, Beta: beta, C: c,
		Ldc: ldc})
}

func (f faulty) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	f.do("trmm", args{Side: s, Uplo: ul, TA: tA, Diag: d, M: m, N: n, Alpha: alpha, A: a, Lda: lda, B: b, Ldb: ldb})
}

func (f faulty) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	f.do("trsm", args{Side: s, Uplo: ul, TA: tA, Diag: d, M: m, N: n, Alpha: alpha, A: a, Lda: lda, B: b, Ldb: ldb})
}

func (f faulty) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	f.do("gemv", args{TA: tA, M: m, N: n, Alpha: alpha, A: a, Lda: lda, X: x, IncX: incX, Beta: beta, Y: y, IncY: incY})
}

func (f faulty) Dgbmv(tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	f.do("gbmv", args{TA: tA, M: m, N: n, KL: kL, KU: kU, Alpha: alpha, A: a, Lda: lda, X: x, IncX: incX, Beta: beta,
		Y: y, IncY: incY})
}

func (f faulty) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int) {
	f.do("symv", args{Uplo: ul, N: n, Alpha: alpha, A: a, Lda: lda, X: x, IncX: incX, Beta: beta, Y: y, IncY: incY})
}

func (f faulty) Dsbmv(ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64,
	y []float64, incY int) {
	f.do("sbmv", args{Uplo: ul, N: n, K: k, Alpha: alpha, A: a, Lda: lda, X: x, IncX: incX, Beta: beta, Y: y,
		IncY: incY})
}

func (f faulty) Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64,
	incY int) {
	f.do("spmv", args{Uplo: ul, N: n, Alpha: alpha, A: ap, X: x, IncX: incX, Beta: beta, Y: y, IncY: incY})
}

func (f faulty) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	f.do("trmv", args{Uplo: ul, TA: tA, Diag: d, N: n, A: a, Lda: lda, X: x, IncX: incX})
}

func (f faulty) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	f.do("trsv", args{Uplo: ul, TA: tA, Diag: d, N: n, A: a, Lda: lda, X: x, IncX: incX})
}

func (f faulty) Dtbmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	f.do("tbmv", args{Uplo: ul, TA: tA, Diag: d, N: n, K: k, A: a, Lda: lda, X: x, IncX: incX})
}

func (f faulty) Dtbsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int) {
	f.do("tbsv", args{Uplo: ul, TA: tA, Diag: d, N: n, K: k, A: a, Lda: lda, X: x, IncX: incX})
}

func (f faulty) Dtpmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	f.do("tpmv", args{Uplo: ul, TA: tA, Diag: d, N: n, A: ap, X: x, IncX: incX})
}

func (f faulty) Dtpsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	f.do("tpsv", args{Uplo: ul, TA: tA, Diag: d, N: n, A: ap, X: x, IncX: incX})
}

func (f faulty) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	f.do("ger", args{M: m, N: n, Alpha: alpha, X: x, IncX: incX, Y: y, IncY: incY, A: a, Lda: lda})
}

func (f faulty) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	f.do("syr", args{Uplo: ul, N: n, Alpha: alpha, X: x, IncX: incX, A: a, Lda: lda})
}

func (f faulty) Dspr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64) {
	f.do("spr", args{Uplo: ul, N: n, Alpha: alpha, X: x, IncX: incX, A: ap})
}

func (f faulty) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	f.do("syr2", args{Uplo: ul, N: n, Alpha: alpha, X: x, IncX: incX, Y: y, IncY: incY, A: a, Lda: lda})
}

func (f faulty) Dspr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, ap []float64) {
	f.do("spr2", args{Uplo: ul, N: n, Alpha: alpha, X: x, IncX: incX, Y: y, IncY: incY, A: ap})
}

func (f faulty) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return f.do("dot", args{N: n, X: x, IncX: incX, Y: y, IncY: incY})
}

func (f faulty) Dnrm2(n int, x []float64, incX int) float64 {
	return f.do("nrm2", args{N: n, X: x, IncX: incX})
}

func (f faulty) Dasum(n int, x []float64, incX int) float64 {
	return f.do("asum", args{N: n, X: x, IncX: incX})
}

func (f faulty) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	f.do("axpy", args{N: n, Alpha: alpha, X: x, IncX: incX, Y: y, IncY: incY})
}

func (f faulty) Dscal(n int, alpha float64, x []float64, incX int) {
	f.do("scal", args{N: n, Alpha: alpha, X: x, IncX: incX})
}

func (f faulty) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	f.do("copy", args{N: n, X: x, IncX: incX, Y: y, IncY: incY})
}

func (f faulty) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	f.do("swap", args{N: n, X: x, IncX: incX, Y: y, IncY: incY})
}

func (f faulty) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	f.do("rot", args{N: n, X: x, IncX: incX, Y: y, IncY: incY, Alpha: c, Beta: s})
}

func (f faulty) Drotm(n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams) {
	f.do("rotm", args{N: n, X: x, IncX: incX, Y: y, IncY: incY, Param: p})
}
