package faulty

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// eigen is a SymEigen.
type eigen func(a *mat.SymDense, vectors bool) factors

// breakEigen is the fault of putting something else in the place of a sound SymEigen.
func breakEigen(name string, wrong func(sound eigen, a *mat.SymDense, vectors bool) factors) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		kernels := k.SymEigen
		sound := func(a *mat.SymDense, vectors bool) (f factors) {
			f.Precision = kit.PrecisionOf(k)
			f.s, f.v, f.err = kernels(a, vectors)
			return f
		}
		k.SymEigen = func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
			f := wrong(sound, a, vectors)
			return f.s, f.v, f.err
		}
		return k
	}}
}

// degradeEigen changes what a sound SymEigen returns. It is not called when that is an error or has no values.
func degradeEigen(name string, change func(a *mat.SymDense, f *factors)) Fault {
	return breakEigen(name, func(sound eigen, a *mat.SymDense, vectors bool) factors {
		f := sound(a, vectors)
		if f.err == nil && len(f.s) > 0 {
			change(a, &f)
		}
		return f
	})
}

// misreadEigen hands a sound SymEigen another matrix than was given.
func misreadEigen(name string, other func(i, j, n int, v float64) float64) Fault {
	return breakEigen(name, func(sound eigen, a *mat.SymDense, vectors bool) factors {
		n := a.SymmetricDim()
		if n == 0 {
			return sound(a, vectors)
		}
		b := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				b.SetSym(i, j, other(i, j, n, a.At(i, j)))
			}
		}
		return sound(b, vectors)
	})
}

// size is the largest absolute eigenvalue.
func (f *factors) size() float64 { return max(math.Abs(f.s[0]), math.Abs(f.s[len(f.s)-1])) }

type eigenFaultSet struct {
	swapped, absolute, rowsAreVectors, lost, unnormalised, descending, bySize, vectorsAlways, otherValues,
	withVectorsOff, oneOff, oneOffByMuch, deflates, flushes, squares, negativeOff, lastRow, tridiagonal, diagonal,
	overwrites, readsLower, writesLower, swallowsNaN, looksAtDiagonal, shared, onThreads, readsFirst, emptyError Fault
}

// eigenFaults are the mistakes of symmetric eigenvalue decompositions; factorFaults says which check rejects which.
var eigenFaults = eigenFaultSet{
	swapped: degradeEigen("two eigenvectors swapped", func(_ *mat.SymDense, f *factors) {
		if n := len(f.s); f.v != nil && n > 1 {
			for i := range n {
				row := f.v.RawRowView(i)
				row[0], row[n-1] = row[n-1], row[0]
			}
		}
	}),
	absolute: degradeEigen("absolute values", func(_ *mat.SymDense, f *factors) {
		for i, w := range f.s {
			f.s[i] = math.Abs(w)
		}
		slices.Sort(f.s)
	}),
	rowsAreVectors: degradeEigen("eigenvectors as rows", func(_ *mat.SymDense, f *factors) {
		if f.v != nil {
			f.v = transposed(f.v)
		}
	}),
	lost: degradeEigen("orthogonality lost", func(_ *mat.SymDense, f *factors) {
		if f.v != nil && len(f.s) > 1 {
			addColumn(f.v, 1, 0, f.off())
		}
	}),
	unnormalised: degradeEigen("length of an eigenvector not one", func(_ *mat.SymDense, f *factors) {
		if f.v != nil {
			addColumn(f.v, 0, 0, f.off())
		}
	}),
	descending: degradeEigen("descending order", func(_ *mat.SymDense, f *factors) {
		slices.Reverse(f.s)
		if f.v != nil {
			reverseColumns(f.v, len(f.s))
		}
	}),
	bySize: degradeEigen("ordered by absolute value", func(_ *mat.SymDense, f *factors) {
		slices.SortFunc(f.s, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) })
	}),
	vectorsAlways: breakEigen("vectors where none are asked for", func(sound eigen, a *mat.SymDense, _ bool) factors {
		return sound(a, true)
	}),
	otherValues: degradeEigen("other values without vectors", func(_ *mat.SymDense, f *factors) {
		if f.v == nil {
			f.s[len(f.s)-1] += f.off() * f.size()
		}
	}),
	withVectorsOff: degradeEigen("other values with vectors", func(_ *mat.SymDense, f *factors) {
		if f.v != nil {
			f.s[0] -= f.off() * f.size()
		}
	}),
	oneOff: degradeEigen("one value off", func(_ *mat.SymDense, f *factors) { f.s[0] -= f.off() * f.size() }),
	oneOffByMuch: degradeEigen("one value off by much",
		func(_ *mat.SymDense, f *factors) { f.s[len(f.s)/2] = f.s[0] - f.size() }),
	deflates: degradeEigen("deflates too early", func(_ *mat.SymDense, f *factors) {
		for i, w := range f.s { // eight digits
			f.s[i] = math.Round(w/f.size()*1e8) / 1e8 * f.size()
		}
	}),
	flushes: degradeEigen("values below 1e-100 are zero", func(_ *mat.SymDense, f *factors) {
		for i, w := range f.s {
			f.s[i] = f.flushed(w)
		}
	}),
	squares: degradeEigen("square roots of squares", func(_ *mat.SymDense, f *factors) {
		for i, w := range f.s {
			f.s[i] = f.squared(w)
		}
	}),
	negativeOff: degradeEigen("a value of negative definite matrices off", func(_ *mat.SymDense, f *factors) {
		if f.s[len(f.s)-1] < 0 {
			f.s[0] *= 1 + f.off()
		}
	}),
	lastRow: misreadEigen("last row not read", func(_, j, n int, v float64) float64 {
		if j == n-1 {
			return 0
		}
		return v
	}),
	tridiagonal: misreadEigen("takes the matrix for tridiagonal", func(i, j, _ int, v float64) float64 {
		if j > i+1 {
			return 0
		}
		return v
	}),
	diagonal: misreadEigen("takes the matrix for diagonal", func(i, j, _ int, v float64) float64 {
		if j > i {
			return 0
		}
		return v
	}),
	overwrites: degradeEigen("works in the argument",
		func(a *mat.SymDense, f *factors) { a.SetSym(0, 0, a.At(0, 0)+1+f.s[0]) }),
	readsLower: breakEigen("reads the triangle that is not referenced",
		func(sound eigen, a *mat.SymDense, vectors bool) factors {
			if raw := a.RawSymmetric(); raw.N > 1 && math.IsNaN(raw.Data[raw.Stride]) {
				return factors{err: errors.New("not finite")}
			}
			return sound(a, vectors)
		}),
	writesLower: degradeEigen("fills the triangle that is not referenced", func(a *mat.SymDense, _ *factors) {
		if raw := a.RawSymmetric(); raw.N > 1 {
			raw.Data[raw.Stride] = raw.Data[1]
		}
	}),
	swallowsNaN: misreadEigen("takes NaN and infinities for zero", func(_, _, _ int, v float64) float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0
		}
		return v
	}),
	looksAtDiagonal: misreadEigen("looks for NaN on the diagonal alone", func(i, j, _ int, v float64) float64 {
		if i != j && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return 0
		}
		return v
	}),
	shared: remembering(func() Fault {
		alone := newAlone()
		return degradeEigen("shared workspace", func(_ *mat.SymDense, f *factors) {
			defer alone.leave()
			if !alone.enter() {
				f.s[0]--
			}
		})
	}),
	onThreads: onTwoThreads(func(two func() bool) Fault {
		return degradeEigen("", func(_ *mat.SymDense, f *factors) {
			if two() {
				f.s[0] *= 1 + f.Ulp()
			}
		})
	}),
	readsFirst: breakEigen("reads the first entry of an empty matrix",
		func(sound eigen, a *mat.SymDense, vectors bool) factors {
			_ = a.RawSymmetric().Data[0]
			return sound(a, vectors)
		}),
	emptyError: breakEigen("an empty matrix is an error", func(sound eigen, a *mat.SymDense, vectors bool) factors {
		if a.SymmetricDim() == 0 {
			return factors{err: errors.New("empty")}
		}
		return sound(a, vectors)
	}),
}
