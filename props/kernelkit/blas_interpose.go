package kernelkit

import "gonum.org/v1/gonum/blas"

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
	r := routineNamed(name)
	sound := func(a *args) { r.call(f.Float64, a) }
	if r == f.routine {
		f.wrong(r, &a, sound)
	} else {
		sound(&a)
	}
	return a.result
}

func routineNamed(name string) *routine {
	for _, r := range blasRoutines {
		if r.name == name {
			return r
		}
	}
	panic("kernelkit: no such routine")
}

func (f faulty) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	f.do("gemm", args{tA: tA, tB: tB, m: m, n: n, k: k, alpha: alpha, a: a, lda: lda, b: b, ldb: ldb, beta: beta, c: c, ldc: ldc})
}

func (f faulty) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	f.do("symm", args{side: s, uplo: ul, m: m, n: n, alpha: alpha, a: a, lda: lda, b: b, ldb: ldb, beta: beta, c: c, ldc: ldc})
}

func (f faulty) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	f.do("syrk", args{uplo: ul, tA: t, n: n, k: k, alpha: alpha, a: a, lda: lda, beta: beta, c: c, ldc: ldc})
}

func (f faulty) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	f.do("syr2k", args{uplo: ul, tA: t, n: n, k: k, alpha: alpha, a: a, lda: lda, b: b, ldb: ldb, beta: beta, c: c, ldc: ldc})
}

func (f faulty) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	f.do("trmm", args{side: s, uplo: ul, tA: tA, diag: d, m: m, n: n, alpha: alpha, a: a, lda: lda, b: b, ldb: ldb})
}

func (f faulty) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	f.do("trsm", args{side: s, uplo: ul, tA: tA, diag: d, m: m, n: n, alpha: alpha, a: a, lda: lda, b: b, ldb: ldb})
}

func (f faulty) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	f.do("gemv", args{tA: tA, m: m, n: n, alpha: alpha, a: a, lda: lda, x: x, incX: incX, beta: beta, y: y, incY: incY})
}

func (f faulty) Dgbmv(tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	f.do("gbmv", args{tA: tA, m: m, n: n, kL: kL, kU: kU, alpha: alpha, a: a, lda: lda, x: x, incX: incX, beta: beta, y: y, incY: incY})
}

func (f faulty) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	f.do("symv", args{uplo: ul, n: n, alpha: alpha, a: a, lda: lda, x: x, incX: incX, beta: beta, y: y, incY: incY})
}

func (f faulty) Dsbmv(ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	f.do("sbmv", args{uplo: ul, n: n, k: k, alpha: alpha, a: a, lda: lda, x: x, incX: incX, beta: beta, y: y, incY: incY})
}

func (f faulty) Dspmv(ul blas.Uplo, n int, alpha float64, ap, x []float64, incX int, beta float64, y []float64, incY int) {
	f.do("spmv", args{uplo: ul, n: n, alpha: alpha, a: ap, x: x, incX: incX, beta: beta, y: y, incY: incY})
}

func (f faulty) Dtrmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	f.do("trmv", args{uplo: ul, tA: tA, diag: d, n: n, a: a, lda: lda, x: x, incX: incX})
}

func (f faulty) Dtrsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	f.do("trsv", args{uplo: ul, tA: tA, diag: d, n: n, a: a, lda: lda, x: x, incX: incX})
}

func (f faulty) Dtbmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64, incX int) {
	f.do("tbmv", args{uplo: ul, tA: tA, diag: d, n: n, k: k, a: a, lda: lda, x: x, incX: incX})
}

func (f faulty) Dtbsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64, incX int) {
	f.do("tbsv", args{uplo: ul, tA: tA, diag: d, n: n, k: k, a: a, lda: lda, x: x, incX: incX})
}

func (f faulty) Dtpmv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	f.do("tpmv", args{uplo: ul, tA: tA, diag: d, n: n, a: ap, x: x, incX: incX})
}

func (f faulty) Dtpsv(ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap, x []float64, incX int) {
	f.do("tpsv", args{uplo: ul, tA: tA, diag: d, n: n, a: ap, x: x, incX: incX})
}

func (f faulty) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	f.do("ger", args{m: m, n: n, alpha: alpha, x: x, incX: incX, y: y, incY: incY, a: a, lda: lda})
}

func (f faulty) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	f.do("syr", args{uplo: ul, n: n, alpha: alpha, x: x, incX: incX, a: a, lda: lda})
}

func (f faulty) Dspr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64) {
	f.do("spr", args{uplo: ul, n: n, alpha: alpha, x: x, incX: incX, a: ap})
}

func (f faulty) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	f.do("syr2", args{uplo: ul, n: n, alpha: alpha, x: x, incX: incX, y: y, incY: incY, a: a, lda: lda})
}

func (f faulty) Dspr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, ap []float64) {
	f.do("spr2", args{uplo: ul, n: n, alpha: alpha, x: x, incX: incX, y: y, incY: incY, a: ap})
}

func (f faulty) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return f.do("dot", args{n: n, x: x, incX: incX, y: y, incY: incY})
}

func (f faulty) Dnrm2(n int, x []float64, incX int) float64 {
	return f.do("nrm2", args{n: n, x: x, incX: incX})
}

func (f faulty) Dasum(n int, x []float64, incX int) float64 {
	return f.do("asum", args{n: n, x: x, incX: incX})
}

func (f faulty) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	f.do("axpy", args{n: n, alpha: alpha, x: x, incX: incX, y: y, incY: incY})
}

func (f faulty) Dscal(n int, alpha float64, x []float64, incX int) {
	f.do("scal", args{n: n, alpha: alpha, x: x, incX: incX})
}

func (f faulty) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	f.do("copy", args{n: n, x: x, incX: incX, y: y, incY: incY})
}

func (f faulty) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	f.do("swap", args{n: n, x: x, incX: incX, y: y, incY: incY})
}

func (f faulty) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	f.do("rot", args{n: n, x: x, incX: incX, y: y, incY: incY, alpha: c, beta: s})
}

func (f faulty) Drotm(n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams) {
	f.do("rotm", args{n: n, x: x, incX: incX, y: y, incY: incY, param: p})
}
