package blas

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
)

// The routines below work row by row: a row times a vector is a dot in 32 lanes, a multiple of a row added to a vector
// is an axpy. Vectors with other increments than 1 are copied, so that results do not depend on increments.

// Dgemv computes y = alpha·op(A)·x + beta·y for m×n A. Without transpose every y_i is fma(alpha, dot(row i, x),
// beta·y_i); with it the rows, each times alpha·x_i, are added to beta·y one after the other. Cost 2mn flops.
func (Implementation) Dgemv(tA gblas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	checkTranspose(tA)
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	checkIncX(incX)
	checkIncY(incY)
	if m == 0 || n == 0 {
		return
	}
	lenX, lenY := m, n
	if tA == gblas.NoTrans {
		lenX, lenY = n, m
	}
	checkX(len(x), lenX, incX)
	checkY(len(y), lenY, incY)
	checkA(len(a), m, n, lda)

	if incX == 1 && incY == 1 { // apart from the rest, which costs as much as a small product
		gemv(tA, alpha, x[:lenX], a, lda, beta, y[:lenY])
		return
	}
	xs, ys := gather(lenX, x, incX), gather(lenY, y, incY)
	defer xs.free()
	defer ys.free()
	gemv(tA, alpha, xs.data, a, lda, beta, ys.data)
	ys.scatter(y, incY)
}

// gemv is Dgemv on contiguous vectors, on several threads if they are awake: one that has to be woken comes too late
// for a matrix of order 500.
func gemv(tA gblas.Transpose, alpha float64, x, a []float64, lda int, beta float64, y []float64) {
	if len(x)*len(y) >= awakeNumbers {
		if threads := Awake(); threads > 1 {
			shareGemv(threads, tA, alpha, x, a, lda, beta, y)
			return
		}
	}
	gemvAlone(tA, alpha, x, a, lda, beta, y)
}

// shareGemv is gemv on several threads, each with parts of y: no sum is cut. Rows come in many parts. Columns come in
// one for each thread: parts of 128 columns of 1024, of which the processor does not read ahead, take a quarter longer.
func shareGemv(threads int, tA gblas.Transpose, alpha float64, x, a []float64, lda int, beta float64, y []float64) {
	step, size := lda, piece(len(y), 8)
	if tA != gblas.NoTrans {
		step, size = 1, max(128, evenly(len(y), ceil(len(y), threads), 8))
	}
	size = max(size, ceil(awakeNumbers/2, len(x))) // of some microseconds
	Share(threads, ceil(len(y), size), func(task int) {
		from := task * size
		to := min(from+size, len(y))
		gemvAlone(tA, alpha, x, a[from*step:], lda, beta, y[from:to])
	})
}

// gemvAlone is gemv on this goroutine.
func gemvAlone(tA gblas.Transpose, alpha float64, x, a []float64, lda int, beta float64, y []float64) {
	id := current().id
	scaleVector(id, beta, y)
	switch {
	case alpha == 0:
	case tA == gblas.NoTrans:
		id.dotRows(alpha, a, lda, x, y)
	default:
		addRows(id, alpha, x, a, lda, y)
	}
}

// scaleVector is y = beta·y; beta = 0 overwrites.
func scaleVector(id isa, beta float64, y []float64) {
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		id.scal(beta, y)
	}
}

// addRows adds alpha·x_i times row i of A to y, four rows in a pass. The bits are the same as of one row after the
// other.
func addRows(id isa, alpha float64, x, a []float64, lda int, y []float64) {
	if id.shortRows(alpha, x, a, lda, y) {
		return
	}
	i := 0
	for ; i+4 <= len(x); i += 4 {
		factors := [4]float64{alpha * x[i], alpha * x[i+1], alpha * x[i+2], alpha * x[i+3]}
		id.axpy4(&factors, a[i*lda:], lda, y)
	}
	for ; i < len(x); i++ {
		id.axpy(alpha*x[i], a[i*lda:i*lda+len(y)], y)
	}
}

// Dger computes A = fma(alpha·x_i, y_j, A) for m×n A.
func (Implementation) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int) {
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	checkIncX(incX)
	checkIncY(incY)
	if m == 0 || n == 0 {
		return
	}
	checkX(len(x), m, incX)
	checkY(len(y), n, incY)
	checkA(len(a), m, n, lda)
	if alpha == 0 {
		return
	}
	id := current().id
	ys := gather(n, y, incY)
	defer ys.free()
	at := start(m, incX)
	for i := range m {
		id.axpy(alpha*x[at], ys.data, a[i*lda:i*lda+n])
		at += incX
	}
}

// checkSquare checks the arguments that the routines on a triangle share, and reports whether there is anything to do.
func checkSquare(ul gblas.Uplo, n int, lda int) bool {
	checkUplo(ul)
	checkN(n)
	checkLdA(lda, n)
	return n > 0
}

// span is the part of row i in the triangle.
func span(ul gblas.Uplo, i, n int) (lo, hi int) {
	if ul == gblas.Upper {
		return i, n
	}
	return 0, i + 1
}

// Dsyr adds alpha·x·xᵀ to a triangle of A.
func (Implementation) Dsyr(ul gblas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	present := checkSquare(ul, n, lda)
	checkIncX(incX)
	if !present {
		return
	}
	checkX(len(x), n, incX)
	checkA(len(a), n, n, lda)
	if alpha == 0 {
		return
	}
	id := current().id
	xs := gather(n, x, incX)
	defer xs.free()
	for i, v := range xs.data {
		lo, hi := span(ul, i, n)
		id.axpy(alpha*v, xs.data[lo:hi], a[i*lda+lo:i*lda+hi])
	}
}

// Dsyr2 adds alpha·x·yᵀ, then alpha·y·xᵀ to a triangle of A.
func (Implementation) Dsyr2(ul gblas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64, lda int) {
	present := checkSquare(ul, n, lda)
	checkIncX(incX)
	checkIncY(incY)
	if !present {
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	checkA(len(a), n, n, lda)
	if alpha == 0 {
		return
	}
	id := current().id
	xs, ys := gather(n, x, incX), gather(n, y, incY)
	defer xs.free()
	defer ys.free()
	for i := range n {
		lo, hi := span(ul, i, n)
		id.axpy(alpha*xs.data[i], ys.data[lo:hi], a[i*lda+lo:i*lda+hi])
		id.axpy(alpha*ys.data[i], xs.data[lo:hi], a[i*lda+lo:i*lda+hi])
	}
}

// Dsymv computes y = alpha·A·x + beta·y for symmetric A, of which one triangle is read, once: row i serves as a row and
// as a column.
func (Implementation) Dsymv(ul gblas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int) {
	present := checkSquare(ul, n, lda)
	checkIncX(incX)
	checkIncY(incY)
	if !present {
		return
	}
	checkX(len(x), n, incX)
	checkY(len(y), n, incY)
	checkA(len(a), n, n, lda)
	id := current().id
	ys := gather(n, y, incY)
	defer ys.free()
	scaleVector(id, beta, ys.data)
	if alpha != 0 {
		xs := gather(n, x, incX)
		defer xs.free()
		for i, v := range xs.data {
			lo, hi := span(ul, i, n)
			row := a[i*lda+lo : i*lda+hi]
			ys.data[i] = math.FMA(alpha, id.dot(row, xs.data[lo:hi]), ys.data[i])
			if ul == gblas.Upper { // the column, without the diagonal
				id.axpy(alpha*v, row[1:], ys.data[i+1:])
			} else {
				id.axpy(alpha*v, row[:i], ys.data[:i])
			}
		}
	}
	ys.scatter(y, incY)
}
