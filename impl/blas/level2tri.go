package blas

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
)

// Dtrmv computes x = op(A)·x for triangular A. Cost n² flops.
func (Implementation) Dtrmv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	triangularVector(false, ul, tA, d, n, a, lda, x, incX)
}

// Dtrsv solves op(A)·x' = x for triangular A; x' replaces x. Elements are divided by the diagonal, whatever it is. Cost
// n² flops.
func (Implementation) Dtrsv(ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n int, a []float64, lda int, x []float64,
	incX int) {
	triangularVector(true, ul, tA, d, n, a, lda, x, incX)
}

func triangularVector(solve bool, ul gblas.Uplo, tA gblas.Transpose, d gblas.Diag, n int, a []float64, lda int,
	x []float64, incX int) {
	checkUplo(ul)
	checkTranspose(tA)
	checkDiag(d)
	checkN(n)
	checkLdA(lda, n)
	checkIncX(incX)
	if n == 0 {
		return
	}
	checkA(len(a), n, n, lda)
	checkX(len(x), n, incX)

	id := current().id
	xs := gather(n, x, incX)
	defer xs.free()
	// A product takes element i before it is overwritten, a solution after: from the top for an upper A, from below for
	// its inverse, and the other way round for the transposes.
	fromTop := (ul == gblas.Upper) == (tA == gblas.NoTrans) != solve
	for r := range n {
		i := r
		if !fromTop {
			i = n - 1 - r
		}
		lo, hi := span(ul, i, n)
		if ul == gblas.Upper {
			lo = i + 1
		} else {
			hi = i
		}
		diagonal := 1.0
		if d == gblas.NonUnit {
			diagonal = a[i*lda+i]
		}
		triangularRow(id, solve, tA, diagonal, a[i*lda+lo:i*lda+hi], xs.data[lo:hi], &xs.data[i])
	}
	xs.scatter(x, incX)
}

// triangularRow does what row i of A, its diagonal and the entries next to it, has to do with x_i and the elements x
// next to it. A row of op(A) takes a dot, a column an axpy.
func triangularRow(id isa, solve bool, tA gblas.Transpose, diagonal float64, beside, x []float64, xi *float64) {
	switch {
	case tA == gblas.NoTrans && solve:
		*xi = (*xi - id.dot(beside, x)) / diagonal
	case tA == gblas.NoTrans:
		*xi = math.FMA(*xi, diagonal, id.dot(beside, x))
	case solve:
		*xi /= diagonal
		id.axpy(-*xi, beside, x)
	default:
		id.axpy(*xi, beside, x)
		*xi *= diagonal
	}
}
