package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// divideSVD is the divide-and-conquer SVD of an upper bidiagonal matrix.
type divideSVD struct {
	d, e []float64      // diagonal and superdiagonal; d becomes the singular values
	u, v blas64.General // vectors, one a row; blocks of zeros off the blocks that are solved
	*mergeSpace
}

// divideBidiagonal returns the singular values d ≥ 0 of the bidiagonal matrix (d, e), in no order, and their vectors in
// the rows of u and v. It overwrites d and e.
//
// Method: Gu and Eisenstat, SIAM J. Matrix Anal. Appl. 16 (1995) 79. A block of n rows has n columns if it is the last
// one and n+1 otherwise: it has one more right vector, for the value 0. Row i of u and of v belong to value i; the last
// row of v is the one more. Cost at most 8/3·n³ flops in matrix products.
func (w *workspace) divideBidiagonal(d, e []float64) (u, v blas64.General, err error) {
	n := len(d)
	t := divideSVD{d: d, e: e, u: w.blank(n, n), v: w.blank(n, n)}
	if n > leafOrder {
		t.mergeSpace = w.mergeSpace(n, 2)
	}
	return t.u, t.v, t.solve(0, n, n)
}

// solve treats the rows lo to hi-1 and the columns lo to end-1.
func (t *divideSVD) solve(lo, hi, end int) error {
	if hi == lo {
		if end > lo {
			t.v.Data[lo*t.v.Stride+lo] = 1
		}
		return nil
	}
	if hi-lo <= leafOrder {
		return t.block(lo, hi, end)
	}
	mid := (lo + hi) / 2 // the row between the blocks
	if err := t.halves(lo, mid, hi, end); err != nil {
		return err
	}
	return t.merge(lo, mid, hi, end)
}

// halves solves both blocks.
func (t *divideSVD) halves(lo, mid, hi, end int) error {
	if threads := threadsFrom(halvesOrder, hi-lo); threads > 1 {
		return t.shareHalves(threads, lo, mid, hi, end)
	}
	if err := t.solve(lo, mid, mid+1); err != nil {
		return err
	}
	return t.solve(mid+1, hi, end)
}

// shareHalves is halves on several threads. The first block has one vector more than rows.
func (t *divideSVD) shareHalves(threads, lo, mid, hi, end int) error {
	first, second := *t, *t
	first.mergeSpace, second.mergeSpace = t.mergeSpace.halves(mid + 1 - lo)
	return parallel(threads, 2, func(half int) error {
		if half == 0 {
			return first.solve(lo, mid, mid+1)
		}
		return second.solve(mid+1, hi, end)
	})
}

// merge turns the row between two blocks into the first row z of the inner problem: z times diag(0, d). The value 0
// takes the right vector of the first block for the value 0 and, on the left, the unit vector of that row.
func (t *divideSVD) merge(lo, mid, hi, end int) error {
	d, n, m, at := t.d[lo:hi], hi-lo, end-lo, mid-lo
	u, v := part(t.u, lo, lo, n, n), part(t.v, lo, lo, m, m)
	alpha, beta := t.d[mid], 0.0
	if mid+1 < end {
		beta = t.e[mid]
	}
	d[at] = 0
	u.Data[at*u.Stride+at] = 1
	size := max(math.Abs(alpha), math.Abs(beta), largest(d))
	scale := normaliser(size)

	poles := t.poles[:n]
	for i, x := range d {
		poles[i] = pole{d: x * scale, row: i}
		if i <= at {
			poles[i].z, poles[i].side = alpha*scale*v.Data[i*v.Stride+at], left
		} else {
			poles[i].z, poles[i].side = beta*scale*v.Data[i*v.Stride+at+1], right
		}
	}
	if m > n {
		poles[at].z = t.joinNull(v, at, poles[at].z, beta*scale*v.Data[n*v.Stride+at+1])
	}
	poles[at].side = both // on the left it is in neither half, on the right in both
	poles[0], poles[at] = poles[at], poles[0]
	slices.SortStableFunc(poles[1:], byValue)

	tol := deflation * (size * scale)
	kept, dropped := t.deflate(poles, true, 1, tol, func(i, j int, c, s float64) {
		kernels.Drot(n, rowOf(u, i), 1, rowOf(u, j), 1, c, s)
		kernels.Drot(m, rowOf(v, i), 1, rowOf(v, j), 1, c, s)
	})
	if err := t.update(u, v, at+1, kept, dropped, tol); err != nil {
		return err
	}
	k := len(kept)
	for i := range kept {
		d[i] = kept[i].d / scale
	}
	for i, p := range dropped {
		d[k+i] = p.d / scale
	}
	return nil
}

// joinNull rotates the vectors for the value 0 of the two blocks so that the second is one of the whole, and returns
// what the first has of z.
func (t *divideSVD) joinNull(v blas64.General, at int, z, y float64) float64 {
	c, s, r := rotation(z, y)
	kernels.Drot(v.Cols, rowOf(v, at), 1, rowOf(v, v.Rows-1), 1, c, s)
	return r
}

// update solves the inner problem and recombines the vectors. kept[i].d becomes the singular values.
func (t *divideSVD) update(u, v blas64.General, split int, kept, dropped []pole, tol float64) error {
	k := len(kept)
	if k > 1 { // a change by less than tol keeps the first two poles apart and every z from zero
		if math.Abs(kept[0].z) < tol {
			kept[0].z = math.Copysign(tol, kept[0].z)
		}
		kept[1].d = max(kept[1].d, tol/2)
	}
	order, place := t.arrange(kept)
	left := blas64.General{Rows: k, Cols: k, Stride: k, Data: t.s[:k*k]}
	right := blas64.General{Rows: k, Cols: k, Stride: k, Data: t.t[:k*k]}
	if err := t.updateSingularVectors(kept, place, left, right); err != nil {
		return err
	}
	t.recombine(u, split, order, dropped, left)
	if v.Rows > u.Rows {
		dropped = append(dropped, pole{row: v.Rows - 1})
	}
	t.recombine(v, split, order, dropped, right)
	return nil
}

// updateSingularVectors finds the singular values of the matrix with first row z and diagonal (0, d_1, …), ascending,
// which replace the d of the poles, and its vectors in the rows of left and right:
//
//	v_i = z_i/(d_i² - σ²), u_0 = -1, u_i = d_i·v_i, normalised, entry i in column place[i]
func (w *mergeSpace) updateSingularVectors(poles []pole, place []int, left, right blas64.General) error {
	k := len(poles)
	if k == 1 {
		left.Data[0], right.Data[0] = 1, math.Copysign(1, poles[0].z)
		poles[0].d = math.Abs(poles[0].z)
		return nil
	}
	q := w.secular(poles, 1, true)
	if err := q.solve(right); err != nil {
		return err
	}
	q.refit(right)
	for j, root := range q.roots {
		poles[j].d = root
	}
	if threads := threadsFrom(secularOrder, k); threads > 1 {
		shareSingularVectors(threads, q, place, left, right)
	} else {
		q.singularVectors(w.x[:k], w.y[:k], place, left, right, 0, k)
	}
	return nil
}

// shareSingularVectors is singularVectors on several threads.
func shareSingularVectors(threads int, q secular, place []int, left, right blas64.General) {
	n := len(place)
	_ = shareRanges(threads, n, func(from, to int) error {
		q.singularVectors(make([]float64, n), make([]float64, n), place, left, right, from, to)
		return nil
	})
}

// singularVectors makes the vectors from one on to another. x and y are room for one of either side.
func (q *secular) singularVectors(x, y []float64, place []int, left, right blas64.General, from, to int) {
	for j := from; j < to; j++ {
		row, other := rowOf(right, j), rowOf(left, j)
		kernel.SecularVector(x, q.z, row)
		for i, d := range q.d {
			y[i] = d * x[i]
		}
		y[0] = -1
		f, g := 1/kernels.Dnrm2(len(x), x, 1), 1/kernels.Dnrm2(len(y), y, 1)
		for i, at := range place {
			row[at], other[at] = f*x[i], g*y[i]
		}
	}
}
