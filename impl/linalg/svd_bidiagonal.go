package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// bidiagonalPanel is the number of rows and columns that are reduced before the rest of a matrix of so many numbers
// is updated: fewer where the matrix is read from cache, since every row and column is corrected by all earlier ones
// of the panel.
func bidiagonalPanel(numbers int) int {
	switch {
	case numbers <= firstLevel:
		return 8
	case numbers <= secondLevel:
		return 16
	}
	return 32
}

// bidiagonalisation is the reduction of an m×n matrix, m ≥ n, to an upper bidiagonal one under way: a = U·B·Vᵀ with
// products U and V of reflectors.
//
// In the panel from row and column first on, the matrix is a - Lᵀ·R, where L and R have two rows for every step: the
// reflector u_i of column i and its y_i, then x_i and the reflector v_i of row i.
type bidiagonalisation struct {
	a           blas64.General
	d, e        []float64
	left, right reflectors     // u_i in the rows of left, m long; v_i in those of right, n long
	l, r        blas64.General // two rows for every row of a panel; m and n columns
	columns     blas64.General // the columns of the panel, as rows
	work        []float64
}

// bidiagonalise overwrites the m×n matrix a, m ≥ n, and returns the bidiagonal d, e (n and n-1 long) and the
// reflectors of either side. Cost 4n²(m - n/3) flops, half of them in products of the matrix with a vector, at the
// speed of memory.
//
// Method: that of tridiagonalise, for two sides (Dongarra, Sorensen, Hammarling, J. Comput. Appl. Math. 27 (1989) 215).
func (w *workspace) bidiagonalise(a blas64.General) (d, e []float64, left, right reflectors) {
	m, n := a.Rows, a.Cols
	if m*n <= plainSize {
		return w.bidiagonaliseSmall(a)
	}
	if m*n <= fusedSize {
		return w.bidiagonaliseFused(a)
	}
	size := bidiagonalPanel(m * n)
	b := bidiagonalisation{
		a: a, d: w.take(n), e: w.take(n),
		left:    reflectors{v: w.blank(n, m), tau: w.zeros(n)},
		right:   reflectors{v: w.blank(max(0, n-2), n), tau: w.zeros(max(0, n-2)), offset: 1},
		l:       w.blank(2*size, m),
		r:       w.blank(2*size, n),
		columns: w.general(size, m),
		work:    w.take(2 * size),
	}
	for first := 0; first < n; first += size {
		if (m-first)*(n-first) <= fusedSize {
			w.finishBidiagonal(b, first)
			break
		}
		count := min(size, n-first)
		transposeInto(part(b.columns, 0, first, count, m-first), part(a, first, first, m-first, count))
		for i := range count {
			b.column(first, i)
			if first+i < n-1 {
				b.row(first, i)
			}
		}
		if next := first + count; next < n {
			multiply(blas.Trans, blas.NoTrans, -1, part(b.l, 0, next, 2*count, m-next), part(b.r, 0, next, 2*count, n-next), 1,
				part(a, next, next, m-next, n-next))
		}
	}
	return b.d, b.e[:max(0, n-1)], b.left, b.right
}

// finishBidiagonal reduces what is left of the matrix from row and column first on, which fits into a cache.
func (w *workspace) finishBidiagonal(b bidiagonalisation, first int) {
	d, e, left, right := w.bidiagonaliseFused(part(b.a, first, first, b.a.Rows-first, b.a.Cols-first))
	copy(b.d[first:], d)
	copy(b.e[first:], e)
	for _, side := range [2][2]reflectors{{b.left, left}, {b.right, right}} {
		copy(side[0].tau[first:], side[1].tau)
		for i := range side[1].v.Rows {
			copy(rowOf(side[0].v, first+i)[first:], rowOf(side[1].v, i))
		}
	}
}

// column brings column i of the panel up to date, makes its reflector u, and y = tau·Aᵀ·u.
func (b *bidiagonalisation) column(first, i int) {
	m, n, j, done := b.a.Rows, b.a.Cols, first+i, 2*i
	u := rowOf(b.columns, i)[j:m]
	timesVector(blas.Trans, -1, part(b.l, 0, j, done, m-j), b.entries(b.r, j, done), 1, u)
	b.d[j], b.left.tau[j] = reflector(u)
	copy(rowOf(b.left.v, j)[j:], u)
	clear(rowOf(b.l, done)[first:j])
	copy(rowOf(b.l, done)[j:], u)
	if j == n-1 {
		clear(rowOf(b.r, done))
		return
	}
	y := rowOf(b.r, done)[j+1:]
	timesVector(blas.Trans, 1, part(b.a, j, j+1, m-j, n-j-1), u, 0, y)
	b.correct(b.r, b.l, done, j+1, j, u, y)
	kernels.Dscal(len(y), b.left.tau[j], y, 1)
}

// row brings row i of the panel up to date, makes its reflector v, and x = tau·A·v.
func (b *bidiagonalisation) row(first, i int) {
	m, n, j, done := b.a.Rows, b.a.Cols, first+i, 2*i+1
	v := b.a.Data[j*b.a.Stride+j+1 : j*b.a.Stride+n]
	timesVector(blas.Trans, -1, part(b.r, 0, j+1, done, n-j-1), b.entries(b.l, j, done), 1, v)
	into, x := rowOf(b.r, done), rowOf(b.l, done)
	clear(into[first : j+1])
	if j == n-2 { // one entry needs no reflector
		b.e[j] = v[0]
		clear(into[j+1:])
		return
	}
	b.e[j], b.right.tau[j] = reflector(v)
	copy(rowOf(b.right.v, j)[j+1:], v)
	copy(into[j+1:], v)
	if m > j+1 {
		y := x[j+1:]
		timesVector(blas.NoTrans, 1, part(b.a, j+1, j+1, m-j-1, n-j-1), v, 0, y)
		b.correct(b.l, b.r, done, j+1, j+1, v, y)
		kernels.Dscal(len(y), b.right.tau[j], y, 1)
	}
}

// entries is column j of the first done rows of g.
func (b *bidiagonalisation) entries(g blas64.General, j, done int) []float64 {
	for p := range done {
		b.work[p] = g.Data[p*g.Stride+j]
	}
	return b.work[:done]
}

// correct is y -= toᵀ·(from·x) for the first done rows, to from column p and from from column q on.
func (b *bidiagonalisation) correct(to, from blas64.General, done, p, q int, x, y []float64) {
	if done == 0 {
		return
	}
	timesVector(blas.NoTrans, 1, part(from, 0, q, done, len(x)), x, 0, b.work[:done])
	timesVector(blas.Trans, -1, part(to, 0, p, done, len(y)), b.work[:done], 1, y)
}
