package blas

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// Dlasr applies one sweep of plane rotations to the m×n matrix A in place, with LAPACK's choice of planes. The rotations turn the rows of A
// (Left) or its columns (Right); z is their number, and rotation k, with cosine c[k] and sine s[k], turns
//
//	Variable  k and k+1
//	Top       0 and k+1
//	Bottom    k and z-1
//
// like Drot, for k = 0, …, z-2, ascending (Forward) or descending (Backward). The result has the bits of one Drot after the other. Cost
// 6(z-1) flops per row or column. Many sweeps in the variable plane are faster together, by ApplyRotations.
func (Implementation) Dlasr(side gblas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64, lda int) {
	checkSide(side)
	if pivot != lapack.Variable && pivot != lapack.Top && pivot != lapack.Bottom {
		panic("blas: illegal pivot")
	}
	if direct != lapack.Forward && direct != lapack.Backward {
		panic("blas: illegal direction")
	}
	checkM(m)
	checkN(n)
	checkLdA(lda, n)
	if m == 0 || n == 0 {
		return
	}
	z := n
	if side == gblas.Left {
		z = m
	}
	if len(c) < z-1 {
		panic("blas: insufficient length of c")
	}
	if len(s) < z-1 {
		panic("blas: insufficient length of s")
	}
	checkA(len(a), m, n, lda)
	backward := direct == lapack.Backward
	switch {
	case pivot == lapack.Variable:
		ApplyRotations(side, backward, m, n, 1, c, s, max(1, z-1), a, lda)
	case side == gblas.Left:
		turnRows(pivot, backward, m, n, c, s, a, lda)
	default:
		for i := range m {
			turnRow(pivot, backward, c, s, a[i*lda:i*lda+n])
		}
	}
}

// turnRows turns rows against the first or the last one, which stays in cache while the others pass once.
func turnRows(pivot lapack.Pivot, backward bool, m, n int, c, s, a []float64, lda int) {
	id := current().id
	row := func(i int) []float64 { return a[i*lda : i*lda+n] }
	for i := range m - 1 {
		k := i
		if backward {
			k = m - 2 - i
		}
		if pivot == lapack.Top {
			id.rot(row(0), row(k+1), c[k], s[k])
		} else {
			id.rot(row(k), row(m-1), c[k], s[k])
		}
	}
}

// turnRow applies all rotations of columns to one row. The pivot is carried along in a register.
func turnRow(pivot lapack.Pivot, backward bool, c, s, row []float64) {
	last := len(row) - 1
	first, step := 0, 1
	if backward {
		first, step = last-1, -1
	}
	if pivot == lapack.Top {
		x, others := row[0], row[1:]
		for k := first; 0 <= k && k < last; k += step {
			y := others[k]
			x, others[k] = math.FMA(c[k], x, float64(s[k]*y)), math.FMA(c[k], y, -float64(s[k]*x))
		}
		row[0] = x
		return
	}
	y := row[last]
	for k := first; 0 <= k && k < last; k += step {
		x := row[k]
		row[k], y = math.FMA(c[k], x, float64(s[k]*y)), math.FMA(c[k], y, -float64(s[k]*x))
	}
	row[last] = y
}
