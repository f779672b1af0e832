package dlblas

import "gonum.org/v1/gonum/blas"

// Dgemm calls cblas_dgemm.
func (l *Library) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	f := l.blas.Dgemm
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dgemm(tA, tB, m, n, k, scale, a, lda, b, ldb, keep, c, ldc)
	if f != nil && m > 0 && n > 0 {
		f(rowMajor, transposition(tA), transposition(tB), small(m), small(n), small(k), alpha, at(a), small(lda), at(b),
			small(ldb), beta, at(c), small(ldc))
	}
}

// Dsymm calls cblas_dsymm.
func (l *Library) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	f := l.blas.Dsymm
	scale, keep := asked(f != nil, alpha, beta)
	gonums.Dsymm(s, ul, m, n, scale, a, lda, b, ldb, keep, c, ldc)
	if f != nil && m > 0 && n > 0 {
		f(rowMajor, sideNumber(s), triangle(ul), small(m), small(n), alpha, at(a), small(lda), at(b), small(ldb), beta, at(c),
			small(ldc))
	}
}

// Dsyrk calls cblas_dsyrk.
func (l *Library) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	if l.blas.Dsyrk == nil {
		gonums.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	u := triangle(ul)
	gonums.Dgemm(t, opposite(t), n, n, k, 0, a, lda, a, lda, 1, c, ldc) // gonum's Dsyrk would multiply by 1
	if n > 0 {
		l.blas.Dsyrk(rowMajor, u, transposition(t), small(n), small(k), alpha, at(a), small(lda), beta, at(c), small(ldc))
	}
}

// Dsyr2k calls cblas_dsyr2k.
func (l *Library) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int) {
	if l.blas.Dsyr2k == nil {
		gonums.Dsyr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	u := triangle(ul)
	gonums.Dgemm(t, opposite(t), n, n, k, 0, a, lda, b, ldb, 1, c, ldc)
	if n > 0 {
		l.blas.Dsyr2k(rowMajor, u, transposition(t), small(n), small(k), alpha, at(a), small(lda), at(b), small(ldb), beta,
			at(c), small(ldc))
	}
}

// opposite is how the second factor of a symmetric product is transposed.
func opposite(t blas.Transpose) blas.Transpose {
	if t == blas.NoTrans {
		return blas.Trans
	}
	return blas.NoTrans
}
