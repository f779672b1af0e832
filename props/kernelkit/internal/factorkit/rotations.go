package factorkit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// rotationMode is one of the twelve ways in which Dlasr applies its rotations.
type rotationMode struct {
	side   blas.Side
	pivot  lapack.Pivot
	direct lapack.Direct
}

// rotationModes are all twelve.
func rotationModes() []rotationMode {
	var modes []rotationMode
	for _, side := range []blas.Side{blas.Left, blas.Right} {
		for _, pivot := range []lapack.Pivot{lapack.Variable, lapack.Top, lapack.Bottom} {
			for _, direct := range []lapack.Direct{lapack.Forward, lapack.Backward} {
				modes = append(modes, rotationMode{side, pivot, direct})
			}
		}
	}
	return modes
}

func (d rotationMode) String() string {
	return fmt.Sprintf("%s/%s/%s", map[blas.Side]string{blas.Left: "left", blas.Right: "right"}[d.side],
		map[lapack.Pivot]string{lapack.Variable: "variable", lapack.Top: "top", lapack.Bottom: "bottom"}[d.pivot],
		map[lapack.Direct]string{lapack.Forward: "forward", lapack.Backward: "backward"}[d.direct])
}

// plane is the pair of rows or columns that rotation k of z-1 turns.
func (d rotationMode) plane(k, z int) (p, q int) {
	switch d.pivot {
	case lapack.Top:
		return 0, k + 1
	case lapack.Bottom:
		return k, z - 1
	}
	return k, k + 1
}

// reversed undoes the mode when the signs of the sines are changed as well.
func (d rotationMode) reversed() rotationMode {
	d.direct = map[lapack.Direct]lapack.Direct{lapack.Forward: lapack.Backward,
		lapack.Backward: lapack.Forward}[d.direct]
	return d
}

// transposed does to the transpose what the mode does to the matrix.
func (d rotationMode) transposed() rotationMode {
	d.side = map[blas.Side]blas.Side{blas.Left: blas.Right, blas.Right: blas.Left}[d.side]
	return d
}

// turning is an instance: a matrix inside poisoned storage, and more rotations than either side needs.
type turning struct {
	m, n, lda int
	a         []float64 // NaN outside the matrix
	c, s      []float64 // max(m, n) of each, the surplus NaN
}

// drawTurning draws a shape up to largest×largest and fills it: with small integers, for which every rotation is exact,
// or with normal entries and true rotations.
func drawTurning(t *props.T, largest int, integers bool) turning {
	w := turning{m: gen.Dim(t.T, "m", largest), n: gen.Dim(t.T, "n", largest)}
	w.lda = w.n + gen.Dim(t.T, "padding", 5) - 1
	r := t.Stream("entries")
	entries, angles := gen.Gaussian(r, w.m, w.n, 1), gen.Gaussian(r, 2, max(w.m, w.n), 1)
	if integers {
		entries, angles = gen.Integers(r, w.m, w.n, 4), gen.Integers(r, 2, max(w.m, w.n), 2)
	}
	w.a = inside(entries, w.lda)
	w.c, w.s = slices.Clone(angles.RawRowView(0)), slices.Clone(angles.RawRowView(1))
	for i := range w.c {
		if norm := math.Hypot(w.c[i], w.s[i]); !integers {
			w.c[i], w.s[i] = w.c[i]/norm, w.s[i]/norm
		}
	}
	return w
}

// inside stores a matrix row by row with a leading dimension, NaN between the rows and after the last.
func inside(a *mat.Dense, lda int) []float64 {
	m, n := a.Dims()
	data := slices.Repeat([]float64{math.NaN()}, m*lda+3)
	for i := range m {
		copy(data[i*lda:], a.RawRowView(i)[:n])
	}
	return data
}

// dense is the matrix without its surroundings.
func (w turning) dense() *mat.Dense {
	out := mat.NewDense(w.m, w.n, nil)
	for i := range w.m {
		out.SetRow(i, w.a[i*w.lda:i*w.lda+w.n])
	}
	return out
}

func (w turning) count(d rotationMode) int {
	if d.side == blas.Left {
		return w.m
	}
	return w.n
}

// apply lets the kernel turn a copy. The rotations that the mode does not need are poisoned.
func (w turning) apply(r kernel.Rotations, d rotationMode) turning {
	out := w
	out.a, out.c, out.s = slices.Clone(w.a), slices.Clone(w.c), slices.Clone(w.s)
	for k := max(0, w.count(d)-1); k < len(w.c); k++ {
		out.c[k], out.s[k] = math.NaN(), math.NaN()
	}
	r.Dlasr(d.side, d.pivot, d.direct, w.m, w.n, out.c, out.s, out.a, w.lda)
	return out
}

// definition turns one rotation after the other in double-double. The result is indexed by the row or column that is
// turned, then across.
func (w turning) definition(d rotationMode) [][]doubledouble.Number {
	x := lines(w, d)
	for i := range len(x) - 1 {
		k := i
		if d.direct == lapack.Backward {
			k = len(x) - 2 - i
		}
		p, q := d.plane(k, len(x))
		for j := range x[p] {
			u, v := x[p][j], x[q][j]
			x[p][j] = u.Scaled(w.c[k]).Plus(v.Scaled(w.s[k]))
			x[q][j] = v.Scaled(w.c[k]).Minus(u.Scaled(w.s[k]))
		}
	}
	return x
}

// entry is entry j of the row or column i.
func (w turning) entry(d rotationMode, i, j int) float64 {
	if d.side == blas.Left {
		return w.a[i*w.lda+j]
	}
	return w.a[j*w.lda+i]
}

// show records an instance and a mode for the counterexample.
func (w turning) show(t *props.T, d rotationMode, got turning) {
	t.Show("mode", d)
	t.Show("lda", w.lda)
	if z := w.count(d); z > 1 {
		t.Show("c", w.c[:z-1])
		t.Show("s", w.s[:z-1])
	}
	t.Show("A", w.dense())
	t.Show("result", got.dense())
}
