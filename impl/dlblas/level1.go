package dlblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// fallback does what a library does not export.
var fallback gonum.Implementation

// one checks the argument of a routine on one vector; it reports whether there is something to do, which there is not
// for a negative increment.
func one(n int, x []float64, inc int) bool {
	sizes(n)
	increments(inc)
	if n == 0 || inc < 0 {
		return false
	}
	holdsVector(x, n, inc)
	return true
}

// two checks the arguments of a routine on two vectors; it reports whether there is something to do.
func two(n int, x []float64, incX int, y []float64, incY int) bool {
	sizes(n)
	increments(incX, incY)
	if n == 0 {
		return false
	}
	holdsVector(x, n, incX)
	holdsVector(y, n, incY)
	return true
}

// Ddot calls cblas_ddot.
func (l *Library) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if l.blas.ddot == nil {
		return fallback.Ddot(n, x, incX, y, incY)
	}
	if !two(n, x, incX, y, incY) {
		return 0
	}
	return l.blas.ddot(int32(n), at(x), int32(incX), at(y), int32(incY))
}

// Dnrm2 calls cblas_dnrm2.
func (l *Library) Dnrm2(n int, x []float64, incX int) float64 {
	if l.blas.dnrm2 == nil {
		return fallback.Dnrm2(n, x, incX)
	}
	if !one(n, x, incX) {
		return 0
	}
	return l.blas.dnrm2(int32(n), at(x), int32(incX))
}

// Dasum calls cblas_dasum.
func (l *Library) Dasum(n int, x []float64, incX int) float64 {
	if l.blas.dasum == nil {
		return fallback.Dasum(n, x, incX)
	}
	if !one(n, x, incX) {
		return 0
	}
	return l.blas.dasum(int32(n), at(x), int32(incX))
}

// Idamax calls cblas_idamax.
func (l *Library) Idamax(n int, x []float64, incX int) int {
	if l.blas.idamax == nil {
		return fallback.Idamax(n, x, incX)
	}
	if !one(n, x, incX) {
		return -1
	}
	return int(l.blas.idamax(int32(n), at(x), int32(incX)))
}

// Dswap calls cblas_dswap.
func (l *Library) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	if l.blas.dswap == nil {
		fallback.Dswap(n, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.dswap(int32(n), at(x), int32(incX), at(y), int32(incY))
	}
}

// Dcopy calls cblas_dcopy.
func (l *Library) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	if l.blas.dcopy == nil {
		fallback.Dcopy(n, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.dcopy(int32(n), at(x), int32(incX), at(y), int32(incY))
	}
}

// Daxpy calls cblas_daxpy.
func (l *Library) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if l.blas.daxpy == nil {
		fallback.Daxpy(n, alpha, x, incX, y, incY)
	} else if two(n, x, incX, y, incY) {
		l.blas.daxpy(int32(n), alpha, at(x), int32(incX), at(y), int32(incY))
	}
}

// Dscal calls cblas_dscal.
func (l *Library) Dscal(n int, alpha float64, x []float64, incX int) {
	if l.blas.dscal == nil {
		fallback.Dscal(n, alpha, x, incX)
	} else if one(n, x, incX) {
		l.blas.dscal(int32(n), alpha, at(x), int32(incX))
	}
}

// Drot calls cblas_drot.
func (l *Library) Drot(n int, x []float64, incX int, y []float64, incY int, c, s float64) {
	if l.blas.drot == nil {
		fallback.Drot(n, x, incX, y, incY, c, s)
	} else if two(n, x, incX, y, incY) {
		l.blas.drot(int32(n), at(x), int32(incX), at(y), int32(incY), c, s)
	}
}

// Drotg calls cblas_drotg, which returns r and z in the places of a and b.
func (l *Library) Drotg(a, b float64) (c, s, r, z float64) {
	if l.blas.drotg == nil {
		return fallback.Drotg(a, b)
	}
	l.blas.drotg(&a, &b, &c, &s)
	return c, s, a, b
}

// Drotmg calls cblas_drotmg.
func (l *Library) Drotmg(d1, d2, b1, b2 float64) (p blas.DrotmParams, rd1, rd2, rb1 float64) {
	if l.blas.drotmg == nil {
		return fallback.Drotmg(d1, d2, b1, b2)
	}
	var raw [5]float64
	l.blas.drotmg(&d1, &d2, &b1, b2, &raw)
	p.Flag = blas.Flag(raw[0])
	copy(p.H[:], raw[1:])
	return p, d1, d2, b1
}

// Drotm calls cblas_drotm.
func (l *Library) Drotm(n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams) {
	if p.Flag < blas.Identity || p.Flag > blas.Diagonal {
		panic("dlblas: illegal rotm flag")
	}
	if l.blas.drotm == nil {
		fallback.Drotm(n, x, incX, y, incY, p)
	} else if two(n, x, incX, y, incY) {
		raw := [5]float64{float64(p.Flag), p.H[0], p.H[1], p.H[2], p.H[3]}
		l.blas.drotm(int32(n), at(x), int32(incX), at(y), int32(incY), &raw)
	}
}
