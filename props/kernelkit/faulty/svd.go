package faulty

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
)

var svd = breaks(func(k kernel.Kernel) factorisation {
	return func(a *mat.Dense, kind mat.SVDKind) (f factors) {
		f.u, f.s, f.v, f.err = k.SVD(a, kind)
		return f
	}
}, func(k *kernel.Kernel, f factorisation) {
	k.SVD = func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
		x := f(a, kind)
		return x.u, x.s, x.v, x.err
	}
})

// svdFaults are the mistakes of singular value decompositions; add here.
var svdFaults = slices.Concat(svd.contract(), svd.ofGeneral(), svd.ofEmpty(), svd.ofValues(), []assigned{
	{"residual", svd.degrade("opposite sign of a singular vector", func(_ *mat.Dense, f *factors) {
		if f.kind != mat.SVDNone {
			addColumn(f.v, len(f.s)/2, len(f.s)/2, -2)
		}
	})},
	{"residual", svd.degrade("Vᵀ in place of V", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); f.kind == mat.SVDFull || f.kind == mat.SVDThin && n <= m {
			f.v = mat.DenseCopyOf(f.v.T())
		}
	})},
	{"residual, Sturm counts, known values", svd.degrade("one value off", oneOff)},
	{"orthogonality", svd.degrade("full U not completed", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); f.kind == mat.SVDFull && m > n {
			addColumn(f.u, m-1, m-1, -1)
		}
	})},
	{"order", svd.degrade("negative value", func(_ *mat.Dense, f *factors) {
		last := len(f.s) - 1
		f.s[last] = -f.s[last]
		if f.kind != mat.SVDNone {
			addColumn(f.v, last, last, -2)
		}
	})},
	{"order", svd("full factors where thin ones are asked for",
		func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
			if kind == mat.SVDThin {
				kind = mat.SVDFull
			}
			return sound(a, kind)
		})},
	{"values without vectors", svd.degrade("other values with full vectors", func(_ *mat.Dense, f *factors) {
		if f.kind == mat.SVDFull {
			f.s[0] *= 1 - f.off()
		}
	})},
	{"Sturm counts, known values, transposition, orthogonal invariance", svd.degrade(
		"norms of columns for singular values", func(a *mat.Dense, f *factors) {
			_, n := a.Dims()
			norms := make([]float64, n)
			for j := range norms {
				norms[j] = floats.Norm(mat.Col(nil, j, a), 2)
			}
			largestFirst(norms)
			copy(f.s, norms)
		})},
	{"orthogonal invariance", svd.degrade("diagonal entries for singular values", func(a *mat.Dense, f *factors) {
		for i := range f.s {
			f.s[i] = math.Abs(a.At(i, i))
		}
		largestFirst(f.s)
	})},
	{"transposition", svd.degrade("a value of wide matrices off", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); m < n {
			f.s[0] *= 1 + f.off()
		}
	})},
	{"bordering", svd.degrade("a value of tall matrices off", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); m > n {
			f.s[0] *= 1 + f.off()
		}
	})},
	{"permutation", svd.misread("last row not read", func(a *mat.Dense) *mat.Dense {
		b := mat.DenseCopyOf(a)
		m, n := b.Dims()
		b.SetRow(m-1, make([]float64, n))
		return b
	})},
	{"permutation, bordering", svd.misread("last column not read", lastColumn)},
	{"storage", svd.degrade("writes outside the argument", func(a *mat.Dense, _ *factors) {
		if raw := a.RawMatrix(); raw.Stride > raw.Cols && raw.Rows > 1 {
			raw.Data[raw.Cols] = 0
		}
	})},
})

func largestFirst(x []float64) {
	slices.Sort(x)
	slices.Reverse(x)
}
