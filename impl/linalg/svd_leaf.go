package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// block solves the rows lo to hi-1 and the columns lo to end-1 by QR iteration, as divide.leaf does.
func (t *divideSVD) block(lo, hi, end int) error {
	n, m := hi-lo, end-lo
	d, e := t.d[lo:hi], t.e[lo:end-1]
	u, v := part(t.u, lo, lo, n, n), part(t.v, lo, lo, m, m)
	for i := range n {
		u.Data[i*u.Stride+i] = 1
	}
	for i := range m {
		v.Data[i*v.Stride+i] = 1
	}
	scale := normaliser(max(largest(d), largest(e)))
	scaleLeaf(scale, d, e)
	var space [2 * leafOrder]float64
	d0, e0 := append(space[:0], d...), append(space[leafOrder:leafOrder], e...)
	if m > n {
		foldColumn(d, e, u, v)
	}
	if err := iterateBidiagonal(d, e[:n-1], u, v); err != nil {
		return err
	}
	for i := range d {
		left, right := rowOf(u, i), rowOf(v, i)
		if d[i] = rayleighSVD(d0, e0, left, right) / scale; d[i] < 0 {
			d[i] = -d[i]
			kernels.Dscal(m, -1, right, 1)
		}
	}
	return nil
}

// foldColumn makes the n×(n+1) bidiagonal matrix a square one: rotations of neighbouring columns make it lower
// bidiagonal and the last column zero, rotations of neighbouring rows upper bidiagonal again.
func foldColumn(d, e []float64, u, v blas64.General) {
	n := len(d)
	for i := range n {
		c, s, r := leafRotation(d[i], e[i])
		d[i] = r
		if i+1 < n {
			e[i], d[i+1] = s*d[i+1], c*d[i+1]
		}
		rotatePair(rowOf(v, i), rowOf(v, i+1), c, s)
	}
	for i := range n - 1 {
		c, s, r := leafRotation(d[i], e[i])
		d[i], e[i], d[i+1] = r, s*d[i+1], c*d[i+1]
		rotatePair(rowOf(u, i), rowOf(u, i+1), c, s)
	}
}

// bidiagonalIteration is QR iteration on a square bidiagonal matrix of size 1; d may become negative.
type bidiagonalIteration struct {
	d, e   []float64
	last   int // the rows behind it are solved
	tol    float64
	sweeps int // since a value was found
}

func newBidiagonalIteration(d, e []float64) bidiagonalIteration {
	return bidiagonalIteration{d: d, e: e, last: len(d) - 1, tol: negligible}
}

// block is the next part to sweep, the rows first to last, unless all is done.
func (t *bidiagonalIteration) block() (first, last int, more bool) {
	for t.last > 0 && math.Abs(t.e[t.last-1]) <= t.tol {
		t.last, t.tol, t.sweeps = t.last-1, negligible, 0
	}
	if t.last <= 0 {
		return 0, 0, false
	}
	first = t.last - 1
	for first > 0 && math.Abs(t.e[first-1]) > t.tol {
		first--
	}
	return first, t.last, true
}

// sweep begins one implicit QR step on the unreduced rows first to last, whose rotations go to right and left (Golub,
// Kahan, SIAM J. Numer. Anal. 2 (1965) 205).
func (t *bidiagonalIteration) sweep(first, last int, right, left sweepRotations) (bidiagonalSweep, error) {
	d, e := t.d[first:last+1], t.e[first:last]
	shift := bidiagonalShift(d, e, t.tol) // which puts to zero what is negligible in d
	b := bidiagonalSweep{d: d, e: e, f: d[0], g: e[0], right: right, left: left}
	if shift != 0 {
		b.f = (math.Abs(d[0]) - shift) * (math.Copysign(1, d[0]) + shift/d[0])
	}
	if t.sweeps++; t.sweeps%patience == 0 {
		t.tol *= 2
	}
	if t.sweeps > maxSweeps {
		return b, errSweeps
	}
	return b, nil
}

// bidiagonalSweep is a sweep under way: (f, g) is what the next rotation of columns takes to (r, 0).
type bidiagonalSweep struct {
	d, e        []float64
	f, g        float64
	right, left sweepRotations
}

// step makes rotation i of either side, of len(e) in all. A rotation waits for the one before; those of other sweeps
// need not.
func (b *bidiagonalSweep) step(i int) {
	d, e, last := b.d, b.e, len(b.e)
	c, s, r := leafRotation(b.f, b.g)
	if i > 0 {
		e[i-1] = r
	}
	var f, g float64
	f, e[i] = c*d[i]+s*e[i], c*e[i]-s*d[i]
	g, d[i+1] = s*d[i+1], c*d[i+1]
	b.right.set(i, c, s)
	c, s, d[i] = leafRotation(f, g)
	b.f, d[i+1] = c*e[i]+s*d[i+1], c*d[i+1]-s*e[i]
	if i < last-1 {
		b.g, e[i+1] = s*e[i+1], c*e[i+1]
	} else {
		e[i] = b.f
	}
	b.left.set(i, c, s)
}

// sweepRotations is room for the rotations of a sweep: number i, of rows i and i+1 of the block, at i·stride.
type sweepRotations struct {
	c, s   []float64
	stride int
}

func (t sweepRotations) set(i int, c, s float64) { t.c[i*t.stride], t.s[i*t.stride] = c, s }

// apply rotates the rows of x; the stride is 1.
func (t sweepRotations) apply(x blas64.General) {
	kernel.RotateRows(x.Cols, t.c[:x.Rows-1], t.s[:x.Rows-1], x.Data, x.Stride)
}

// iterateBidiagonal diagonalises a square bidiagonal matrix of size 1; d may become negative.
func iterateBidiagonal(d, e []float64, u, v blas64.General) error {
	var space [4][leafOrder]float64
	right, left := sweepRotations{space[0][:], space[1][:], 1}, sweepRotations{space[2][:], space[3][:], 1}
	t := newBidiagonalIteration(d, e)
	for {
		first, last, more := t.block()
		if !more {
			return nil
		}
		sweep, err := t.sweep(first, last, right, left)
		if err != nil {
			return err
		}
		for i := range sweep.e {
			sweep.step(i)
		}
		size := last - first + 1
		right.apply(part(v, first, 0, size, v.Cols))
		left.apply(part(u, first, 0, size, u.Cols))
	}
}

// bidiagonalShift is the smaller singular value of the last two rows and columns, or 0, which takes out the value 0,
// if there is one.
func bidiagonalShift(d, e []float64, tol float64) float64 {
	singular := false
	for i, x := range d {
		if math.Abs(x) <= tol {
			d[i], singular = 0, true
		}
	}
	if singular {
		return 0
	}
	last := len(d) - 1
	high, low, off := math.Abs(d[last-1]), math.Abs(d[last]), e[last-1]
	if high < low {
		high, low = low, high
	}
	sum, difference, ratio := 1+low/high, 1-low/high, off/high
	ratio *= ratio
	return 2 * low / (math.Sqrt(sum*sum+ratio) + math.Sqrt(difference*difference+ratio))
}

// rayleighSVD is u·B·vᵀ/(‖u‖·‖v‖) for the upper bidiagonal matrix B.
func rayleighSVD(d, e, u, v []float64) float64 {
	sum, left, right := 0.0, 0.0, 0.0
	for i, x := range u {
		sum += d[i] * x * v[i]
		if i < len(e) {
			sum += e[i] * x * v[i+1]
		}
		left += x * x
	}
	for _, y := range v {
		right += y * y
	}
	return sum / math.Sqrt(left*right)
}
