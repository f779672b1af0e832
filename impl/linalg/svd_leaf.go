package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
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

// iterateBidiagonal diagonalises a square bidiagonal matrix of size 1; d may become negative.
func iterateBidiagonal(d, e []float64, u, v blas64.General) error {
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
		size := last - first + 1
		sweepBidiagonal(d[first:last+1], e[first:last], part(u, first, 0, size, u.Cols), part(v, first, 0, size, v.Cols), tol)
		if sweeps++; sweeps%patience == 0 {
			tol *= 2
		}
		if sweeps > maxSweeps {
			return errSweeps
		}
	}
	return nil
}

// sweepBidiagonal is one implicit QR step on an unreduced block (Golub, Kahan, SIAM J. Numer. Anal. 2 (1965) 205).
func sweepBidiagonal(d, e []float64, u, v blas64.General, tol float64) {
	last := len(d) - 1
	shift := bidiagonalShift(d, e, tol)
	upperU, upperV := rowOf(u, 0), rowOf(v, 0)
	f, g := d[0], e[0]
	if shift != 0 {
		f = (math.Abs(d[0]) - shift) * (math.Copysign(1, d[0]) + shift/d[0])
	}
	for i := range last {
		c, s, r := leafRotation(f, g)
		if i > 0 {
			e[i-1] = r
		}
		f, e[i] = c*d[i]+s*e[i], c*e[i]-s*d[i]
		g, d[i+1] = s*d[i+1], c*d[i+1]
		lower := rowOf(v, i+1)
		rotatePair(upperV, lower, c, s)
		upperV = lower
		c, s, d[i] = leafRotation(f, g)
		f, d[i+1] = c*e[i]+s*d[i+1], c*d[i+1]-s*e[i]
		if i < last-1 {
			g, e[i+1] = s*e[i+1], c*e[i+1]
		}
		lower = rowOf(u, i+1)
		rotatePair(upperU, lower, c, s)
		upperU = lower
	}
	e[last-1] = f
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
