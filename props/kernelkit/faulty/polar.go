package faulty

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
)

// breakPolar is the fault of putting something else in the place of a sound Polar.
func breakPolar(name string, wrong func(sound kernel.Polar, a *mat.Dense) (*mat.Dense, error)) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		sound := k.Polar
		k.Polar = func(a *mat.Dense) (*mat.Dense, error) { return wrong(sound, a) }
		return k
	}}
}

// degradePolar changes what a sound Polar returns.
func degradePolar(name string, change func(a, u *mat.Dense)) Fault {
	return breakPolar(name, func(sound kernel.Polar, a *mat.Dense) (*mat.Dense, error) {
		u, err := sound(a)
		if err == nil {
			change(a, u)
		}
		return u, err
	})
}

// misreadPolar hands a sound Polar another matrix than was given.
func misreadPolar(name string, other func(a *mat.Dense) *mat.Dense) Fault {
	return breakPolar(name, func(sound kernel.Polar, a *mat.Dense) (*mat.Dense, error) {
		return sound(other(a))
	})
}

func negateColumn(u *mat.Dense, j int) { addColumn(u, j, j, -2) }

func largestEntry(a *mat.Dense) float64 { return max(mat.Max(a), -mat.Min(a)) }

type polarFaultSet struct {
	unnormalised, notConverged, rotated, triangular, negated, reflected, otherRange, flushes, squares, signs,
	firstColumn, overwrites, ignoresStride, swallowsNaN, looksAtFirst, shared, onThreads Fault
}

// polarFaults are the mistakes of polar factors; factorFaults says which check rejects which.
var polarFaults = polarFaultSet{
	unnormalised: degradePolar("length of a column not one", func(_, u *mat.Dense) { addColumn(u, 0, 0, 1e-10) }),
	notConverged: degradePolar("stopped one step too early", func(a, u *mat.Dense) {
		// Newton's iteration roughly squares the error, so the step before has an error of √ulp.
		if size := largestEntry(a); size > 0 {
			u.Apply(func(i, j int, v float64) float64 { return v + 0x1p-26*a.At(i, j)/size }, u)
		}
	}),
	rotated: degradePolar("rotated a little", func(_, u *mat.Dense) {
		m, n := u.Dims()
		sin, cos := math.Sincos(1e-9)
		for i := range m {
			if row := u.RawRowView(i); n > 1 {
				row[0], row[n-1] = cos*row[0]+sin*row[n-1], cos*row[n-1]-sin*row[0]
			}
		}
	}),
	triangular: breakPolar("the orthogonal factor of QR", func(_ kernel.Polar, a *mat.Dense) (*mat.Dense, error) {
		var qr mat.QR
		var q mat.Dense
		qr.Factorize(a)
		qr.QTo(&q)
		m, n := a.Dims()
		return mat.DenseCopyOf(q.Slice(0, m, 0, n)), nil
	}),
	negated: degradePolar("negated", func(_, u *mat.Dense) { u.Scale(-1, u) }),
	reflected: degradePolar("determinant made positive", func(_, u *mat.Dense) {
		if m, n := u.Dims(); m != n || mat.Det(u) < 0 {
			negateColumn(u, 0)
		}
	}),
	otherRange: degradePolar("last row of tall matrices forgotten", func(_, u *mat.Dense) {
		if m, n := u.Dims(); m > n {
			for j := range n {
				u.Set(m-1, j, 0)
			}
		}
	}),
	flushes: misreadPolar("entries below 1e-100 are zero", func(a *mat.Dense) *mat.Dense {
		b := mat.DenseCopyOf(a)
		b.Apply(func(_, _ int, v float64) float64 {
			if math.Abs(v) < 1e-100 {
				return 0
			}
			return v
		}, b)
		return b
	}),
	squares: breakPolar("scales by a norm whose squares overflow or vanish",
		func(sound kernel.Polar, a *mat.Dense) (*mat.Dense, error) {
			sum := 0.0
			m, n := a.Dims()
			for i := range m {
				for _, v := range a.RawRowView(i) {
					sum += v * v
				}
			}
			if (sum == 0 || math.IsInf(sum, 1)) && largestEntry(a) > 0 {
				return mat.NewDense(m, n, nil), nil
			}
			return sound(a)
		}),
	signs: degradePolar("first column made to point up", func(_, u *mat.Dense) {
		if m, _ := u.Dims(); u.At(m-1, 0) < 0 {
			negateColumn(u, 0)
		}
	}),
	firstColumn: degradePolar("first column refined on its own", func(_, u *mat.Dense) { addColumn(u, 0, 0, 1e-8) }),
	overwrites:  degradePolar("works in the argument", func(a, u *mat.Dense) { a.Set(0, 0, a.At(0, 0)+1) }),
	ignoresStride: misreadPolar("takes the stride for the width", func(a *mat.Dense) *mat.Dense {
		raw := a.RawMatrix()
		var b mat.Dense
		b.SetRawMatrix(blas64.General{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Cols,
			Data: raw.Data[:raw.Rows*raw.Cols]})
		return &b
	}),
	swallowsNaN: misreadPolar("takes NaN and infinities for zero",
		func(a *mat.Dense) *mat.Dense { return cleaned(a, 0) }),
	looksAtFirst: misreadPolar("looks for NaN in the first row alone",
		func(a *mat.Dense) *mat.Dense { return cleaned(a, 1) }),
	shared: remembering(func() Fault {
		alone := newAlone()
		return degradePolar("shared workspace", func(_, u *mat.Dense) {
			defer alone.leave()
			if !alone.enter() {
				u.Set(0, 0, u.At(0, 0)+1)
			}
		})
	}),
	onThreads: onTwoThreads(func(two func() bool) Fault {
		return degradePolar("", func(_, u *mat.Dense) {
			if two() {
				u.Set(0, 0, u.At(0, 0)+roundoff.Ulp)
			}
		})
	}),
}
