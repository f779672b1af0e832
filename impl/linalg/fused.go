package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// The reductions of matrices that stay in cache: one reflector after the other, and the update by the last one in the
// same pass as the product with the next one (kernel.UpdateGemv). Panels, which read the matrix as often and write it
// less, pay where it comes from memory.

// fusedSize is the number of entries up to which a matrix is reduced so.
const fusedSize = secondLevel * 9 / 16

// vectorWidth divides the strides here, and the first column of every pass, so that no row has a remainder; the numbers
// which that adds are zeros, or are not looked at.
const vectorWidth = 4

func roundUp(n int) int   { return (n + vectorWidth - 1) / vectorWidth * vectorWidth }
func roundDown(n int) int { return n / vectorWidth * vectorWidth }

// cachedReflector is reflector where no square overflows.
func cachedReflector(x []float64) (beta, tau float64) {
	tail := x[1:]
	square := kernels.Ddot(len(tail), tail, 1, tail, 1)
	if square < 0x1p-900 {
		return reflector(x)
	}
	alpha := x[0]
	beta = -math.Copysign(math.Sqrt(alpha*alpha+square), alpha)
	kernels.Dscal(len(tail), 1/(alpha-beta), tail, 1)
	x[0] = 1
	return beta, 2 / (1 + kernels.Ddot(len(tail), tail, 1, tail, 1)) // as in reflector
}

// padded is an r×c matrix of zeros whose stride is a multiple of vectorWidth.
func (w *workspace) padded(r, c int) blas64.General {
	g := w.blank(r, roundUp(c))
	g.Cols = c
	return g
}

// tridiagonaliseFused is tridiagonalise for a matrix in cache. It works on all of the matrix, not on a triangle.
func (w *workspace) tridiagonaliseFused(a blas64.General, d, e []float64) reflectors {
	n := a.Rows
	full := w.padded(n, n)
	transposeInto(full, a)
	for i := range n {
		copy(rowOf(full, i)[i:], rowOf(a, i)[i:])
	}
	width := full.Stride
	r := reflectors{v: part(full, 0, 0, max(0, n-2), n), tau: w.zeros(max(0, n-2)), offset: 1}
	x, y, next := w.zeros(width), w.zeros(width), w.zeros(width) // the matrix is full - x·yᵀ - y·xᵀ
	for j := range n {
		row := full.Data[j*width : (j+1)*width]
		if j > 0 {
			axpy(-x[j], y[j:n], row[j:n])
			axpy(-y[j], x[j:n], row[j:n])
		}
		d[j] = row[j]
		clear(row[:j+1])
		if j >= n-2 {
			if j == n-2 {
				e[j], row[n-1] = row[n-1], 0
			}
			continue
		}
		e[j], r.tau[j] = cachedReflector(row[j+1 : n])
		from := roundDown(j + 1)
		clear(next[from:])
		kernel.UpdateGemv(n-j-1, width-from, full.Data[(j+1)*width+from:], width,
			x[j+1:], y[from:], y[j+1:], x[from:], row[j+1:], next[from:])
		clear(next[from : j+1])
		x, y, next = row, next, y
		half := r.tau[j] / 2 * kernels.Ddot(n-j-1, x[j+1:], 1, y[j+1:], 1)
		for i, v := range x[j+1:] {
			y[j+1+i] = r.tau[j] * (y[j+1+i] - half*v)
		}
	}
	return r
}

// bidiagonaliseFused is bidiagonalise for a matrix in cache.
func (w *workspace) bidiagonaliseFused(a blas64.General) (d, e []float64, left, right reflectors) {
	m, n := a.Rows, a.Cols
	full := w.padded(m, n)
	for i := range m {
		copy(rowOf(full, i), rowOf(a, i))
	}
	width := full.Stride
	d, e = w.take(n), w.take(max(0, n-1))
	left = reflectors{v: w.blank(n, m), tau: w.zeros(n)}
	right = reflectors{v: w.padded(max(0, n-2), n), tau: w.zeros(max(0, n-2)), offset: 1}
	// the matrix is full - u·yᵀ - x·vᵀ
	none := w.zeros(width)
	u, x, v := w.zeros(m), w.zeros(m), none
	y, next := w.zeros(width), w.zeros(width)
	for j := range n {
		column := rowOf(left.v, j)[j:]
		for i := range column {
			column[i] = full.Data[(j+i)*width+j] - u[j+i]*y[j] - x[j+i]*v[j]
		}
		d[j], left.tau[j] = cachedReflector(column)
		if j == n-1 {
			break
		}
		from := roundDown(j + 1)
		clear(next[from:])
		kernel.UpdateGemv(m-j, width-from, full.Data[j*width+from:], width,
			u[j:], y[from:], x[j:], v[from:], column, next[from:])
		clear(next[from : j+1])
		kernels.Dscal(width-from, left.tau[j], next[from:], 1)
		u, y, next = rowOf(left.v, j), next, y
		row := full.Data[j*width : (j+1)*width]
		axpy(-1, y[j+1:], row[j+1:])
		if j == n-2 { // one entry needs no reflector
			e[j], v = row[n-1], none
			continue
		}
		v = right.v.Data[j*width : (j+1)*width]
		copy(v[j+1:], row[j+1:])
		e[j], right.tau[j] = cachedReflector(v[j+1 : n])
		// x = tau·(A - u·yᵀ)·v
		kernel.TimesRows(m-j-1, width-from, full.Data[(j+1)*width+from:], width, v[from:], x[j+1:])
		inner := kernels.Ddot(width-from, v[from:], 1, y[from:], 1)
		for i, t := range x[j+1:] {
			x[j+1+i] = right.tau[j] * (t - inner*u[j+1+i])
		}
	}
	return d, e, left, right
}
