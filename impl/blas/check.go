package blas

import (
	"math/bits"

	gblas "gonum.org/v1/gonum/blas"
)

// Arguments are checked as gonum documents it: a bad one panics, with a message of the same meaning. Lengths are
// checked only when there is something to read.

func checkTranspose(t gblas.Transpose) {
	if t != gblas.NoTrans && t != gblas.Trans && t != gblas.ConjTrans {
		panic("blas: illegal transpose")
	}
}

func checkUplo(u gblas.Uplo) {
	if u != gblas.Upper && u != gblas.Lower {
		panic("blas: illegal triangle")
	}
}

func checkSide(s gblas.Side) {
	if s != gblas.Left && s != gblas.Right {
		panic("blas: illegal side")
	}
}

func checkDiag(d gblas.Diag) {
	if d != gblas.NonUnit && d != gblas.Unit {
		panic("blas: illegal diagonal")
	}
}

func checkM(m int) {
	if m < 0 {
		panic("blas: m < 0")
	}
}

func checkN(n int) {
	if n < 0 {
		panic("blas: n < 0")
	}
}

func checkK(k int) {
	if k < 0 {
		panic("blas: k < 0")
	}
}

func checkLdA(ld, cols int) {
	if ld < max(1, cols) {
		panic("blas: bad leading dimension of A")
	}
}

func checkLdB(ld, cols int) {
	if ld < max(1, cols) {
		panic("blas: bad leading dimension of B")
	}
}

func checkLdC(ld, cols int) {
	if ld < max(1, cols) {
		panic("blas: bad leading dimension of C")
	}
}

func checkA(length, rows, cols, ld int) {
	if !holds(length, rows, cols, uint(ld)) {
		panic("blas: insufficient length of a")
	}
}

func checkB(length, rows, cols, ld int) {
	if !holds(length, rows, cols, uint(ld)) {
		panic("blas: insufficient length of b")
	}
}

func checkC(length, rows, cols, ld int) {
	if !holds(length, rows, cols, uint(ld)) {
		panic("blas: insufficient length of c")
	}
}

func checkIncX(inc int) {
	if inc == 0 {
		panic("blas: zero x index increment")
	}
}

func checkIncY(inc int) {
	if inc == 0 {
		panic("blas: zero y index increment")
	}
}

func checkX(length, n, inc int) {
	if !holds(length, n, 1, abs(inc)) {
		panic("blas: insufficient length of x")
	}
}

func checkY(length, n, inc int) {
	if !holds(length, n, 1, abs(inc)) {
		panic("blas: insufficient length of y")
	}
}

// holds reports that rows of cols elements fit into a slice, the first elements of two rows being ld apart:
// (rows-1)·ld+cols ≤ length. The product has two words, because one that wraps around lets assembly write wherever it
// points. Without rows there is nothing to read.
func holds(length, rows, cols int, ld uint) bool {
	if rows < 1 {
		return true
	}
	high, low := bits.Mul(uint(rows-1), ld)
	return cols <= length && high == 0 && low <= uint(length-cols)
}

// abs is |i|, for the least integer too.
func abs(i int) uint {
	if i < 0 {
		return -uint(i)
	}
	return uint(i)
}
