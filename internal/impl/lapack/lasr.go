package lapack

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/thm-suite/thm/impl/blas"
)

// Implementation has the routines that gonum's lapack has as methods. The zero value is ready, and any number of
// goroutines may use it at once.
type Implementation struct{}

// Dlasr applies one sweep of plane rotations to the m×n matrix A in place. The rotations turn the rows of A (Left) or
// its columns (Right); z is their number, and rotation k, with cosine c[k] and sine s[k], turns
//
//	Variable  k and k+1
//	Top       0 and k+1
//	Bottom    k and z-1
//
// like Drot, for k = 0, …, z-2, ascending (Forward) or descending (Backward). The result has the bits of one Drot after
// the other. Cost 6(z-1) flops per row or column. Many sweeps in the variable plane are faster together, by
// [blas.ApplyRotations].
func (Implementation) Dlasr(side gblas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int,
	c, s, a []float64, lda int) {
	if side != gblas.Left && side != gblas.Right {
		panic("lapack: illegal side")
	}
	if pivot != lapack.Variable && pivot != lapack.Top && pivot != lapack.Bottom {
		panic("lapack: illegal pivot")
	}
	if direct != lapack.Forward && direct != lapack.Backward {
		panic("lapack: illegal direction")
	}
	checkDims(m, n, lda)
	if m == 0 || n == 0 {
		return
	}
	z := n
	if side == gblas.Left {
		z = m
	}
	if len(c) < z-1 {
		panic("lapack: insufficient length of c")
	}
	if len(s) < z-1 {
		panic("lapack: insufficient length of s")
	}
	checkA(a, m, n, lda)
	backward := direct == lapack.Backward
	switch {
	case pivot == lapack.Variable:
		blas.ApplyRotations(side, backward, m, n, 1, c, s, max(1, z-1), a, lda)
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
	row := func(i int) []float64 { return a[i*lda : i*lda+n] }
	for i := range m - 1 {
		k := i
		if backward {
			k = m - 2 - i
		}
		if pivot == lapack.Top {
			kernels.Drot(n, row(0), 1, row(k+1), 1, c[k], s[k])
		} else {
			kernels.Drot(n, row(k), 1, row(m-1), 1, c[k], s[k])
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
