package linalg

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// SVD factorises the m×n matrix a = u·diag(s)·vᵀ and leaves a unchanged; s is descending and not negative. With mat.SVDNone u and v are nil;
// with mat.SVDThin u is m×r and v n×r for r = min(m, n), with mat.SVDFull they are square; the kinds for one side work likewise. An entry that
// is not finite gives an error that wraps [ErrNotFinite] and names the entry; a singular value beyond the largest number is an error too. For an
// empty matrix all results are nil.
//
// Method: scaling by a power of two, QR first if one side is much longer, blocked bidiagonalisation, divide and conquer, blocked
// back-transformation; values alone by the dqds algorithm. Cost about 28/3·n³ flops with all vectors of a square matrix, 8/3·n³ without.
func SVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	m, n := a.Dims()
	if m == 0 || n == 0 {
		return nil, nil, nil, nil
	}
	scale, err := safeScale(a)
	if err != nil {
		return nil, nil, nil, err
	}
	r := min(m, n)
	nu, nv := vectorCount(kind, mat.SVDThinU, mat.SVDFullU, r, m), vectorCount(kind, mat.SVDThinV, mat.SVDFullV, r, n)
	long, short := nu, nv
	if m < n { // the transpose is factorised
		long, short = nv, nu
	}
	f := condense(a.RawMatrix(), scale)
	if long == 0 && short == 0 {
		s, err = f.values()
	} else {
		s, u, v, err = f.vectors(long, short)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if m < n {
		u, v = v, u
	}
	for i := range s {
		if s[i] /= scale; math.IsInf(s[i], 0) {
			return nil, nil, nil, errOverflow
		}
	}
	return u, s, v, nil
}

// vectorCount is the number of vectors on one side that the kind asks for.
func vectorCount(kind, thin, full mat.SVDKind, r, size int) int {
	switch {
	case kind&full != 0:
		return size
	case kind&thin != 0:
		return r
	}
	return 0
}

// safeScale is a power of two that brings the largest entry of a near 1.
func safeScale(a *mat.Dense) (float64, error) {
	m, _ := a.Dims()
	size := 0.0
	for i := range m {
		row := a.RawRowView(i)
		top := largest(row)
		if !(top <= math.MaxFloat64) {
			j := notFinite(row)
			return 0, errNotFinite(i, j, row[j])
		}
		size = max(size, top)
	}
	return normaliser(size), nil
}

// condensed is a matrix of n columns, and no fewer rows, as Q·U·B·Vᵀ with products of reflectors Q, U and V and bidiagonal B.
type condensed struct {
	rows           int
	d, e           []float64
	q, left, right reflectors // q has none unless the matrix is much longer than wide
}

// condense reduces scale·a, or its transpose if that is the longer one.
func condense(a blas64.General, scale float64) condensed {
	m, n := max(a.Rows, a.Cols), min(a.Rows, a.Cols)
	tall := a.Rows >= a.Cols
	// The QR factorisation costs 2mn² - 2/3·n³ flops at the speed of matrix products and saves 4(m-n)n² of which half are at that of memory.
	first := 2*m > 3*n
	work := newGeneral(m, n)
	if first {
		work = newGeneral(n, m)
	}
	if tall == first {
		transposeInto(work, a, nil)
	} else {
		for i := range a.Rows {
			copy(rowOf(work, i), rowOf(a, i))
		}
	}
	kernels.Dscal(len(work.Data), scale, work.Data, 1)
	c := condensed{rows: m}
	if first {
		var l blas64.General
		l, c.q = reduceRows(work)
		work = newGeneral(n, n)
		transposeInto(work, l, nil)
	}
	c.d, c.e, c.left, c.right = bidiagonalise(work)
	return c
}

// reduceRows overwrites the n×m matrix a, n ≤ m, with the reflectors of a = L·(H_0·H_1···H_{n-1})ᵀ and returns the lower triangle L.
func reduceRows(a blas64.General) (l blas64.General, r reflectors) {
	n, m := a.Rows, a.Cols
	l, r = newGeneral(n, n), reflectors{v: a, tau: make([]float64, n)}
	p, q := newGeneral(n, wyBlock), newGeneral(n, wyBlock)
	for first := 0; first < n; first += wyBlock {
		next := min(n, first+wyBlock)
		w := make([]float64, next-first)
		for j := first; j < next; j++ {
			v := rowOf(a, j)[j:]
			copy(rowOf(l, j), rowOf(a, j)[:j])
			clear(rowOf(a, j)[:j])
			l.Data[j*n+j], r.tau[j] = reflector(v)
			if below := part(a, j+1, j, next-j-1, m-j); below.Rows > 0 {
				timesVector('N', r.tau[j], below, v, 0, w[:below.Rows])
				kernels.Dger(below.Rows, below.Cols, -1, w, 1, v, 1, below.Data, below.Stride)
			}
		}
		r.applyBlock('N', first, next-first, part(a, next, 0, n-next, m), p, q)
	}
	return l, r
}

// values returns the singular values, descending.
func (c condensed) values() ([]float64, error) {
	n := len(c.d)
	e := make([]float64, n)
	copy(e, c.e)
	if (gonum.Implementation{}).Dlasq1(n, c.d, e, make([]float64, 4*n)) != 0 {
		return nil, errors.New("linalg: dqds iteration for singular values did not converge")
	}
	return c.d, nil
}

// vectors returns the singular values, descending, and so many left and right vectors as columns, or nil for none.
func (c condensed) vectors(long, short int) (s []float64, u, v *mat.Dense, err error) {
	n := len(c.d)
	ut, vt, err := divideBidiagonal(c.d, c.e)
	if err != nil {
		return nil, nil, nil, err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.d[j], c.d[i]) })
	for _, i := range order {
		s = append(s, c.d[i])
	}
	if long > 0 {
		rows := inOrder(ut, order, long, c.rows)
		if c.q.v.Rows > 0 {
			c.left.applyBackward(part(rows, 0, 0, n, n))
			c.q.applyBackward(rows)
		} else {
			c.left.applyBackward(rows)
		}
		polish(rows)
		u = mat.NewDense(c.rows, long, nil)
		transposeInto(u.RawMatrix(), rows, nil)
	}
	if short > 0 {
		rows := inOrder(vt, order, n, n)
		c.right.applyBackward(rows)
		polish(rows)
		v = mat.NewDense(n, n, nil)
		transposeInto(v.RawMatrix(), rows, nil)
	}
	return s, u, v, nil
}

// inOrder is the count×size matrix with the rows of x in that order, zeros to their right, and unit vectors below.
func inOrder(x blas64.General, order []int, count, size int) blas64.General {
	rows := newGeneral(count, size)
	for i, from := range order {
		copy(rowOf(rows, i), rowOf(x, from))
	}
	for i := len(order); i < count; i++ {
		rows.Data[i*size+i] = 1
	}
	return rows
}
