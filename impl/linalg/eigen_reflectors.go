package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// part is the r×c submatrix of a from (i, j), sharing its storage.
func part(a blas64.General, i, j, r, c int) blas64.General {
	g := blas64.General{Rows: r, Cols: c, Stride: a.Stride}
	if r > 0 && c > 0 {
		g.Data = a.Data[i*a.Stride+j : (i+r-1)*a.Stride+j+c]
	}
	return g
}

// rowOf is row i of a.
func rowOf(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

// multiply is c = alpha·op(a)·op(b) + beta·c. Any size may be 0.
func multiply(ta, tb blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	k := a.Cols
	if ta == blas.Trans {
		k = a.Rows
	}
	if k == 0 || c.Rows == 0 || c.Cols == 0 {
		for i := 0; i < c.Rows && c.Cols > 0; i++ {
			kernels.Dscal(c.Cols, beta, rowOf(c, i), 1)
		}
		return
	}
	kernels.Dgemm(ta, tb, c.Rows, c.Cols, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
}

// timesVector is y = alpha·op(a)·x + beta·y. Any size may be 0.
func timesVector(t blas.Transpose, alpha float64, a blas64.General, x []float64, beta float64, y []float64) {
	if a.Rows == 0 || a.Cols == 0 {
		kernels.Dscal(len(y), beta, y, 1)
		return
	}
	kernels.Dgemv(t, a.Rows, a.Cols, alpha, a.Data, a.Stride, x, 1, beta, y, 1)
}

// reflector turns x into the vector v of the elementary reflector H = I - tau·v·vᵀ, v_0 = 1, that maps x to (beta, 0,
// …, 0). When x is such a multiple already, H is the identity and tau = 0.
func reflector(x []float64) (beta, tau float64) {
	const tiny, lift = 0x1p-960, 0x1p500
	tail := x[1:]
	norm := kernels.Dnrm2(len(tail), tail, 1)
	alpha := x[0]
	x[0] = 1
	if norm == 0 {
		return alpha, 0
	}
	beta = -math.Copysign(math.Hypot(alpha, norm), alpha)
	if math.Abs(beta) < tiny { // subnormal entries have too few digits to divide by: lift all of them, which is exact
		kernels.Dscal(len(tail), lift, tail, 1)
		x[0] = alpha * lift
		beta, tau = reflector(x)
		return beta / lift, tau
	}
	kernels.Dscal(len(tail), 1/(alpha-beta), tail, 1)
	// tau = 2/vᵀv from v as it was rounded, not (beta - alpha)/beta: where all entries are rounded alike, as for a
	// constant x, H is then orthogonal all the same.
	return beta, 2 / (1 + kernels.Ddot(len(tail), tail, 1, tail, 1))
}

// reflectors are H_0, H_1, …: row i of v is the vector of H_i, whose first offset+i entries are stored zeros.
type reflectors struct {
	v      blas64.General
	tau    []float64
	offset int
	block  int // how many are applied at once; 0 leaves it to wySize
}

// wyBlock is the most reflectors that are applied at once.
const wyBlock = 32

// wySize is the number of reflectors that are applied at once to so many numbers: few, where the work that goes into
// a block of them counts. From 24 to 64 there is no difference in speed for large matrices.
func wySize(numbers int) int {
	if numbers <= secondLevel/2 {
		return 8
	}
	return wyBlock
}

// firstLevel and secondLevel are the numbers that fit into the first- and second-level cache of every processor that
// was measured; on one with more the smaller block sizes that follow from them cost little.
const (
	firstLevel  = 32 << 10 / 8
	secondLevel = 512 << 10 / 8
)

// innerChain bounds the chain of additions in an inner product with a reflector, which costs orthogonality where both
// are constant vectors.
const innerChain = 128

// applyBackward replaces rows by rows·H_k···H_1·H_0: what turns vectors in the basis of a condensed matrix, one a
// row, into vectors of the matrix itself. Cost 4 flops per entry of rows and reflector.
//
// H_0·H_1···H_k = I - Vᵀ·T·V for the rows V and an upper triangular T (Schreiber, Van Loan, SIAM J. Sci. Stat.
// Comput. 10 (1989) 53), so that the work is in two matrix products.
func (w *workspace) applyBackward(r reflectors, rows blas64.General) {
	if rows.Rows*rows.Cols <= smallSize {
		r.applySmall(rows)
		return
	}
	size := r.block
	if size == 0 {
		size = wySize(rows.Rows * rows.Cols)
	}
	if threads := threadsFrom(bandsOrder, rows.Rows); threads > 1 {
		w.shareBackward(threads, r, size, rows)
		return
	}
	for block := blocks(r.v.Rows, size) - 1; block >= 0; block-- {
		first := block * size
		w.applyBlock(r, blas.Trans, first, min(size, r.v.Rows-first), rows)
	}
}

// blocks is the number of blocks of that size, the last of which may be smaller.
func blocks(n, size int) int { return (n + size - 1) / size }

// shareBackward is applyBackward on several threads: they make the triangular factors of some blocks each, and then
// apply all of them to some rows each.
func (w *workspace) shareBackward(threads int, r reflectors, size int, rows blas64.General) {
	defer w.release(w.used)
	number, data := blocks(r.v.Rows, size), w.zeros(r.v.Rows*size)
	factor := func(block int) (v, t blas64.General, tau []float64) {
		first := block * size
		count := min(size, r.v.Rows-first)
		t = blas64.General{Rows: count, Cols: count, Stride: size, Data: data[first*size : (first+count)*size]}
		return r.vectors(first, count), t, r.tau[first : first+count]
	}
	kernel.Share(threads, number, func(block int) {
		other := borrow()
		defer other.giveBack()
		v, t, tau := factor(block)
		other.triangularFactor(v, tau, t)
	})
	pieces := max(2, min(64, rows.Rows/128)) // of whose products again each is shared
	kernel.Share(threads, pieces, func(piece int) {
		other := borrow()
		defer other.giveBack()
		from, to := piece*rows.Rows/pieces, (piece+1)*rows.Rows/pieces
		for block := number - 1; block >= 0; block-- {
			v, t, _ := factor(block)
			at := rows.Cols - v.Cols
			other.applyFactor(v, t, blas.Trans, part(rows, from, at, to-from, v.Cols))
		}
	})
}

// vectors returns the vectors of the reflectors first to first+count-1, from the first entry on that is not zero in all
// of them.
func (r reflectors) vectors(first, count int) blas64.General {
	at := r.offset + first
	return part(r.v, first, at, count, r.v.Cols-at)
}

// applyBlock replaces rows by rows·(I - Vᵀ·op(T)·V) for the reflectors first to first+count-1. With op the transpose
// the last of them comes first.
func (w *workspace) applyBlock(r reflectors, op blas.Transpose, first, count int, rows blas64.General) {
	defer w.release(w.used)
	v, t := r.vectors(first, count), w.blank(count, count)
	w.triangularFactor(v, r.tau[first:first+count], t)
	at := r.offset + first
	w.applyFactor(v, t, op, part(rows, 0, at, rows.Rows, rows.Cols-at))
}

// applyFactor replaces c by c·(I - Vᵀ·op(T)·V).
func (w *workspace) applyFactor(v, t blas64.General, op blas.Transpose, c blas64.General) {
	if c.Rows == 0 || c.Cols == 0 {
		return
	}
	defer w.release(w.used)
	count := v.Rows
	p, q := w.general(c.Rows, count), w.general(c.Rows, count)
	for k := 0; k < c.Cols; k += innerChain {
		width := min(innerChain, c.Cols-k)
		multiply(blas.NoTrans, blas.Trans, 1, part(c, 0, k, c.Rows, width), part(v, 0, k, count, width), min(1, float64(k)),
			p)
	}
	multiply(blas.NoTrans, op, 1, p, t, 0, q)
	multiply(blas.NoTrans, blas.NoTrans, -1, q, v, 1, c)
}

// triangularFactor makes T of zeros: column j is tau_j on the diagonal, and above it -tau_j·T·(V·v_j) of the columns
// before it. The inner products are dots in lanes and not a matrix product, whose long chains of additions would cost
// orthogonality where reflectors are constant vectors.
func (w *workspace) triangularFactor(v blas64.General, tau []float64, t blas64.General) {
	defer w.release(w.used)
	k, inner := t.Stride, w.take(len(tau))
	for j, tj := range tau {
		t.Data[j*k+j] = tj
		timesVector(blas.NoTrans, 1, part(v, 0, 0, j, v.Cols), rowOf(v, j), 0, inner[:j])
		for i := range j {
			sum := 0.0
			for l := i; l < j; l++ {
				sum = math.FMA(t.Data[i*k+l], inner[l], sum)
			}
			t.Data[i*k+j] = -tj * sum
		}
	}
}

// transposeInto is dst = srcᵀ.
func transposeInto(dst, src blas64.General) {
	kernel.Transpose(src.Rows, src.Cols, src.Data, src.Stride, dst.Data, dst.Stride)
}
