package faulty

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// sweepCall is a call of Dlasr.
type sweepCall struct {
	side    blas.Side
	pivot   lapack.Pivot
	direct  lapack.Direct
	m, n    int
	c, s, a []float64
	lda     int
}

// is reports whether the call is of one of the twelve ways in which rotations are applied.
func (x sweepCall) is(side blas.Side, pivot lapack.Pivot, direct lapack.Direct) bool {
	return x.side == side && x.pivot == pivot && x.direct == direct
}

// order returns the order of the rotations.
func (x sweepCall) order() int {
	if x.side == blas.Left {
		return x.m
	}
	return x.n
}

// entries changes every entry of the matrix.
func (x sweepCall) entries(f func(float64) float64) {
	for i := range x.m {
		row := x.a[i*x.lda : i*x.lda+x.n]
		for j, v := range row {
			row[j] = f(v)
		}
	}
}

// rotations is a Dlasr.
type rotations func(sweepCall)

func (f rotations) Dlasr(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64,
	lda int) {
	f(sweepCall{side, pivot, direct, m, n, c, s, a, lda})
}

// breakRotations is the fault of putting something else in the place of a sound Dlasr.
func breakRotations(name string, wrong func(sound rotations, x sweepCall)) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		dlasr := k.Rotations.Dlasr
		sound := func(x sweepCall) { dlasr(x.side, x.pivot, x.direct, x.m, x.n, x.c, x.s, x.a, x.lda) }
		k.Rotations = rotations(func(x sweepCall) { wrong(sound, x) })
		return k
	}}
}

// misread is the fault of taking one call for another.
func misread(name string, change func(*sweepCall)) Fault {
	return breakRotations(name, func(sound rotations, x sweepCall) {
		change(&x)
		sound(x)
	})
}

// degradeRotations is the fault of doing something to the data after a sound call with valid arguments.
func degradeRotations(name string, after func(sweepCall)) Fault {
	return breakRotations(name, func(sound rotations, x sweepCall) {
		sound(x)
		if x.m > 0 && x.n > 0 {
			after(x)
		}
	})
}

var rotationFaults = []assigned{
	{"exact integers", misread("top for bottom and bottom for top", func(x *sweepCall) {
		switch x.pivot {
		case lapack.Top:
			x.pivot = lapack.Bottom
		case lapack.Bottom:
			x.pivot = lapack.Top
		}
	})},
	{"exact integers", misread("right/top as right/variable", func(x *sweepCall) {
		if x.side == blas.Right && x.pivot == lapack.Top {
			x.pivot = lapack.Variable
		}
	})},
	{"exact integers", misread("right/bottom/backward as forward", func(x *sweepCall) {
		if x.side == blas.Right && x.pivot == lapack.Bottom {
			x.direct = lapack.Forward
		}
	})},
	{"exact integers", misread("left/variable/forward as backward", func(x *sweepCall) {
		if x.side == blas.Left && x.pivot == lapack.Variable {
			x.direct = lapack.Backward
		}
	})},
	{"exact integers", breakRotations("left/top/backward applies every rotation as often as there are columns",
		func(sound rotations, x sweepCall) {
			if !x.is(blas.Left, lapack.Top, lapack.Backward) || x.m < 2 || x.n == 0 {
				sound(x)
				return
			}
			for k := x.m - 2; k >= 0; k-- {
				for range x.n {
					turnPair(x.a[:x.n], x.a[(k+1)*x.lda:(k+1)*x.lda+x.n], x.c[k], x.s[k])
				}
			}
		})},
	{"exact integers", breakRotations("opposite sine", func(sound rotations, x sweepCall) {
		valid := x.m > 0 && x.n > 0
		if valid {
			negate(x.s, x.order())
		}
		sound(x)
		if valid {
			negate(x.s, x.order())
		}
	})},
	{"exact integers", misread("leading dimension taken for the width", func(x *sweepCall) { x.lda = max(1, x.n) })},
	{"rounding bound", degradeRotations("single precision", func(x sweepCall) {
		x.entries(func(v float64) float64 { return float64(float32(v)) })
	})},
	{"rounding bound", misread("last rotation dropped", func(x *sweepCall) {
		if x.pivot == lapack.Variable && x.side == blas.Left && x.m > 1 {
			x.m--
		}
	})},
	{"inverse", misread("direction ignored", func(x *sweepCall) { x.direct = lapack.Forward })},
	{"inverse", degradeRotations("symmetric in place of antisymmetric", func(x sweepCall) {
		if x.side == blas.Left && x.m > 1 { // [c s; s c]: what it does to the first pair, roughly
			for j := range x.n {
				x.a[x.lda+j] += 2 * x.s[0] * x.a[j]
			}
		}
	})},
	{"transposition", misread("right multiplies by P, not Pᵀ", func(x *sweepCall) {
		if x.side == blas.Right {
			x.direct = map[lapack.Direct]lapack.Direct{lapack.Forward: lapack.Backward,
				lapack.Backward: lapack.Forward}[x.direct]
		}
	})},
	{"transposition", misread("right forgets the last row when their number is odd", func(x *sweepCall) {
		if x.side == blas.Right && x.m > 0 {
			x.m &^= 1
		}
	})},
	{"surroundings", degradeRotations("writes behind the rows", func(x sweepCall) {
		if x.n < x.lda && x.m > 1 {
			x.a[x.n] = 0
		}
	})},
	{"surroundings", degradeRotations("uses the cosines as workspace", func(x sweepCall) {
		if z := x.order(); z > 1 {
			x.c[z-2] = 1
		}
	})},
	{"identity", degradeRotations("identity swaps", func(x sweepCall) {
		if x.side == blas.Left && x.m > 1 && x.c[0] == 1 && x.s[0] == 0 {
			turnPair(x.a[:x.n], x.a[x.lda:x.lda+x.n], 0, 1)
		}
	})},
	{"identity", degradeRotations("loses the last bit", func(x sweepCall) {
		x.entries(func(v float64) float64 { return v * (1 + roundoff.Ulp) })
	})},
	{"not finite", breakRotations("skips zero entries", func(sound rotations, x sweepCall) {
		if !x.is(blas.Left, lapack.Variable, lapack.Forward) || x.m < 2 {
			sound(x)
			return
		}
		for k := range x.m - 1 {
			c, s := x.c[k], x.s[k]
			for j := range x.n {
				if u, v := &x.a[k*x.lda+j], &x.a[(k+1)*x.lda+j]; *v == 0 {
					*u, *v = c**u, -s**u
				} else {
					*u, *v = c**u+s**v, c**v-s**u
				}
			}
		}
	})},
	{"not finite", degradeRotations("cleans NaN away", func(x sweepCall) {
		x.entries(func(v float64) float64 {
			if math.IsNaN(v) {
				return 0
			}
			return v
		})
	})},
	{"repeatable", remembering(func() Fault {
		alone := newAlone()
		return breakRotations("shared workspace", func(sound rotations, x sweepCall) {
			defer alone.leave()
			if !alone.enter() && x.m > 0 && x.n > 0 {
				x.a[0]++
			}
			sound(x)
		})
	})},
	{"repeatable", onTwoThreads(func(two func() bool) Fault {
		return degradeRotations("", func(x sweepCall) {
			if two() {
				x.a[0] *= 1 + roundoff.Ulp
			}
		})
	})},
	{"empty", misread("reads the first entry of an empty matrix", func(x *sweepCall) { x.a[0] += 0 })},
	{"empty", degradeRotations("turns a single row", func(x sweepCall) {
		if x.order() == 1 {
			x.a[0]++
		}
	})},
	{"bad arguments", breakRotations("returns on bad arguments", func(sound rotations, x sweepCall) {
		kit.Attempt(func() { sound(x) })
	})},
	{"bad arguments", misread("takes a short vector of sines for zeros", func(x *sweepCall) {
		full := make([]float64, max(len(x.s), x.m, x.n))
		copy(full, x.s)
		x.s = full
	})},
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
