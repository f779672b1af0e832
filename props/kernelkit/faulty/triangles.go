package faulty

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
)

var qr = breaks(func(k kernel.Kernel) factorisation {
	return func(a *mat.Dense, _ mat.SVDKind) (f factors) {
		f.u, f.v, f.err = k.QR(a)
		return f
	}
}, func(k *kernel.Kernel, f factorisation) {
	k.QR = func(a *mat.Dense) (*mat.Dense, *mat.Dense, error) {
		x := f(a, mat.SVDNone)
		return x.u, x.v, x.err
	}
})

var cholesky = breaks(func(k kernel.Kernel) factorisation {
	return func(a *mat.Dense, _ mat.SVDKind) (f factors) {
		l, err := k.Cholesky(symmetric(a))
		if f.err = err; err == nil && !isEmpty(a) {
			f.v = mat.DenseCopyOf(l)
		}
		return f
	}
}, func(k *kernel.Kernel, f factorisation) {
	k.Cholesky = func(a *mat.SymDense) (*mat.TriDense, error) {
		x := f(dense(a), mat.SVDNone)
		if x.err != nil || x.v == nil {
			return new(mat.TriDense), x.err
		}
		n, _ := x.v.Dims()
		return mat.NewTriDense(n, mat.Lower, mat.DenseCopyOf(x.v).RawMatrix().Data), nil
	}
})

// flushesEntries takes tiny entries of the triangle for zero.
func (b breaking) flushesEntries() assigned {
	return assigned{"near the limits", b.degrade("tiny entries are zero", func(_ *mat.Dense, f *factors) {
		f.v.Apply(func(_, _ int, x float64) float64 { return f.flushed(x) }, f.v)
	})}
}

// qrFaults are the mistakes of QR factorisations; add here.
var qrFaults = slices.Concat(qr.contract(), qr.ofGeneral(), qr.ofEmpty(), qr.ofBasis(), []assigned{
	{"residual", qr.degrade("sign of a row of R",
		func(_ *mat.Dense, f *factors) { floats.Scale(-1, f.v.RawRowView(0)) })},
	{"residual, columns", qr.degrade("an entry of R off",
		func(_ *mat.Dense, f *factors) { *f.first() *= 1 + f.off() })},
	{"triangle", qr.degrade("reflectors left below R", func(_ *mat.Dense, f *factors) {
		if m, _ := f.v.Dims(); m > 1 {
			f.v.Set(1, 0, f.Ulp())
		}
	})},
	{"triangle", qr.degrade("Q with a column too many", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); m > n {
			f.u = mat.DenseCopyOf(f.u.Grow(0, 1))
		}
	})},
	{"columns", qr.degrade("last column of R not updated", func(_ *mat.Dense, f *factors) {
		m, n := f.v.Dims()
		f.v.Set(min(m, n)-1, n-1, 0)
	})},
	qr.flushesEntries(),
	{"near the limits", qr.degrade("lengths by squares", func(_ *mat.Dense, f *factors) {
		*f.first() = f.squared(*f.first())
	})},
})

// choleskyFaults are the mistakes of Cholesky factorisations; add here.
var choleskyFaults = slices.Concat(cholesky.contract(), cholesky.ofGeneral(), cholesky.ofEmpty(), []assigned{
	{"residual", cholesky.degrade("columns divided by the wrong pivot", func(_ *mat.Dense, f *factors) {
		if n, _ := f.v.Dims(); n > 1 {
			f.v.Set(1, 0, f.v.At(1, 0)*f.v.At(0, 0)/f.v.At(1, 1))
		}
	})},
	{"residual", cholesky.degrade("a pivot off", func(_ *mat.Dense, f *factors) { *f.first() *= 1 + f.off() })},
	{"definite", cholesky("an indefinite matrix has a factor",
		func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
			f := sound(a, kind)
			if f.err != nil {
				n, _ := a.Dims()
				f.err, f.v = nil, mat.NewDense(n, n, nil)
				for i := range n {
					f.v.Set(i, i, 1)
				}
			}
			return f
		})},
	{"definite", cholesky.degrade("a small pivot is an error", func(a *mat.Dense, f *factors) {
		for i := range len(f.v.RawRowView(0)) {
			if f.v.At(i, i) < 0.8*math.Sqrt(mat.Max(a)) {
				f.err = errors.New("not positive definite")
			}
		}
	})},
	{"definite", cholesky.degrade("a negative diagonal", func(_ *mat.Dense, f *factors) { addColumn(f.v, 0, 0, -2) })},
	cholesky.flushesEntries(),
	{"near the limits", cholesky.degrade("pivots by squares",
		func(a *mat.Dense, f *factors) { *f.first() = math.Sqrt(f.squared(a.At(0, 0))) })},
})
