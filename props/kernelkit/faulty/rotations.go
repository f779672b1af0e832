package faulty

import (
	"runtime"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// mode is one of the twelve ways in which Dlasr applies its rotations.
type mode struct {
	side   blas.Side
	pivot  lapack.Pivot
	direct lapack.Direct
}

// rotationsFunc is a Dlasr.
type rotationsFunc func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int)

func (f rotationsFunc) Dlasr(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
	c, s, a []float64, lda int) {
	f(side, pivot, direct, m, n, c, s, a, lda)
}

// breakRotations is the fault of putting something else in the place of a sound Dlasr.
func breakRotations(name string, wrap func(sound rotationsFunc) rotationsFunc) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		k.Rotations = wrap(k.Rotations.Dlasr)
		return k
	}}
}

// misread is the fault of taking one mode for another.
func misread(name string, other func(mode) mode) Fault {
	return breakRotations(name, func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			d := other(mode{side, pivot, direct})
			sound(d.side, d.pivot, d.direct, m, n, c, s, a, lda)
		}
	})
}

// degradeRotations is the fault of doing something to the data before and after a sound call with valid arguments.
func degradeRotations(name string,
	before, after func(z int, side blas.Side, m, n int, c, s, a []float64, lda int)) Fault {
	return breakRotations(name, func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			z := n
			if side == blas.Left {
				z = m
			}
			run := func(f func(z int, side blas.Side, m, n int, c, s, a []float64, lda int)) {
				if f != nil && m > 0 && n > 0 {
					f(z, side, m, n, c, s, a, lda)
				}
			}
			run(before)
			sound(side, pivot, direct, m, n, c, s, a, lda)
			run(after)
		}
	})
}

type rotationFaultSet struct {
	inexact, lastDropped, backwardIsForward, sineTwice, rightTransposed, rightTail, writesPadding, writesCosines,
	identityTurns, renormalises, skipsZeros, clearsNaN, shared, onThreads, readsEmpty, turnsSingle, silent,
	shortAccepted Fault
}

// wrongModes are the mistakes in the twelve modes.
func (rotationFaultSet) wrongModes() []Fault {
	set := func(change func(*mode)) func(mode) mode {
		return func(d mode) mode { change(&d); return d }
	}
	return []Fault{
		misread("top for bottom and bottom for top", set(func(d *mode) {
			switch d.pivot {
			case lapack.Top:
				d.pivot = lapack.Bottom
			case lapack.Bottom:
				d.pivot = lapack.Top
			}
		})),
		misread("right/top as right/variable", set(func(d *mode) {
			if d.side == blas.Right && d.pivot == lapack.Top {
				d.pivot = lapack.Variable
			}
		})),
		misread("right/bottom/backward as forward", set(func(d *mode) {
			if d.side == blas.Right && d.pivot == lapack.Bottom {
				d.direct = lapack.Forward
			}
		})),
		misread("left/variable/forward as backward", set(func(d *mode) {
			if d.side == blas.Left && d.pivot == lapack.Variable {
				d.direct = lapack.Backward
			}
		})),
		breakRotations("left/top/backward applies every rotation as often as there are columns",
			func(sound rotationsFunc) rotationsFunc {
				return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
					c, s, a []float64, lda int) {
					if side != blas.Left || pivot != lapack.Top || direct != lapack.Backward || m < 2 || n == 0 {
						sound(side, pivot, direct, m, n, c, s, a, lda)
						return
					}
					for k := m - 2; k >= 0; k-- {
						for range n {
							turnPair(a[:n], a[(k+1)*lda:(k+1)*lda+n], c[k], s[k])
						}
					}
				}
			}),
		degradeRotations("opposite sine", func(z int, _ blas.Side, _, _ int, _, s, _ []float64, _ int) { negate(s, z) },
			func(z int, _ blas.Side, _, _ int, _, s, _ []float64, _ int) { negate(s, z) }),
		breakRotations("leading dimension taken for the width", func(sound rotationsFunc) rotationsFunc {
			return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
				c, s, a []float64, lda int) {
				sound(side, pivot, direct, m, n, c, s, a, max(1, n))
			}
		}),
	}
}

func negate(x []float64, z int) {
	for i := range max(0, z-1) {
		x[i] = -x[i]
	}
}

func turnPair(x, y []float64, c, s float64) {
	for i, v := range x {
		x[i], y[i] = c*v+s*y[i], c*y[i]-s*v
	}
}

// rotationFaults are the single mistakes; see factorFaults for which check rejects which.
var rotationFaults = rotationFaultSet{
	inexact: degradeRotations("single precision", nil, func(_ int, _ blas.Side, m, n int, _, _, a []float64, lda int) {
		eachEntry(m, n, lda, func(i int) { a[i] = float64(float32(a[i])) })
	}),
	lastDropped: breakRotations("last rotation dropped", func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			if pivot == lapack.Variable && side == blas.Left && m > 1 {
				m--
			}
			sound(side, pivot, direct, m, n, c, s, a, lda)
		}
	}),
	backwardIsForward: misread("direction ignored", func(d mode) mode {
		d.direct = lapack.Forward
		return d
	}),
	sineTwice: degradeRotations("symmetric in place of antisymmetric", nil,
		func(z int, side blas.Side, m, n int, _, s, a []float64, lda int) {
			if side == blas.Left && z > 1 { // [c s; s c]: what it does to the first pair, roughly
				for j := range n {
					a[lda+j] += 2 * s[0] * a[j]
				}
			}
		}),
	rightTransposed: misread("right multiplies by P, not Pᵀ", func(d mode) mode {
		if d.side == blas.Right {
			d.direct = map[lapack.Direct]lapack.Direct{lapack.Forward: lapack.Backward,
				lapack.Backward: lapack.Forward}[d.direct]
		}
		return d
	}),
	rightTail: breakRotations("right forgets the last row when their number is odd",
		func(sound rotationsFunc) rotationsFunc {
			return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
				c, s, a []float64, lda int) {
				if side == blas.Right && m > 0 {
					m &^= 1
				}
				sound(side, pivot, direct, m, n, c, s, a, lda)
			}
		}),
	writesPadding: degradeRotations("writes behind the rows", nil,
		func(_ int, _ blas.Side, m, n int, _, _, a []float64, lda int) {
			if n < lda && m > 1 {
				a[n] = 0
			}
		}),
	writesCosines: degradeRotations("uses the cosines as workspace", nil,
		func(z int, _ blas.Side, _, _ int, c, _, _ []float64, _ int) {
			if z > 1 {
				c[z-2] = 1
			}
		}),
	identityTurns: degradeRotations("identity swaps", nil,
		func(z int, side blas.Side, _, n int, c, s, a []float64, lda int) {
			if side == blas.Left && z > 1 && c[0] == 1 && s[0] == 0 {
				turnPair(a[:n], a[lda:lda+n], 0, 1)
			}
		}),
	renormalises: degradeRotations("loses the last bit", nil,
		func(_ int, _ blas.Side, m, n int, _, _, a []float64, lda int) {
			eachEntry(m, n, lda, func(i int) { a[i] *= 1 + roundoff.Ulp })
		}),
	skipsZeros: breakRotations("skips zero entries", func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			if side != blas.Left || pivot != lapack.Variable || direct != lapack.Forward || m < 2 {
				sound(side, pivot, direct, m, n, c, s, a, lda)
				return
			}
			for k := range m - 1 {
				for j := range n {
					if x, y := &a[k*lda+j], &a[(k+1)*lda+j]; *y == 0 {
						*x, *y = c[k]**x, -s[k]**x
					} else {
						*x, *y = c[k]**x+s[k]**y, c[k]**y-s[k]**x
					}
				}
			}
		}
	}),
	clearsNaN: degradeRotations("cleans NaN away", nil, func(_ int, _ blas.Side, m, n int, _, _, a []float64, lda int) {
		eachEntry(m, n, lda, func(i int) {
			if a[i] != a[i] {
				a[i] = 0
			}
		})
	}),
	shared: breakRotations("shared workspace", func(sound rotationsFunc) rotationsFunc {
		alone := newAlone()
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			defer alone.leave()
			if !alone.enter() && m > 0 && n > 0 {
				a[0]++
			}
			sound(side, pivot, direct, m, n, c, s, a, lda)
		}
	}),
	onThreads: Fault{Name: "another order of operations on two threads", Break: func(k kernel.Kernel) kernel.Kernel {
		k, threads := countThreads(k)
		sound := k.Rotations
		k.Rotations = rotationsFunc(func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
			c, s, a []float64, lda int) {
			sound.Dlasr(side, pivot, direct, m, n, c, s, a, lda)
			if threads.Load() == 2 && m > 0 && n > 0 {
				a[0] *= 1 + roundoff.Ulp
			}
		})
		return k
	}},
	readsEmpty: beforeEvery("reads the first entry of an empty matrix", func(_, _ int, a []float64) { a[0] += 0 }),
	turnsSingle: degradeRotations("turns a single row", nil,
		func(z int, _ blas.Side, _, _ int, _, _, a []float64, _ int) {
			if z == 1 {
				a[0]++
			}
		}),
	silent: breakRotations("returns on bad arguments", func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			kit.Attempt(func() { sound(side, pivot, direct, m, n, c, s, a, lda) })
		}
	}),
	shortAccepted: breakRotations("takes a short vector of sines for zeros", func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			full := make([]float64, max(len(s), m, n))
			copy(full, s)
			sound(side, pivot, direct, m, n, c, full, a, lda)
		}
	}),
}

func eachEntry(m, n, lda int, f func(i int)) {
	for i := range m {
		for j := range n {
			f(i*lda + j)
		}
	}
}

// beforeEvery does something before every call, valid or not.
func beforeEvery(name string, f func(m, n int, a []float64)) Fault {
	return breakRotations(name, func(sound rotationsFunc) rotationsFunc {
		return func(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
			f(m, n, a)
			sound(side, pivot, direct, m, n, c, s, a, lda)
		}
	})
}

// alone notices calls that overlap. It stands in for a workspace that calls share, without being a data race itself.
type alone struct{ inside atomic.Int32 }

func newAlone() *alone { return new(alone) }

// enter waits a little for company and reports whether the call is the only one.
func (a *alone) enter() bool {
	a.inside.Add(1)
	for range 200 {
		if a.inside.Load() > 1 {
			return false
		}
		runtime.Gosched()
	}
	return true
}

func (a *alone) leave() { a.inside.Add(-1) }

// countThreads lets a fault know how many threads the kernel was told to use.
func countThreads(k kernel.Kernel) (kernel.Kernel, *atomic.Int32) {
	threads := new(atomic.Int32)
	sound := k.SetThreads
	k.SetThreads = func(n int) {
		threads.Store(int32(n))
		if sound != nil {
			sound(n)
		}
	}
	return k, threads
}
