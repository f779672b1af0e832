package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// divide is the divide-and-conquer solution of a symmetric tridiagonal eigenproblem.
type divide struct {
	d, e []float64      // diagonal and off-diagonal; d becomes the eigenvalues
	q    blas64.General // vectors, one a row; blocks of zeros off the blocks that are solved
	*mergeSpace
}

// divideTridiagonal returns the eigenvalues d, in no order, and their vectors in the rows of q. It overwrites d and e.
//
// Method: Cuppen's divide and conquer (Numer. Math. 36 (1981) 177) with the vectors of Gu and Eisenstat. Cost at most
// 4/3·n³ flops in matrix products, less where poles deflate, and about 40·n² for the secular equations.
func (w *workspace) divideTridiagonal(d, e []float64) (blas64.General, error) {
	n := len(d)
	t := divide{d: d, e: e, q: w.blank(n, n)}
	if n > leafOrder {
		t.mergeSpace = w.mergeSpace(n, 1)
	}
	return t.q, t.solve(0, n)
}

// solve treats rows lo to hi-1. The matrix is two blocks on the diagonal, each less |e| in the corner, plus |e|·v·vᵀ
// with v = (…, 1, ±1, …).
func (t *divide) solve(lo, hi int) error {
	if hi-lo <= leafOrder {
		return t.leaf(lo, hi)
	}
	mid := (lo + hi) / 2
	e := t.e[mid-1]
	t.d[mid-1] -= math.Abs(e)
	t.d[mid] -= math.Abs(e)
	if err := t.halves(lo, mid, hi); err != nil {
		return err
	}
	return t.merge(lo, mid, hi, e)
}

// halves solves both blocks.
func (t *divide) halves(lo, mid, hi int) error {
	if threads := threadsFrom(halvesOrder, hi-lo); threads > 1 {
		return t.shareHalves(threads, lo, mid, hi)
	}
	if err := t.solve(lo, mid); err != nil {
		return err
	}
	return t.solve(mid, hi)
}

// shareHalves is halves on several threads.
func (t *divide) shareHalves(threads, lo, mid, hi int) error {
	first, second := *t, *t
	first.mergeSpace, second.mergeSpace = t.mergeSpace.halves(mid - lo)
	return parallel(threads, 2, func(half int) error {
		if half == 0 {
			return first.solve(lo, mid)
		}
		return second.solve(mid, hi)
	})
}

// merge solves diag(d) + |e|·z·zᵀ, z the last components of the vectors of the first block and the first of the second.
func (t *divide) merge(lo, mid, hi int, e float64) error {
	d, n := t.d[lo:hi], hi-lo
	q := part(t.q, lo, lo, n, n)
	size := math.Abs(e)
	for _, x := range d {
		size = max(size, math.Abs(x))
	}
	scale := normaliser(size)
	poles := t.poles[:n]
	for i, x := range d {
		poles[i] = pole{d: x * scale, z: q.Data[i*q.Stride+mid-lo-1], row: i, side: left}
		if i >= mid-lo {
			poles[i].z, poles[i].side = math.Copysign(1, e)*q.Data[i*q.Stride+mid-lo], right
		}
	}
	slices.SortStableFunc(poles, byValue)
	rho := math.Abs(e) * scale
	kept, dropped := t.deflate(poles, false, rho, deflation*(size*scale), func(i, j int, c, s float64) {
		kernels.Drot(n, rowOf(q, i), 1, rowOf(q, j), 1, c, s)
	})
	k := len(kept)
	order, place := t.arrange(kept)
	s := blas64.General{Rows: k, Cols: k, Stride: max(1, k), Data: t.s[:k*k]}
	roots, err := t.updateVectors(kept, rho, place, s)
	if err != nil {
		return err
	}
	t.recombine(q, mid-lo, order, dropped, s)
	for i, x := range roots {
		d[i] = x / scale
	}
	for i, p := range dropped {
		d[k+i] = p.d / scale
	}
	return nil
}

// updateVectors returns the eigenvalues of diag(d) + ρ·z·zᵀ, ascending, and the vectors z_i/(d_i - λ) normalised in the
// rows of s, entry i in column place[i].
func (w *mergeSpace) updateVectors(kept []pole, rho float64, place []int, s blas64.General) ([]float64, error) {
	q := w.secular(kept, rho, false)
	if err := q.solve(s); err != nil {
		return nil, err
	}
	q.refit(s)
	if threads := threadsFrom(secularOrder, len(kept)); threads > 1 {
		shareVectors(threads, q, place, s)
	} else {
		q.vectors(w.x[:len(kept)], place, s, 0, len(kept))
	}
	return q.roots, nil
}

// shareVectors is vectors on several threads.
func shareVectors(threads int, q secular, place []int, s blas64.General) {
	n := len(place)
	_ = shareRanges(threads, n, func(from, to int) error {
		q.vectors(make([]float64, n), place, s, from, to)
		return nil
	})
}

// vectors makes the vectors from one on to another. x is room for one.
func (q *secular) vectors(x []float64, place []int, s blas64.General, from, to int) {
	for j := from; j < to; j++ {
		row := rowOf(s, j)
		kernel.SecularVector(x, q.z, row)
		factor := 1 / kernels.Dnrm2(len(x), x, 1)
		for i, v := range x {
			row[place[i]] = factor * v
		}
	}
}
