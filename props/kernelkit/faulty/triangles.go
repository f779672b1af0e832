package faulty

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// triangular is a QR or a Cholesky factorisation: q in u, and the triangle in v.
type triangular func(a *mat.Dense) factors

// breakQR and breakCholesky are the fault of putting something else in the place of a sound one. What a faulty Cholesky
// factorisation writes to its argument is written to the kernel's.
func breakQR(name string, wrong func(sound triangular, a *mat.Dense) factors) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		kernels := k.QR
		k.QR = func(a *mat.Dense) (*mat.Dense, *mat.Dense, error) {
			f := wrong(func(a *mat.Dense) (f factors) {
				f.Precision = kit.PrecisionOf(k)
				f.u, f.v, f.err = kernels(a)
				return f
			}, a)
			return f.u, f.v, f.err
		}
		return k
	}}
}

func breakCholesky(name string, wrong func(sound triangular, a *mat.Dense) factors) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		kernels := k.Cholesky
		k.Cholesky = func(a *mat.SymDense) (*mat.TriDense, error) {
			raw := a.RawSymmetric()
			var dense mat.Dense
			dense.SetRawMatrix(blas64.General{Rows: raw.N, Cols: raw.N, Stride: max(1, raw.Stride), Data: raw.Data})
			f := wrong(func(a *mat.Dense) (f factors) {
				f.Precision = kit.PrecisionOf(k)
				n, _ := a.Dims()
				s := new(mat.SymDense)
				if n > 0 {
					s = mat.NewSymDense(n, mat.DenseCopyOf(a).RawMatrix().Data)
				}
				l, err := kernels(s)
				if f.err = err; err == nil && n > 0 {
					f.v = mat.DenseCopyOf(l)
				}
				return f
			}, &dense)
			if f.err != nil || f.v == nil {
				return new(mat.TriDense), f.err
			}
			n, _ := f.v.Dims()
			return mat.NewTriDense(n, mat.Lower, mat.DenseCopyOf(f.v).RawMatrix().Data), nil
		}
		return k
	}}
}

// breaking is one of the two.
type breaking func(name string, wrong func(sound triangular, a *mat.Dense) factors) Fault

// degrade changes what a sound factorisation returns, if it has factors.
func (b breaking) degrade(name string, change func(a *mat.Dense, f *factors)) Fault {
	return b(name, func(sound triangular, a *mat.Dense) factors {
		f := sound(a)
		if f.err == nil && f.v != nil && !f.v.IsEmpty() {
			change(a, &f)
		}
		return f
	})
}

// misread hands a sound factorisation another matrix than was given.
func (b breaking) misread(name string, other func(a *mat.Dense) *mat.Dense) Fault {
	return b(name, func(sound triangular, a *mat.Dense) factors {
		if isEmpty(a) {
			return sound(a)
		}
		return sound(other(a))
	})
}

// contractFaults are the mistakes of both that have nothing to do with numbers.
type contractFaults struct {
	overwrites, ignoresStride, swallowsNaN, looksAtFirst, shared, onThreads, readsFirst, emptyError Fault
}

func (b breaking) contract() contractFaults {
	return contractFaults{
		overwrites: b("overwrites its argument", func(sound triangular, a *mat.Dense) factors {
			f := sound(a)
			if !isEmpty(a) {
				a.Set(0, 0, a.At(0, 0)/2)
			}
			return f
		}),
		ignoresStride: b.misread("ignores the stride", func(a *mat.Dense) *mat.Dense {
			m, n := a.Dims()
			data := a.RawMatrix().Data
			return mat.NewDense(m, n, append(append([]float64{}, data[:min(len(data), m*n)]...),
				make([]float64, max(0, m*n-len(data)))...))
		}),
		swallowsNaN: b.misread("takes NaN and infinities for zero", func(a *mat.Dense) *mat.Dense { return cleaned(a, 0) }),
		looksAtFirst: b.misread("looks for NaN in the first row alone",
			func(a *mat.Dense) *mat.Dense { return cleaned(a, 1) }),
		shared: remembering(func() Fault {
			alone := newAlone()
			return b.degrade("shared workspace", func(_ *mat.Dense, f *factors) {
				defer alone.leave()
				if !alone.enter() {
					f.v.Set(0, 0, f.v.At(0, 0)+1)
				}
			})
		}),
		onThreads: onTwoThreads(func(two func() bool) Fault {
			return b.degrade("", func(_ *mat.Dense, f *factors) {
				if two() {
					f.v.Set(0, 0, f.v.At(0, 0)*(1+f.Ulp()))
				}
			})
		}),
		readsFirst: b("reads the first entry of an empty matrix", func(sound triangular, a *mat.Dense) factors {
			_ = a.RawMatrix().Data[0]
			return sound(a)
		}),
		emptyError: b("an empty matrix is an error", func(sound triangular, a *mat.Dense) factors {
			if isEmpty(a) {
				return factors{err: errors.New("empty")}
			}
			return sound(a)
		}),
	}
}

type qrFaultSet struct {
	contractFaults
	signOfRow, oneOff, lost, unnormalised, notCleared, fullQ, shortColumn, flushes, squares Fault
}

// qrFaults are the mistakes of QR factorisations; factorFaults says which check rejects which.
var qrFaults = qrFaultSet{
	contractFaults: breaking(breakQR).contract(),
	signOfRow: breaking(breakQR).degrade("sign of a row of R", func(_ *mat.Dense, f *factors) {
		negateRow(f.v, 0)
	}),
	oneOff: breaking(breakQR).degrade("an entry of R off", func(_ *mat.Dense, f *factors) {
		f.v.Set(0, 0, f.v.At(0, 0)*(1+f.off()))
	}),
	lost: breaking(breakQR).degrade("orthogonality lost", func(_ *mat.Dense, f *factors) {
		if _, n := f.u.Dims(); n > 1 {
			addColumn(f.u, 1, 0, f.off())
		}
	}),
	unnormalised: breaking(breakQR).degrade("length of a column of Q not one", func(_ *mat.Dense, f *factors) {
		addColumn(f.u, 0, 0, f.off())
	}),
	notCleared: breaking(breakQR).degrade("reflectors left below R", func(_ *mat.Dense, f *factors) {
		if m, _ := f.v.Dims(); m > 1 {
			f.v.Set(1, 0, f.Ulp())
		}
	}),
	fullQ: breaking(breakQR).degrade("Q with a column too many", func(a *mat.Dense, f *factors) {
		if m, n := a.Dims(); m > n {
			f.u = mat.DenseCopyOf(f.u.Grow(0, 1))
		}
	}),
	shortColumn: breaking(breakQR).degrade("last column of R not updated", func(a *mat.Dense, f *factors) {
		m, n := f.v.Dims()
		f.v.Set(min(m, n)-1, n-1, 0)
	}),
	flushes: breaking(breakQR).degrade("tiny entries are zero", func(_ *mat.Dense, f *factors) {
		f.v.Apply(func(_, _ int, x float64) float64 { return f.flushed(x) }, f.v)
	}),
	squares: breaking(breakQR).degrade("lengths by squares", func(_ *mat.Dense, f *factors) {
		f.v.Set(0, 0, f.squared(f.v.At(0, 0)))
	}),
}

type choleskyFaultSet struct {
	contractFaults
	transposed, oneOff, acceptsAll, refusesSmall, negative, flushes, squares Fault
}

// choleskyFaults are the mistakes of Cholesky factorisations; factorFaults says which check rejects which.
var choleskyFaults = choleskyFaultSet{
	contractFaults: breaking(breakCholesky).contract(),
	transposed: breaking(breakCholesky).degrade("columns divided by the wrong pivot", func(_ *mat.Dense, f *factors) {
		if n, _ := f.v.Dims(); n > 1 {
			f.v.Set(1, 0, f.v.At(1, 0)*f.v.At(0, 0)/f.v.At(1, 1))
		}
	}),
	oneOff: breaking(breakCholesky).degrade("a pivot off", func(_ *mat.Dense, f *factors) {
		f.v.Set(0, 0, f.v.At(0, 0)*(1+f.off()))
	}),
	acceptsAll: breakCholesky("an indefinite matrix has a factor", func(sound triangular, a *mat.Dense) factors {
		f := sound(a)
		if f.err != nil {
			n, _ := a.Dims()
			f.err, f.v = nil, mat.NewDense(n, n, nil)
			for i := range n {
				f.v.Set(i, i, 1)
			}
		}
		return f
	}),
	refusesSmall: breaking(breakCholesky).degrade("a small pivot is an error", func(a *mat.Dense, f *factors) {
		for i := range len(f.v.RawRowView(0)) {
			if f.v.At(i, i) < 0.8*math.Sqrt(mat.Max(a)) {
				f.err = errors.New("not positive definite")
			}
		}
	}),
	negative: breaking(breakCholesky).degrade("a negative diagonal", func(_ *mat.Dense, f *factors) {
		addColumn(f.v, 0, 0, -2)
	}),
	flushes: breaking(breakCholesky).degrade("tiny entries are zero", func(_ *mat.Dense, f *factors) {
		f.v.Apply(func(_, _ int, x float64) float64 { return f.flushed(x) }, f.v)
	}),
	squares: breaking(breakCholesky).degrade("pivots by squares", func(a *mat.Dense, f *factors) {
		f.v.Set(0, 0, math.Sqrt(f.squared(a.At(0, 0))))
	}),
}

func negateRow(a *mat.Dense, i int) {
	row := a.RawRowView(i)
	for j := range row {
		row[j] = -row[j]
	}
}

func isEmpty(a *mat.Dense) bool {
	m, n := a.Dims()
	return m == 0 || n == 0
}
