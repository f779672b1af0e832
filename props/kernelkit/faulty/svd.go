package faulty

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// svd is an SVD.
type svd func(a *mat.Dense, kind mat.SVDKind) factors

// breakSVD is the fault of putting something else in the place of a sound SVD.
func breakSVD(name string, wrong func(sound svd, a *mat.Dense, kind mat.SVDKind) factors) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		kernels := k.SVD
		sound := func(a *mat.Dense, kind mat.SVDKind) (f factors) {
			f.Precision = kit.PrecisionOf(k)
			f.u, f.s, f.v, f.err = kernels(a, kind)
			return f
		}
		k.SVD = func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
			f := wrong(sound, a, kind)
			return f.u, f.s, f.v, f.err
		}
		return k
	}}
}

// degradeSVD changes what a sound SVD returns. It is not called when that is an error or has no values.
func degradeSVD(name string, change func(a *mat.Dense, kind mat.SVDKind, f *factors)) Fault {
	return breakSVD(name, func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
		f := sound(a, kind)
		if f.err == nil && len(f.s) > 0 {
			change(a, kind, &f)
		}
		return f
	})
}

// misreadSVD hands a sound SVD another matrix than was given.
func misreadSVD(name string, other func(a *mat.Dense) *mat.Dense) Fault {
	return breakSVD(name, func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
		if a.IsEmpty() {
			return sound(a, kind)
		}
		return sound(other(a), kind)
	})
}

// factors holds the results of a sound SVD or symmetric eigenvalue decomposition.
type factors struct {
	u, v *mat.Dense
	s    []float64
	err  error

	roundoff.Precision
}

func transposed(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }

// off is a relative error well beyond rounding at the sizes of the gallery: 1e-10, or 0.05 in single precision.
func (f *factors) off() float64 { return 450_000 * f.Ulp() }

// flushed is zero in place of what is tiny, below 1e-100 or 1e-10.
func (f *factors) flushed(x float64) float64 {
	if math.Abs(x) < math.Pow(10, float64(f.Normal*100/1022)) {
		return 0
	}
	return x
}

// squared is the square root of the square.
func (f *factors) squared(x float64) float64 {
	square := x * x
	if square > f.Max || square < math.Ldexp(1, f.Lowest) {
		square = math.Inf(1)
	}
	return math.Copysign(math.Sqrt(square), x)
}

func addColumn(a *mat.Dense, to, from int, c float64) {
	m, _ := a.Dims()
	for i := range m {
		a.Set(i, to, a.At(i, to)+c*a.At(i, from))
	}
}

func reverseColumns(a *mat.Dense, count int) {
	m, _ := a.Dims()
	for i := range m {
		slices.Reverse(a.RawRowView(i)[:count])
	}
}

type svdFaultSet struct {
	swapped, wrongSign, notTransposed, oneOff, lost, unnormalised, nullSpace, ascending, negative, thinIsFull,
	vectorsForNone, otherValues, fullValues, columnNorms, diagonal, flushes, squares, wideOff, tallOff, lastRow,
	lastColumn, overwrites, writesBeyond, ignoresStride, swallowsNaN, looksAtFirst, shared, onThreads, readsFirst,
	emptyError Fault
}

// svdFaults are the mistakes of singular value decompositions; factorFaults says which check rejects which.
var svdFaults = svdFaultSet{
	swapped: degradeSVD("two left singular vectors swapped", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind != mat.SVDNone {
			reverseColumns(f.u, min(2, len(f.s)))
		}
	}),
	wrongSign: degradeSVD("opposite sign of a singular vector", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind != mat.SVDNone {
			addColumn(f.v, len(f.s)/2, len(f.s)/2, -2)
		}
	}),
	notTransposed: degradeSVD("Vᵀ in place of V", func(a *mat.Dense, kind mat.SVDKind, f *factors) {
		if m, n := a.Dims(); kind == mat.SVDFull || kind == mat.SVDThin && n <= m {
			f.v = transposed(f.v)
		}
	}),
	oneOff: degradeSVD("one value off", func(_ *mat.Dense, _ mat.SVDKind, f *factors) { f.s[0] *= 1 + f.off() }),
	lost: degradeSVD("orthogonality lost", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind != mat.SVDNone && len(f.s) > 1 {
			addColumn(f.v, 1, 0, f.off())
		}
	}),
	unnormalised: degradeSVD("length of a singular vector not one", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind != mat.SVDNone {
			addColumn(f.u, 0, 0, f.off())
		}
	}),
	nullSpace: degradeSVD("full U not completed", func(a *mat.Dense, kind mat.SVDKind, f *factors) {
		if m, n := a.Dims(); kind == mat.SVDFull && m > n {
			addColumn(f.u, m-1, m-1, -1)
		}
	}),
	ascending: degradeSVD("ascending order", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		slices.Reverse(f.s)
		if kind != mat.SVDNone {
			reverseColumns(f.u, len(f.s))
			reverseColumns(f.v, len(f.s))
		}
	}),
	negative: degradeSVD("negative value", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		last := len(f.s) - 1
		f.s[last] = -f.s[last]
		if kind != mat.SVDNone {
			addColumn(f.v, last, last, -2)
		}
	}),
	thinIsFull: breakSVD("full factors where thin ones are asked for",
		func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
			if kind == mat.SVDThin {
				kind = mat.SVDFull
			}
			return sound(a, kind)
		}),
	vectorsForNone: breakSVD("vectors where none are asked for",
		func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
			if kind == mat.SVDNone {
				kind = mat.SVDThin
			}
			return sound(a, kind)
		}),
	otherValues: degradeSVD("other values without vectors", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind == mat.SVDNone {
			f.s[len(f.s)-1] += f.off() * f.s[0]
		}
	}),
	fullValues: degradeSVD("other values with full vectors", func(_ *mat.Dense, kind mat.SVDKind, f *factors) {
		if kind == mat.SVDFull {
			f.s[0] *= 1 - f.off()
		}
	}),
	columnNorms: degradeSVD("norms of columns for singular values", func(a *mat.Dense, _ mat.SVDKind, f *factors) {
		_, n := a.Dims()
		norms := make([]float64, n)
		for j := range norms {
			norms[j] = floats.Norm(mat.Col(nil, j, a), 2)
		}
		largestFirst(norms)
		copy(f.s, norms)
	}),
	diagonal: degradeSVD("diagonal entries for singular values", func(a *mat.Dense, _ mat.SVDKind, f *factors) {
		for i := range f.s {
			f.s[i] = math.Abs(a.At(i, i))
		}
		largestFirst(f.s)
	}),
	flushes: degradeSVD("values below 1e-100 are zero", func(_ *mat.Dense, _ mat.SVDKind, f *factors) {
		for i, s := range f.s {
			f.s[i] = f.flushed(s)
		}
	}),
	squares: degradeSVD("square roots of squares", func(_ *mat.Dense, _ mat.SVDKind, f *factors) {
		for i, s := range f.s {
			f.s[i] = f.squared(s)
		}
	}),
	wideOff: degradeSVD("a value of wide matrices off", func(a *mat.Dense, _ mat.SVDKind, f *factors) {
		if m, n := a.Dims(); m < n {
			f.s[0] *= 1 + f.off()
		}
	}),
	tallOff: degradeSVD("a value of tall matrices off", func(a *mat.Dense, _ mat.SVDKind, f *factors) {
		if m, n := a.Dims(); m > n {
			f.s[0] *= 1 + f.off()
		}
	}),
	lastRow: misreadSVD("last row not read", func(a *mat.Dense) *mat.Dense {
		b := mat.DenseCopyOf(a)
		m, n := b.Dims()
		b.SetRow(m-1, make([]float64, n))
		return b
	}),
	lastColumn: misreadSVD("last column not read", func(a *mat.Dense) *mat.Dense {
		b := mat.DenseCopyOf(a)
		m, n := b.Dims()
		b.SetCol(n-1, make([]float64, m))
		return b
	}),
	overwrites: degradeSVD("works in the argument",
		func(a *mat.Dense, _ mat.SVDKind, f *factors) { a.Set(0, 0, a.At(0, 0)+f.s[0]) }),
	writesBeyond: degradeSVD("writes outside the argument", func(a *mat.Dense, _ mat.SVDKind, _ *factors) {
		if raw := a.RawMatrix(); raw.Stride > raw.Cols && raw.Rows > 1 {
			raw.Data[raw.Cols] = 0
		}
	}),
	ignoresStride: misreadSVD("takes the stride for the width", func(a *mat.Dense) *mat.Dense {
		raw := a.RawMatrix()
		var b mat.Dense
		b.SetRawMatrix(blas64.General{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Cols,
			Data: raw.Data[:raw.Rows*raw.Cols]})
		return &b
	}),
	swallowsNaN: misreadSVD("takes NaN and infinities for zero",
		func(a *mat.Dense) *mat.Dense { return cleaned(a, 0) }),
	looksAtFirst: misreadSVD("looks for NaN in the first row alone", func(a *mat.Dense) *mat.Dense {
		return cleaned(a, 1)
	}),
	shared: remembering(func() Fault {
		alone := newAlone()
		return degradeSVD("shared workspace", func(_ *mat.Dense, _ mat.SVDKind, f *factors) {
			defer alone.leave()
			if !alone.enter() {
				f.s[0]++
			}
		})
	}),
	onThreads: onTwoThreads(func(two func() bool) Fault {
		return degradeSVD("", func(_ *mat.Dense, _ mat.SVDKind, f *factors) {
			if two() {
				f.s[0] *= 1 + f.Ulp()
			}
		})
	}),
	readsFirst: breakSVD("reads the first entry of an empty matrix",
		func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
			_ = a.RawMatrix().Data[0]
			return sound(a, kind)
		}),
	emptyError: breakSVD("an empty matrix is an error", func(sound svd, a *mat.Dense, kind mat.SVDKind) factors {
		if m, n := a.Dims(); m == 0 || n == 0 {
			return factors{err: errors.New("empty")}
		}
		return sound(a, kind)
	}),
}

func largestFirst(x []float64) {
	slices.Sort(x)
	slices.Reverse(x)
}

// cleaned is a copy with zeros for the numbers that are not finite, from a row on.
func cleaned(a *mat.Dense, from int) *mat.Dense {
	b := mat.DenseCopyOf(a)
	m, _ := b.Dims()
	for i := from; i < m; i++ {
		for j, v := range b.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				b.Set(i, j, 0)
			}
		}
	}
	return b
}
