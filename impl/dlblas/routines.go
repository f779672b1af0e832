package dlblas

import (
	"reflect"
	"strings"
)

// blasRoutines are the functions of cblas. Those that the library does not export are nil.
type blasRoutines struct {
	ddot         func(n int32, x *float64, incX int32, y *float64, incY int32) float64
	dnrm2, dasum func(n int32, x *float64, incX int32) float64
	idamax       func(n int32, x *float64, incX int32) uintptr
	dswap, dcopy func(n int32, x *float64, incX int32, y *float64, incY int32)
	daxpy        func(n int32, alpha float64, x *float64, incX int32, y *float64, incY int32)
	drotg        func(a, b, c, s *float64)
	drotmg       func(d1, d2, b1 *float64, b2 float64, p *[5]float64)
	drot         func(n int32, x *float64, incX int32, y *float64, incY int32, c, s float64)
	drotm        func(n int32, x *float64, incX int32, y *float64, incY int32, p *[5]float64)
	dscal        func(n int32, alpha float64, x *float64, incX int32)
	dgemv        func(order, tA, m, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	dgbmv func(order, tA, m, n, kL, kU int32, alpha float64, a *float64, lda int32, x *float64, incX int32,
		beta float64, y *float64, incY int32)
	dtrmv, dtrsv func(order, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32)
	dtbmv, dtbsv func(order, ul, tA, d, n, k int32, a *float64, lda int32, x *float64, incX int32)
	dtpmv, dtpsv func(order, ul, tA, d, n int32, ap, x *float64, incX int32)
	dsymv        func(order, ul, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	dsbmv func(order, ul, n, k int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	dspmv func(order, ul, n int32, alpha float64, ap, x *float64, incX int32, beta float64, y *float64,
		incY int32)
	dger func(order, m, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, a *float64,
		lda int32)
	dsyr  func(order, ul, n int32, alpha float64, x *float64, incX int32, a *float64, lda int32)
	dspr  func(order, ul, n int32, alpha float64, x *float64, incX int32, ap *float64)
	dsyr2 func(order, ul, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, a *float64,
		lda int32)
	dspr2 func(order, ul, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, ap *float64)
	dgemm func(order, tA, tB, m, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	dsymm func(order, side, ul, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	dsyrk func(order, ul, t, n, k int32, alpha float64, a *float64, lda int32, beta float64, c *float64,
		ldc int32)
	dsyr2k func(order, ul, t, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	dtrmm, dtrsm func(order, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32)
}

// named is a routine by its name in cblas, and the variable that holds it.
type named struct {
	name string
	fn   any
}

// all lists the routines.
func (r *blasRoutines) all() []named {
	return []named{
		{"ddot", &r.ddot}, {"dnrm2", &r.dnrm2}, {"dasum", &r.dasum}, {"idamax", &r.idamax}, {"dswap", &r.dswap},
		{"dcopy", &r.dcopy}, {"daxpy", &r.daxpy}, {"drotg", &r.drotg}, {"drotmg", &r.drotmg}, {"drot", &r.drot},
		{"drotm", &r.drotm}, {"dscal", &r.dscal},
		{"dgemv", &r.dgemv}, {"dgbmv", &r.dgbmv}, {"dtrmv", &r.dtrmv}, {"dtrsv", &r.dtrsv}, {"dtbmv", &r.dtbmv},
		{"dtbsv", &r.dtbsv}, {"dtpmv", &r.dtpmv}, {"dtpsv", &r.dtpsv}, {"dsymv", &r.dsymv}, {"dsbmv", &r.dsbmv},
		{"dspmv", &r.dspmv}, {"dger", &r.dger}, {"dsyr", &r.dsyr}, {"dspr", &r.dspr}, {"dsyr2", &r.dsyr2}, {"dspr2",
			&r.dspr2},
		{"dgemm", &r.dgemm}, {"dsymm", &r.dsymm}, {"dsyrk", &r.dsyrk}, {"dsyr2k", &r.dsyr2k}, {"dtrmm", &r.dtrmm},
		{"dtrsm", &r.dtrsm},
	}
}

// bind looks all routines up and lists those that are missing by gonum's names.
func (r *blasRoutines) bind(h handle) (missing []string) {
	for _, routine := range r.all() {
		h.bind(routine.fn, "cblas_"+routine.name)
	}
	return r.missing()
}

// missing lists the routines that are not there by gonum's names.
func (r *blasRoutines) missing() (out []string) {
	for _, routine := range r.all() {
		if reflect.ValueOf(routine.fn).Elem().IsNil() {
			out = append(out, strings.ToUpper(routine.name[:1])+routine.name[1:])
		}
	}
	return out
}

// at is the address of the first entry; nil of an empty slice.
func at(x []float64) *float64 {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}
