package dlblas

import "gonum.org/v1/gonum/blas"

// Dgemm calls cblas_dgemm.
func (l *Library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	if l.blas.dgemm == nil {
		fallback.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	codeA, codeB := transposeCode(tA), transposeCode(tB)
	sizes(m, n, k)
	rowsA, colsA := shaped(tA, m, k)
	rowsB, colsB := shaped(tB, k, n)
	leading(lda, colsA)
	leading(ldb, colsB)
	leading(ldc, n)
	if m == 0 || n == 0 {
		return
	}
	holdsMatrix(a, rowsA, colsA, lda)
	holdsMatrix(b, rowsB, colsB, ldb)
	holdsMatrix(c, m, n, ldc)
	l.blas.dgemm(rowMajor, codeA, codeB, int32(m), int32(n), int32(k), alpha, at(a), int32(lda), at(b), int32(ldb),
		beta, at(c), int32(ldc))
}

// order is the size of the symmetric or triangular factor that stands on a side of an m×n matrix.
func order(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}

// Dsymm calls cblas_dsymm.
func (l *Library) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	if l.blas.dsymm == nil {
		fallback.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	side, u := sideCode(s), triangleCode(ul)
	sizes(m, n)
	k := order(s, m, n)
	leading(lda, k)
	leading(ldb, n)
	leading(ldc, n)
	if m == 0 || n == 0 {
		return
	}
	holdsMatrix(a, k, k, lda)
	holdsMatrix(b, m, n, ldb)
	holdsMatrix(c, m, n, ldc)
	l.blas.dsymm(rowMajor, side, u, int32(m), int32(n), alpha, at(a), int32(lda), at(b), int32(ldb), beta, at(c),
		int32(ldc))
}

// Dsyrk calls cblas_dsyrk.
func (l *Library) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	if l.blas.dsyrk == nil {
		fallback.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	u, code := triangleCode(ul), transposeCode(t)
	sizes(n, k)
	rows, cols := shaped(t, n, k)
	leading(lda, cols)
	leading(ldc, n)
	if n == 0 {
		return
	}
	holdsMatrix(a, rows, cols, lda)
	holdsMatrix(c, n, n, ldc)
	l.blas.dsyrk(rowMajor, u, code, int32(n), int32(k), alpha, at(a), int32(lda), beta, at(c), int32(ldc))
}

// Dsyr2k calls cblas_dsyr2k.
func (l *Library) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	if l.blas.dsyr2k == nil {
		fallback.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	u, code := triangleCode(ul), transposeCode(t)
	sizes(n, k)
	rows, cols := shaped(t, n, k)
	leading(lda, cols)
	leading(ldb, cols)
	leading(ldc, n)
	if n == 0 {
		return
	}
	holdsMatrix(a, rows, cols, lda)
	holdsMatrix(b, rows, cols, ldb)
	holdsMatrix(c, n, n, ldc)
	l.blas.dsyr2k(rowMajor, u, code, int32(n), int32(k), alpha, at(a), int32(lda), at(b), int32(ldb), beta, at(c),
		int32(ldc))
}

// triangle checks the arguments of Dtrmm and Dtrsm, and calls one of them.
func triangle(call func(order, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32,
	b *float64, ldb int32),
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int,
	b []float64, ldb int) {
	side, u, t, g := sideCode(s), triangleCode(ul), transposeCode(tA), diagonalCode(d)
	sizes(m, n)
	k := order(s, m, n)
	leading(lda, k)
	leading(ldb, n)
	if m == 0 || n == 0 {
		return
	}
	holdsMatrix(a, k, k, lda)
	holdsMatrix(b, m, n, ldb)
	call(rowMajor, side, u, t, g, int32(m), int32(n), alpha, at(a), int32(lda), at(b), int32(ldb))
}

// Dtrmm calls cblas_dtrmm.
func (l *Library) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	if l.blas.dtrmm == nil {
		fallback.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	triangle(l.blas.dtrmm, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrsm calls cblas_dtrsm.
func (l *Library) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	if l.blas.dtrsm == nil {
		fallback.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	triangle(l.blas.dtrsm, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
