package linalg

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// SVD factorises the m×n matrix a = u·diag(s)·vᵀ and leaves a unchanged; s is descending and not negative. With
// mat.SVDNone u and v are nil; with mat.SVDThin u is m×r and v n×r for r = min(m, n), with mat.SVDFull they are
// square; the kinds for one side work likewise. An entry that is not finite gives an error that wraps [ErrNotFinite]
// and names the entry; a singular value beyond the largest number is an error too. For an empty matrix all results
// are nil.
//
// Method: scaling by a power of two, QR first if one side is much longer, blocked bidiagonalisation, divide and
// conquer, blocked back-transformation; values alone by the dqds algorithm. Cost about 28/3·n³ flops with all vectors
// of a square matrix, 8/3·n³ without.
func SVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	m, n := a.Dims()
	if m == 0 || n == 0 {
		return nil, nil, nil, nil
	}
	r := min(m, n)
	nu, nv := vectorCount(kind, mat.SVDThinU, mat.SVDFullU, r, m), vectorCount(kind, mat.SVDThinV, mat.SVDFullV, r, n)
	s = make([]float64, r)
	var rawU, rawV blas64.General
	if nu > 0 {
		u = mat.NewDense(m, nu, nil)
		rawU = u.RawMatrix()
	}
	if nv > 0 {
		v = mat.NewDense(n, nv, nil)
		rawV = v.RawMatrix()
	}
	w := borrow()
	defer w.giveBack()
	if err := w.svd(a.RawMatrix(), s, rawU, rawV); err != nil {
		return nil, nil, nil, err
	}
	return u, s, v, nil
}

// svd is SVD of a matrix that is not empty, into results that are there: u and v have as many columns as there are to
// be vectors.
func (w *workspace) svd(a blas64.General, s []float64, u, v blas64.General) error {
	defer gather(a.Rows * a.Cols)()
	scale, err := safeScale(a)
	if err != nil {
		return err
	}
	if a.Rows < a.Cols { // the transpose is factorised
		u, v = v, u
	}
	c := w.condense(a, scale)
	if u.Cols == 0 && v.Cols == 0 {
		err = w.singularValues(c.d, c.e, s)
	} else {
		err = w.vectors(c, s, u, v)
	}
	if err != nil {
		return err
	}
	for i := range s {
		if s[i] /= scale; math.IsInf(s[i], 0) {
			return errOverflow
		}
	}
	return nil
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
func safeScale(a blas64.General) (float64, error) {
	size := 0.0
	for i := range a.Rows {
		row := rowOf(a, i)
		top := largest(row)
		if !(top <= math.MaxFloat64) {
			j := notFinite(row)
			return 0, errNotFinite(i, j, row[j])
		}
		size = max(size, top)
	}
	return normaliser(size), nil
}

// condensed is a matrix of n columns, and no fewer rows, as Q·U·B·Vᵀ with products of reflectors Q, U and V and
// bidiagonal B.
type condensed struct {
	rows           int
	d, e           []float64
	q, left, right reflectors // q has none unless the matrix is much longer than wide
}

// condense reduces scale·a, or its transpose if that is the longer one.
func (w *workspace) condense(a blas64.General, scale float64) condensed {
	m, n := max(a.Rows, a.Cols), min(a.Rows, a.Cols)
	tall := a.Rows >= a.Cols
	// The QR factorisation costs 2mn² - 2/3·n³ flops at the speed of matrix products and saves 4(m-n)n² of which half
	// are at that of memory.
	first := 2*m > 3*n
	work := w.general(m, n)
	if first {
		work.Rows, work.Cols, work.Stride = n, m, m
	}
	if tall == first {
		transposeInto(work, a)
	} else {
		for i := range a.Rows {
			copy(rowOf(work, i), rowOf(a, i))
		}
	}
	kernels.Dscal(len(work.Data), scale, work.Data, 1)
	c := condensed{rows: m}
	if first {
		var l blas64.General
		l, c.q = w.reduceRows(work)
		work = w.general(n, n)
		transposeInto(work, l)
	}
	c.d, c.e, c.left, c.right = w.bidiagonalise(work)
	return c
}

// reduceRows overwrites the n×m matrix a, n ≤ m, with the reflectors of a = L·(H_0·H_1···H_{n-1})ᵀ and returns the
// lower triangle L.
func (w *workspace) reduceRows(a blas64.General) (l blas64.General, r reflectors) {
	const size = wyBlock // smaller ones leave more than a residual of n roundings on constant and on graded matrices
	n, m := a.Rows, a.Cols
	l, r = w.blank(n, n), reflectors{v: a, tau: w.zeros(n), block: size}
	product := w.take(size)
	for first := 0; first < n; first += size {
		next := min(n, first+size)
		for j := first; j < next; j++ {
			v := rowOf(a, j)[j:]
			copy(rowOf(l, j), rowOf(a, j)[:j])
			clear(rowOf(a, j)[:j])
			l.Data[j*n+j], r.tau[j] = reflector(v)
			if below := part(a, j+1, j, next-j-1, m-j); below.Rows > 0 {
				timesVector('N', r.tau[j], below, v, 0, product[:below.Rows])
				kernels.Dger(below.Rows, below.Cols, -1, product, 1, v, 1, below.Data, below.Stride)
			}
		}
		w.applyBlock(r, 'N', first, next-first, part(a, next, 0, n-next, m))
	}
	return l, r
}

// vectors finds the singular values, descending, and the left and right vectors, as many as u and v have columns.
func (w *workspace) vectors(c condensed, s []float64, u, v blas64.General) error {
	n := len(c.d)
	ut, vt, err := w.divideBidiagonal(c.d, c.e)
	if err != nil {
		return err
	}
	order := w.ordered(c.d)
	slices.Reverse(order)
	for i, from := range order {
		s[i] = c.d[from]
	}
	if threads := threadsFrom(halvesOrder, n); threads > 1 && u.Cols > 0 && v.Cols > 0 {
		shareSides(threads, w, c, ut, vt, order, u, v)
		return nil
	}
	w.leftVectors(c, ut, order, u)
	w.rightVectors(c, vt, order, v)
	return nil
}

// shareSides makes the left vectors, in memory of their own, next to the right ones.
func shareSides(threads int, w *workspace, c condensed, ut, vt blas64.General, order []int, u, v blas64.General) {
	other := borrow()
	defer other.giveBack()
	kernel.Share(threads, 2, func(side int) {
		if side == 0 {
			w.rightVectors(c, vt, order, v)
		} else {
			other.leftVectors(c, ut, order, u)
		}
	})
}

// leftVectors makes as many vectors as u has columns from those of the bidiagonal matrix, which are the rows of ut in
// that order.
func (w *workspace) leftVectors(c condensed, ut blas64.General, order []int, u blas64.General) {
	if u.Cols == 0 {
		return
	}
	n := len(c.d)
	rows := w.inOrder(ut, order, u.Cols, c.rows)
	if c.q.v.Rows > 0 {
		w.applyBackward(c.left, part(rows, 0, 0, n, n))
		w.applyBackward(c.q, rows)
	} else {
		w.applyBackward(c.left, rows)
	}
	w.refine(rows)
	transposeInto(u, rows)
}

// rightVectors does the same for v.
func (w *workspace) rightVectors(c condensed, vt blas64.General, order []int, v blas64.General) {
	if v.Cols == 0 {
		return
	}
	n := len(c.d)
	rows := w.inOrder(vt, order, n, n)
	w.applyBackward(c.right, rows)
	w.refine(rows)
	transposeInto(v, rows)
}

// ordered lists the places of the values in ascending order.
func (w *workspace) ordered(values []float64) []int {
	order := sized(&w.order, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(values[i], values[j]), i-j) })
	return order
}

// inOrder is the count×size matrix with the rows of x in that order, zeros to their right, and unit vectors below.
func (w *workspace) inOrder(x blas64.General, order []int, count, size int) blas64.General {
	rows := w.blank(count, size)
	for i, from := range order {
		copy(rowOf(rows, i), rowOf(x, from))
	}
	for i := len(order); i < count; i++ {
		rows.Data[i*size+i] = 1
	}
	return rows
}
