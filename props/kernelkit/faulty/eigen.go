package faulty

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
)

// eigen is a symmetric eigenvalue decomposition, with vectors for the thin kind.
var eigen = breaks(func(k kernel.Kernel) factorisation {
	return func(a *mat.Dense, kind mat.SVDKind) (f factors) {
		f.s, f.v, f.err = k.SymEigen(symmetric(a), kind != mat.SVDNone)
		return f
	}
}, func(k *kernel.Kernel, f factorisation) {
	k.SymEigen = func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
		kind := mat.SVDNone
		if vectors {
			kind = mat.SVDThin
		}
		x := f(dense(a), kind)
		return x.s, x.v, x.err
	}
})

// eigenFaults are the mistakes of symmetric eigenvalue decompositions; add here.
var eigenFaults = slices.Concat(eigen.contract(), eigen.ofEmpty(), eigen.ofValues(), []assigned{
	{"residual, trace, known values, negation, interlacing", eigen.degrade("absolute values",
		func(_ *mat.Dense, f *factors) {
			f.values(math.Abs)
			slices.Sort(f.s)
		})},
	{"residual", eigen.degrade("eigenvectors as rows", func(_ *mat.Dense, f *factors) {
		if f.v != nil {
			f.v = mat.DenseCopyOf(f.v.T())
		}
	})},
	{"order", eigen.degrade("ordered by absolute value", func(_ *mat.Dense, f *factors) {
		slices.SortFunc(f.s, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) })
	})},
	{"values without vectors", eigen.degrade("other values with vectors", func(a *mat.Dense, f *factors) {
		if f.v != nil {
			oneOff(a, f)
		}
	})},
	{"trace, Sturm counts, known values", eigen.degrade("one value off", oneOff)},
	{"interlacing", eigen.degrade("one value off by much",
		func(_ *mat.Dense, f *factors) { f.s[len(f.s)/2] = f.s[0] - f.size() })},
	{"Sturm counts", eigen.degrade("deflates too early", func(_ *mat.Dense, f *factors) {
		f.values(func(w float64) float64 { return math.Round(w/f.size()*1e8) / 1e8 * f.size() }) // eight digits
	})},
	{"negation", eigen.degrade("a value of negative definite matrices off", func(_ *mat.Dense, f *factors) {
		if f.s[len(f.s)-1] < 0 {
			f.s[0] *= 1 + f.off()
		}
	})},
	{"permutation", eigen.misread("last row not read", lastColumn)},
	{"permutation, orthogonal invariance", eigen.without("takes the matrix for tridiagonal",
		func(i, j int, _ float64) bool { return j > i+1 })},
	{"orthogonal invariance", eigen.without("takes the matrix for diagonal",
		func(i, j int, _ float64) bool { return j > i })},
	{"storage", eigen("reads the triangle that is not referenced",
		func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
			if n, _ := a.Dims(); n > 1 && math.IsNaN(a.At(1, 0)) {
				return factors{err: errors.New("not finite")}
			}
			return sound(a, kind)
		})},
	{"storage", eigen.degrade("fills the triangle that is not referenced", func(a *mat.Dense, _ *factors) {
		if n, _ := a.Dims(); n > 1 {
			a.Set(1, 0, a.At(0, 1))
		}
	})},
	{"not finite", eigen.without("looks for NaN on the diagonal alone",
		func(i, j int, v float64) bool { return i != j && notFinite(v) })},
})
