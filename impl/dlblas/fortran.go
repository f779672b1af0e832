package dlblas

// By columns, the memory of a matrix is its transpose by rows. What follows calls Fortran's routines, which store by
// columns and take all arguments by address, where gonum stores by rows: sides and triangles are exchanged, and either
// the transposition or the order of the factors.

// letter is Fortran's letter of a number of cblas.
func letter(code int32) *byte {
	b := map[int32]byte{111: 'N', 112: 'T', 113: 'C', 121: 'U', 122: 'L', 131: 'N', 132: 'U', 141: 'L', 142: 'R'}[code]
	return &b
}

// exchanged is the other of two, as the transpose has it.
func exchanged(code int32) *byte {
	return letter(map[int32]int32{111: 112, 112: 111, 113: 111, 121: 122, 122: 121, 141: 142, 142: 141}[code])
}

// fortran are routines that a library without cblas_… exports under Fortran's names.
type fortran struct {
	ddot         func(n *int32, x *float64, incX *int32, y *float64, incY *int32) float64
	dnrm2, dasum func(n *int32, x *float64, incX *int32) float64
	idamax       func(n *int32, x *float64, incX *int32) int32
	dswap, dcopy func(n *int32, x *float64, incX *int32, y *float64, incY *int32)
	daxpy        func(n *int32, alpha, x *float64, incX *int32, y *float64, incY *int32)
	dscal        func(n *int32, alpha, x *float64, incX *int32)
	drot         func(n *int32, x *float64, incX *int32, y *float64, incY *int32, c, s *float64)
	dgemv        func(t *byte, m, n *int32, alpha, a *float64, lda *int32, x *float64, incX *int32, beta, y *float64,
		incY *int32, lenT uintptr)
	dger  func(m, n *int32, alpha, x *float64, incX *int32, y *float64, incY *int32, a *float64, lda *int32)
	dsymv func(ul *byte, n *int32, alpha, a *float64, lda *int32, x *float64, incX *int32, beta, y *float64,
		incY *int32, lenUl uintptr)
	dtrmv, dtrsv func(ul, t, d *byte, n *int32, a *float64, lda *int32, x *float64, incX *int32,
		lenUl, lenT, lenD uintptr)
	dgemm func(tA, tB *byte, m, n, k *int32, alpha, a *float64, lda *int32, b *float64, ldb *int32, beta, c *float64,
		ldc *int32, lenA, lenB uintptr)
	dsymm func(side, ul *byte, m, n *int32, alpha, a *float64, lda *int32, b *float64, ldb *int32, beta, c *float64,
		ldc *int32, lenSide, lenUl uintptr)
	dsyrk func(ul, t *byte, n, k *int32, alpha, a *float64, lda *int32, beta, c *float64, ldc *int32,
		lenUl, lenT uintptr)
	dtrmm, dtrsm func(side, ul, t, d *byte, m, n *int32, alpha, a *float64, lda *int32, b *float64, ldb *int32,
		lenSide, lenUl, lenT, lenD uintptr)
}

// bindFortran takes the routines that are missing from Fortran's names, where those are there: the ones in common use.
func (r *blasRoutines) bindFortran(h handle) {
	f := &fortran{}
	r.bindFortranVectors(h, f)
	r.bindFortranMatrixVector(h, f)
	r.bindFortranMatrices(h, f)
}

func (r *blasRoutines) bindFortranVectors(h handle, f *fortran) {
	if r.ddot == nil && h.bind(&f.ddot, "ddot_") {
		r.ddot = func(n int32, x *float64, incX int32, y *float64, incY int32) float64 {
			return f.ddot(&n, x, &incX, y, &incY)
		}
	}
	if r.dnrm2 == nil && h.bind(&f.dnrm2, "dnrm2_") {
		r.dnrm2 = func(n int32, x *float64, incX int32) float64 { return f.dnrm2(&n, x, &incX) }
	}
	if r.dasum == nil && h.bind(&f.dasum, "dasum_") {
		r.dasum = func(n int32, x *float64, incX int32) float64 { return f.dasum(&n, x, &incX) }
	}
	if r.idamax == nil && h.bind(&f.idamax, "idamax_") {
		r.idamax = func(n int32, x *float64, incX int32) uintptr { return uintptr(f.idamax(&n, x, &incX) - 1) }
	}
	if r.dswap == nil && h.bind(&f.dswap, "dswap_") {
		r.dswap = func(n int32, x *float64, incX int32, y *float64, incY int32) { f.dswap(&n, x, &incX, y, &incY) }
	}
	if r.dcopy == nil && h.bind(&f.dcopy, "dcopy_") {
		r.dcopy = func(n int32, x *float64, incX int32, y *float64, incY int32) { f.dcopy(&n, x, &incX, y, &incY) }
	}
	if r.daxpy == nil && h.bind(&f.daxpy, "daxpy_") {
		r.daxpy = func(n int32, alpha float64, x *float64, incX int32, y *float64, incY int32) {
			f.daxpy(&n, &alpha, x, &incX, y, &incY)
		}
	}
	if r.dscal == nil && h.bind(&f.dscal, "dscal_") {
		r.dscal = func(n int32, alpha float64, x *float64, incX int32) { f.dscal(&n, &alpha, x, &incX) }
	}
	if r.drot == nil && h.bind(&f.drot, "drot_") {
		r.drot = func(n int32, x *float64, incX int32, y *float64, incY int32, c, s float64) {
			f.drot(&n, x, &incX, y, &incY, &c, &s)
		}
	}
}

func (r *blasRoutines) bindFortranMatrixVector(h handle, f *fortran) {
	if r.dgemv == nil && h.bind(&f.dgemv, "dgemv_") {
		r.dgemv = func(_, tA, m, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
			y *float64, incY int32) {
			f.dgemv(exchanged(tA), &n, &m, &alpha, a, &lda, x, &incX, &beta, y, &incY, 1)
		}
	}
	if r.dger == nil && h.bind(&f.dger, "dger_") {
		r.dger = func(_, m, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, a *float64, lda int32) {
			f.dger(&n, &m, &alpha, y, &incY, x, &incX, a, &lda)
		}
	}
	if r.dsymv == nil && h.bind(&f.dsymv, "dsymv_") {
		r.dsymv = func(_, ul, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64, y *float64,
			incY int32) {
			f.dsymv(exchanged(ul), &n, &alpha, a, &lda, x, &incX, &beta, y, &incY, 1)
		}
	}
	if r.dtrmv == nil && h.bind(&f.dtrmv, "dtrmv_") {
		r.dtrmv = func(_, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32) {
			f.dtrmv(exchanged(ul), exchanged(tA), letter(d), &n, a, &lda, x, &incX, 1, 1, 1)
		}
	}
	if r.dtrsv == nil && h.bind(&f.dtrsv, "dtrsv_") {
		r.dtrsv = func(_, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32) {
			f.dtrsv(exchanged(ul), exchanged(tA), letter(d), &n, a, &lda, x, &incX, 1, 1, 1)
		}
	}
}

func (r *blasRoutines) bindFortranMatrices(h handle, f *fortran) {
	if r.dgemm == nil && h.bind(&f.dgemm, "dgemm_") {
		r.dgemm = func(_, tA, tB, m, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32, beta float64,
			c *float64, ldc int32) {
			f.dgemm(letter(tB), letter(tA), &n, &m, &k, &alpha, b, &ldb, a, &lda, &beta, c, &ldc, 1, 1)
		}
	}
	if r.dsymm == nil && h.bind(&f.dsymm, "dsymm_") {
		r.dsymm = func(_, side, ul, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32, beta float64,
			c *float64, ldc int32) {
			f.dsymm(exchanged(side), exchanged(ul), &n, &m, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1)
		}
	}
	if r.dsyrk == nil && h.bind(&f.dsyrk, "dsyrk_") {
		r.dsyrk = func(_, ul, t, n, k int32, alpha float64, a *float64, lda int32, beta float64, c *float64, ldc int32) {
			f.dsyrk(exchanged(ul), exchanged(t), &n, &k, &alpha, a, &lda, &beta, c, &ldc, 1, 1)
		}
	}
	if r.dtrmm == nil && h.bind(&f.dtrmm, "dtrmm_") {
		r.dtrmm = func(_, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32) {
			f.dtrmm(exchanged(side), exchanged(ul), letter(tA), letter(d), &n, &m, &alpha, a, &lda, b, &ldb, 1, 1, 1, 1)
		}
	}
	if r.dtrsm == nil && h.bind(&f.dtrsm, "dtrsm_") {
		r.dtrsm = func(_, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32) {
			f.dtrsm(exchanged(side), exchanged(ul), letter(tA), letter(d), &n, &m, &alpha, a, &lda, b, &ldb, 1, 1, 1, 1)
		}
	}
}
