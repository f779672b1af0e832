package dlblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// HasRotations reports whether the library has LAPACK's dlasr.
func (l *Library) HasRotations() bool { return l.dlasr != nil }

// Dlasr applies one sweep of plane rotations to the m×n matrix A in place, from the left or the right, as gonum's
// Dlasr: it calls LAPACK's dlasr for the other side of Aᵀ, which is A in LAPACK's storage. It panics when the library
// has none.
func (l *Library) Dlasr(side blas.Side, pivot lapack.Pivot, direct lapack.Direct, m, n int, c, s, a []float64,
	lda int) {
	if l.dlasr == nil {
		panic("dlblas: the library has no dlasr")
	}
	if pivot != lapack.Variable && pivot != lapack.Top && pivot != lapack.Bottom {
		panic("dlblas: illegal pivot")
	}
	if direct != lapack.Forward && direct != lapack.Backward {
		panic("dlblas: illegal direction")
	}
	if m < 0 || n < 0 || lda < max(1, n) {
		panic("dlblas: illegal dimensions")
	}
	if m == 0 || n == 0 {
		return
	}
	turned := n
	if side == blas.Left {
		turned = m
	}
	if len(c) < turned-1 || len(s) < turned-1 || len(a) < (m-1)*lda+n {
		panic("dlblas: insufficient length")
	}
	other, which, order := others[int64(sideNumber(side))], byte(pivot), byte(direct)
	rows, cols, ld := small(n), small(m), small(lda)
	l.dlasr(&other, &which, &order, &rows, &cols, at(c), at(s), &a[0], &ld, 1, 1, 1)
}
