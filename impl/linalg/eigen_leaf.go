package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/internal/roundoff"
)

// leafOrder is the order up to which a condensed matrix is solved by QR iteration instead of being divided: there the
// rotations of a sweep cost less than the roots of the secular equations: every merge has one for each row.
const leafOrder = 16

// maxSweeps bounds the sweeps until the next value is found; about two are needed.
const maxSweeps = 80

// negligible is the size below which QR iteration neglects entries off the diagonal of a leaf of size 1. Sweeps that
// are spent without reaching it, since their own rounding is of that size, raise it.
const negligible = roundoff.Unit

// patience is the number of sweeps after which what is negligible doubles.
const patience = 8

var errSweeps = errors.New("linalg: QR iteration did not converge")

// leaf solves the rows lo to hi-1 by QR iteration with Wilkinson's shift, and leaves the vectors in the rows of q.
func (t *divide) leaf(lo, hi int) error {
	d, e := t.d[lo:hi], t.e[lo:hi-1]
	for i := lo; i < hi; i++ {
		t.q.Data[i*t.q.Stride+i] = 1
	}
	scale := normaliser(max(largest(d), largest(e)))
	scaleLeaf(scale, d, e)
	rows := part(t.q, lo, lo, hi-lo, hi-lo)
	var space [4 * leafOrder]float64
	d0, e0 := append(space[:0], d...), append(space[leafOrder:leafOrder], e...)
	rotations := sweepRotations{space[2*leafOrder : 3*leafOrder], space[3*leafOrder:], 1}
	tol, sweeps := negligible, 0
	for last := len(d) - 1; last > 0; {
		if math.Abs(e[last-1]) <= tol {
			last, tol, sweeps = last-1, negligible, 0
			continue
		}
		first := last - 1
		for first > 0 && math.Abs(e[first-1]) > tol {
			first--
		}
		block := part(rows, first, 0, last-first+1, rows.Cols)
		if first == last-1 {
			solvePair(d[first:last+1], e[first], block)
			last, tol, sweeps = last-2, negligible, 0
			continue
		}
		sweepTridiagonal(d[first:last+1], e[first:last], rotations)
		rotations.apply(block)
		if sweeps++; sweeps%patience == 0 {
			tol *= 2
		}
		if sweeps > maxSweeps {
			return errSweeps
		}
	}
	for i := range d {
		d[i] = rayleigh(d0, e0, rowOf(rows, i)) / scale
	}
	return nil
}

// scaleLeaf multiplies the diagonals of a leaf by a power of two.
func scaleLeaf(scale float64, d, e []float64) {
	for i := range d {
		d[i] *= scale
	}
	for i := range e {
		e[i] *= scale
	}
}

// sweepTridiagonal is one implicit QR step on an unreduced block.
func sweepTridiagonal(d, e []float64, rotations sweepRotations) {
	last := len(d) - 1
	half, off := (d[last-1]-d[last])/2, e[last-1]
	shift := d[last] - off*(off/(half+math.Copysign(math.Sqrt(half*half+off*off), half)))
	x, z := d[0]-shift, e[0]
	for k := range last {
		c, s, r := leafRotation(x, z)
		if k > 0 {
			e[k-1] = r
		}
		w := s*(d[k+1]-d[k]) + 2*c*e[k]
		d[k] += s * w
		d[k+1] -= s * w
		e[k] = c*w - e[k]
		if k < last-1 {
			x, z = e[k], s*e[k+1]
			e[k+1] *= c
		}
		rotations.set(k, c, s)
	}
}

// rayleigh is q·T·qᵀ/q·qᵀ for the tridiagonal matrix T.
func rayleigh(d, e, q []float64) float64 {
	sum, off, square := 0.0, 0.0, 0.0
	for i, x := range q {
		sum += d[i] * x * x
		square += x * x
		if i > 0 {
			off += e[i-1] * x * q[i-1]
		}
	}
	return (sum + 2*off) / square
}

// solvePair diagonalises a block of order 2 by the rotation of Jacobi.
func solvePair(d []float64, off float64, rows blas64.General) {
	half := (d[1] - d[0]) / 2
	t := off / (half + math.Copysign(math.Sqrt(half*half+off*off), half))
	c := 1 / math.Sqrt(1+t*t)
	d[0] -= t * off
	d[1] += t * off
	rotatePair(rowOf(rows, 0), rowOf(rows, 1), c, -t*c)
}

// leafRotation is rotation for numbers of size 1 or less: no square overflows.
func leafRotation(x, y float64) (c, s, r float64) {
	square := x*x + y*y
	if square < 0x1p-900 {
		return rotation(x, y)
	}
	r = math.Sqrt(square)
	return x / r, y / r, r
}
