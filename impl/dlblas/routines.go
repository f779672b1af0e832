package dlblas

import (
	"iter"
	"reflect"
	"strings"
)

// blasRoutines are the functions of cblas, by gonum's names. Those that the library does not export are nil.
type blasRoutines struct {
	Ddot         func(n int32, x *float64, incX int32, y *float64, incY int32) float64
	Dnrm2, Dasum func(n int32, x *float64, incX int32) float64
	Idamax       func(n int32, x *float64, incX int32) uintptr
	Dswap, Dcopy func(n int32, x *float64, incX int32, y *float64, incY int32)
	Daxpy        func(n int32, alpha float64, x *float64, incX int32, y *float64, incY int32)
	Drotg        func(a, b, c, s *float64)
	Drotmg       func(d1, d2, b1 *float64, b2 float64, p *[5]float64)
	Drot         func(n int32, x *float64, incX int32, y *float64, incY int32, c, s float64)
	Drotm        func(n int32, x *float64, incX int32, y *float64, incY int32, p *[5]float64)
	Dscal        func(n int32, alpha float64, x *float64, incX int32)
	Dgemv        func(order, tA, m, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	Dgbmv func(order, tA, m, n, kL, kU int32, alpha float64, a *float64, lda int32, x *float64, incX int32,
		beta float64, y *float64, incY int32)
	Dtrmv, Dtrsv func(order, ul, tA, d, n int32, a *float64, lda int32, x *float64, incX int32)
	Dtbmv, Dtbsv func(order, ul, tA, d, n, k int32, a *float64, lda int32, x *float64, incX int32)
	Dtpmv, Dtpsv func(order, ul, tA, d, n int32, ap, x *float64, incX int32)
	Dsymv        func(order, ul, n int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	Dsbmv func(order, ul, n, k int32, alpha float64, a *float64, lda int32, x *float64, incX int32, beta float64,
		y *float64, incY int32)
	Dspmv func(order, ul, n int32, alpha float64, ap, x *float64, incX int32, beta float64, y *float64,
		incY int32)
	Dger func(order, m, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, a *float64,
		lda int32)
	Dsyr  func(order, ul, n int32, alpha float64, x *float64, incX int32, a *float64, lda int32)
	Dspr  func(order, ul, n int32, alpha float64, x *float64, incX int32, ap *float64)
	Dsyr2 func(order, ul, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, a *float64,
		lda int32)
	Dspr2 func(order, ul, n int32, alpha float64, x *float64, incX int32, y *float64, incY int32, ap *float64)
	Dgemm func(order, tA, tB, m, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	Dsymm func(order, side, ul, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	Dsyrk func(order, ul, t, n, k int32, alpha float64, a *float64, lda int32, beta float64, c *float64,
		ldc int32)
	Dsyr2k func(order, ul, t, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32,
		beta float64, c *float64, ldc int32)
	Dtrmm, Dtrsm func(order, side, ul, tA, d, m, n int32, alpha float64, a *float64, lda int32, b *float64, ldb int32)
}

// all yields the routines: gonum's name and the variable.
func (r *blasRoutines) all() iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		fields := reflect.ValueOf(r).Elem()
		for i := range fields.NumField() {
			if !yield(fields.Type().Field(i).Name, fields.Field(i)) {
				return
			}
		}
	}
}

// bind looks all routines up and lists those that are missing.
func (r *blasRoutines) bind(h handle) (missing []string) {
	for name, fn := range r.all() {
		h.bind(fn.Addr().Interface(), "cblas_"+strings.ToLower(name))
	}
	return r.missing()
}

// missing lists the routines that are not there.
func (r *blasRoutines) missing() (out []string) {
	for name, fn := range r.all() {
		if fn.IsNil() {
			out = append(out, name)
		}
	}
	return out
}
