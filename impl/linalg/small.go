package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// The reductions of small matrices in plain loops, one reflector after the other: there a call of a kernel, with its
// checks, takes longer than the few numbers that it works on.

// smallSize is the number of entries up to which reflectors are applied so, plainSize up to which a matrix is reduced
// so.
const (
	smallSize = 20 * 20
	plainSize = 10 * 10
)

// smallRow is the length of rows up to which a loop rotates them faster than a call.
const smallRow = 10

// dot and axpy take the length of x.
func dot(x, y []float64) float64 {
	sum := 0.0
	y = y[:len(x)]
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}

// smallReflector is reflector where no square overflows.
func smallReflector(x []float64) (beta, tau float64) {
	tail := x[1:]
	square := dot(tail, tail)
	if square < 0x1p-900 {
		return reflector(x)
	}
	alpha := x[0]
	beta = -math.Copysign(math.Sqrt(alpha*alpha+square), alpha)
	factor := 1 / (alpha - beta)
	for i := range tail {
		tail[i] *= factor
	}
	x[0] = 1
	return beta, 2 / (1 + dot(tail, tail))
}

// rotatePair is Drot on two rows of one length.
func rotatePair(x, y []float64, c, s float64) {
	if len(x) > smallRow {
		kernels.Drot(len(x), x, 1, y, 1, c, s)
		return
	}
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = c*v+s*y[i], c*y[i]-s*v
	}
}

// bidiagonaliseSmall is bidiagonalise for a small matrix.
func (w *workspace) bidiagonaliseSmall(a blas64.General) (d, e []float64, left, right reflectors) {
	m, n := a.Rows, a.Cols
	d, e = w.take(n), w.take(max(0, n-1))
	left = reflectors{v: w.blank(n, m), tau: w.zeros(n)}
	right = reflectors{v: w.blank(max(0, n-2), n), tau: w.zeros(max(0, n-2)), offset: 1}
	y := w.take(n)
	for j := range n {
		u := rowOf(left.v, j)[j:]
		for i := range u {
			u[i] = a.Data[(j+i)*a.Stride+j]
		}
		d[j], left.tau[j] = smallReflector(u)
		if j == n-1 {
			break
		}
		y := y[:n-j-1]
		clear(y)
		for i, factor := range u {
			axpy(factor, rowOf(a, j+i)[j+1:], y)
		}
		for i, factor := range u {
			axpy(-left.tau[j]*factor, y, rowOf(a, j+i)[j+1:])
		}
		if j == n-2 { // one entry needs no reflector
			e[j] = a.Data[j*a.Stride+j+1]
			continue
		}
		v := rowOf(right.v, j)[j+1:]
		copy(v, rowOf(a, j)[j+1:])
		e[j], right.tau[j] = smallReflector(v)
		for i := j + 1; i < m; i++ {
			row := rowOf(a, i)[j+1:]
			axpy(-right.tau[j]*dot(v, row), v, row)
		}
	}
	return d, e, left, right
}

// tridiagonaliseSmall is tridiagonalise for a small matrix.
func (w *workspace) tridiagonaliseSmall(a blas64.General, d, e []float64) reflectors {
	n := a.Rows
	r := reflectors{v: part(a, 0, 0, max(0, n-2), n), tau: w.zeros(max(0, n-2)), offset: 1}
	y := w.take(n)
	for j := range n {
		row := rowOf(a, j)
		d[j] = row[j]
		clear(row[:j+1])
		if j == n-2 {
			e[j], row[n-1] = row[n-1], 0
		}
		if j >= n-2 {
			continue
		}
		x, y := row[j+1:], y[:n-j-1]
		var tau float64
		e[j], tau = smallReflector(x)
		r.tau[j] = tau
		clear(y)
		for i, v := range x { // y = A·x from the upper triangle
			upper := rowOf(a, j+1+i)[j+1+i:]
			y[i] += dot(upper, x[i:])
			axpy(v, upper[1:], y[i+1:])
		}
		half := tau / 2 * dot(x, y)
		for i, v := range x {
			y[i] = tau * (y[i] - half*v)
		}
		for i, v := range x {
			upper := rowOf(a, j+1+i)[j+1+i:]
			axpy(-v, y[i:], upper)
			axpy(-y[i], x[i:], upper)
		}
	}
	return r
}

// applySmall is applyBackward for small rows.
func (r reflectors) applySmall(rows blas64.General) {
	for j := r.v.Rows - 1; j >= 0; j-- {
		at := r.offset + j
		v, tau := r.v.Data[j*r.v.Stride+at:j*r.v.Stride+r.v.Cols], r.tau[j]
		for i := range rows.Rows {
			row := rows.Data[i*rows.Stride+at:]
			axpy(-tau*dot(v, row), v, row)
		}
	}
}
