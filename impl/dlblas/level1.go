package dlblas

import "gonum.org/v1/gonum/blas"

// one checks the arguments of a routine on one vector; it reports whether there is something to do, which there is not
// for a negative increment.
func one(n int, x []float64, inc int) bool { return inc >= 0 && two(n, x, inc, x, inc) }

// two checks the arguments of a routine on two vectors; it reports whether there is something to do.
func two(n int, x []float64, incX int, y []float64, incY int) bool {
	gonums.Daxpy(n, 0, x, incX, y, incY)
	return n > 0
}

// Ddot calls cblas_ddot.
func (l *Library) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if l.blas.Ddot == nil || !two(n, x, incX, y, incY) {
		return gonums.Ddot(n, x, incX, y, incY)
	}
	return l.blas.Ddot(small(n), at(x), small(incX), at(y), small(incY))
}

// Dnrm2 calls cblas_dnrm2.
func (l *Library) Dnrm2(n int, x []float64, incX int) float64 {
	if l.blas.Dnrm2 == nil || !one(n, x, incX) {
		return gonums.Dnrm2(n, x, incX)
	}
	return l.blas.Dnrm2(small(n), at(x), small(incX))
}

// Dasum calls cblas_dasum.
func (l *Library) Dasum(n int, x []float64, incX int) float64 {
	if l.blas.Dasum == nil || !one(n, x, incX) {
		return gonums.Dasum(n, x, incX)
	}
	return l.blas.Dasum(small(n), at(x), small(incX))
}

// Idamax calls cblas_idamax.
func (l *Library) Idamax(n int, x []float64, incX int) int {
	if l.blas.Idamax == nil || !one(n, x, incX) {
		return gonums.Idamax(n, x, incX)
	}
	return int(l.blas.Idamax(small(n), at(x), small(incX)))
}

// Dswap calls cblas_dswap.
func (l *Library) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	if l.blas.Dswap == nil {
		gonums.Dswap(n, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.Dswap(small(n), at(x), small(incX), at(y), small(incY))
	}
}

// Dcopy calls cblas_dcopy.
func (l *Library) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	if l.blas.Dcopy == nil {
		gonums.Dcopy(n, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.Dcopy(small(n), at(x), small(incX), at(y), small(incY))
	}
}

// Daxpy calls cblas_daxpy.
func (l *Library) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if l.blas.Daxpy == nil {
		gonums.Daxpy(n, alpha, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.Daxpy(small(n), alpha, at(x), small(incX), at(y), small(incY))
	}
}

// Dscal calls cblas_dscal.
func (l *Library) Dscal(n int, alpha float64, x []float64, incX int) {
	if l.blas.Dscal == nil || !one(n, x, incX) {
		gonums.Dscal(n, alpha, x, incX)
	} else {
		l.blas.Dscal(small(n), alpha, at(x), small(incX))
	}
}

// Drot calls cblas_drot.
func (l *Library) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	if l.blas.Drot == nil {
		gonums.Drot(n, x, incX, y, incY, c, s)
	} else if two(n, x, incX, y, incY) {
		l.blas.Drot(small(n), at(x), small(incX), at(y), small(incY), c, s)
	}
}

// Drotg calls cblas_drotg, which returns r and z in the places of a and b.
func (l *Library) Drotg(a, b float64) (c, s, r, z float64) {
	if l.blas.Drotg == nil {
		return gonums.Drotg(a, b)
	}
	l.blas.Drotg(&a, &b, &c, &s)
	return c, s, a, b
}

// Drotmg calls cblas_drotmg.
func (l *Library) Drotmg(d1, d2, b1, b2 float64) (p blas.DrotmParams, rd1, rd2, rb1 float64) {
	if l.blas.Drotmg == nil {
		return gonums.Drotmg(d1, d2, b1, b2)
	}
	var raw [5]float64
	l.blas.Drotmg(&d1, &d2, &b1, b2, &raw)
	p.Flag = blas.Flag(raw[0])
	copy(p.H[:], raw[1:])
	return p, d1, d2, b1
}

// Drotm calls cblas_drotm.
func (l *Library) Drotm(n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams) {
	if p.Flag < blas.Identity || p.Flag > blas.Diagonal {
		panic("dlblas: illegal rotm flag")
	}
	if l.blas.Drotm == nil {
		gonums.Drotm(n, x, incX, y, incY, p)
	} else if two(n, x, incX, y, incY) {
		raw := [5]float64{float64(p.Flag), p.H[0], p.H[1], p.H[2], p.H[3]}
		l.blas.Drotm(small(n), at(x), small(incX), at(y), small(incY), &raw)
	}
}
