package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// tridiagonalPanel is the number of columns that are reduced before the rest of a matrix of order n is updated: fewer
// where the matrix is read from cache, since every row is corrected by all earlier ones of the panel.
func tridiagonalPanel(n int) int {
	if n*n <= secondLevel {
		return 16
	}
	return 32
}

// tridiagonalise reduces the symmetric matrix whose upper triangle a holds to a tridiagonal one with diagonal d and
// off-diagonal e, a = Q·T·Qᵀ with Q = H_0·H_1···H_{n-3}, and overwrites a with the reflectors. Cost 4/3·n³ flops,
// half of them in products of the matrix with a vector, at the speed of memory, and half in symmetric rank-2k
// updates.
//
// Method: panels of A - Vᵀ·W - Wᵀ·V, the rows of V the reflectors (Dongarra, Sorensen, Hammarling, J. Comput. Appl.
// Math. 27 (1989) 215).
func (space *workspace) tridiagonalise(a blas64.General, d, e []float64) reflectors {
	n := a.Rows
	if n*n <= plainSize {
		return space.tridiagonaliseSmall(a, d, e)
	}
	if n*n <= fusedSize {
		return space.tridiagonaliseFused(a, d, e)
	}
	size := tridiagonalPanel(n)
	r := reflectors{v: part(a, 0, 0, max(0, n-2), n), tau: space.zeros(max(0, n-2)), offset: 1}
	w, work := space.blank(size, n), space.take(size+n*(bandsOf(n)-1))
	for first := 0; first < n; first += size {
		if rest := n - first; rest*rest <= fusedSize {
			space.finishTridiagonal(a, r, first, d, e)
			break
		}
		count := min(size, n-first)
		for i := range count {
			tridiagonalRow(a, w, r, first, first+i, d, e, work)
		}
		if next := first + count; next < n {
			kernels.Dsyr2k(blas.Upper, blas.Trans, n-next, count, -1, a.Data[first*n+next:], n, w.Data[next:], n, 1,
				a.Data[next*n+next:], n)
		}
	}
	return r
}

// finishTridiagonal reduces what is left of a from row first on, which fits into a cache.
func (space *workspace) finishTridiagonal(a blas64.General, r reflectors, first int, d, e []float64) {
	rest := a.Rows - first
	done := space.tridiagonaliseFused(part(a, first, first, rest, rest), d[first:], e[first:])
	copy(r.tau[first:], done.tau)
	for i := range done.v.Rows {
		row := rowOf(a, first+i)
		clear(row[:first])
		copy(row[first:], rowOf(done.v, i))
	}
}

// tridiagonalRow brings row j up to date with the panel since row first, makes its reflector, and its row of W.
func tridiagonalRow(a, w blas64.General, r reflectors, first, j int, d, e, work []float64) {
	n, done := a.Rows, j-first
	row := a.Data[j*n+j : (j+1)*n]
	v, u := part(a, first, j, done, n-j), part(w, 0, j, done, n-j)
	update := func(x, y blas64.General) { // row -= Σ_p x_pj·y_p
		for p := range done {
			work[p] = x.Data[p*n]
		}
		timesVector(blas.Trans, -1, y, work[:done], 1, row)
	}
	if done > 0 {
		update(v, u)
		update(u, v)
	}
	d[j] = row[0]
	clear(a.Data[j*n : j*n+j+1])
	if j >= n-2 {
		if j == n-2 { // no reflector, but the update of the last row takes this one
			e[j], row[1] = row[1], 0
			clear(rowOf(w, done))
		}
		return
	}
	x, y := row[1:], rowOf(w, done)[j+1:]
	var tau float64
	e[j], tau = reflector(x)
	r.tau[j] = tau

	// y = tau·(A - VᵀW - WᵀV)·x, less the multiple of x that makes A - x·yᵀ - y·xᵀ the reflected matrix
	symmetricTimesVector(a, j+1, x, y, work[w.Rows:])
	if done > 0 {
		v, u = part(a, first, j+1, done, n-j-1), part(w, 0, j+1, done, n-j-1)
		timesVector(blas.NoTrans, 1, u, x, 0, work[:done])
		timesVector(blas.Trans, -1, v, work[:done], 1, y)
		timesVector(blas.NoTrans, 1, v, x, 0, work[:done])
		timesVector(blas.Trans, -1, u, work[:done], 1, y)
	}
	kernels.Dscal(len(y), tau, y, 1)
	kernels.Daxpy(len(y), -tau/2*kernels.Ddot(len(y), x, 1, y, 1), x, 1, y, 1)
}

// strip is the number of rows that symmetricTimesVector takes at a time.
const strip = 4

// bandsOf is the number of bands of a matrix of order n, an even one, for two threads: by the order alone, for sums end
// with them.
func bandsOf(n int) int { return max(1, min(32, n/256)) * 2 }

// symmetricTimesVector is y = A·x for the rows and columns of a from index first on; a has an upper triangle. The rows
// are in bands with about as many numbers each, which the threads take, whose sums are added in the end. work is room
// for those of all bands but the first.
func symmetricTimesVector(a blas64.General, first int, x, y, work []float64) {
	n := a.Rows - first
	bands := bandsOf(n)
	start := func(band int) int {
		rest := math.Sqrt(float64(n * n * (bands - band) / bands))
		return max(0, (a.Rows-int(rest))/strip*strip-first)
	}
	sums := func(band int) []float64 {
		if band == 0 {
			return y
		}
		return work[(band-1)*n:][:n-start(band)]
	}
	kernel.Share(threadsFrom(bandsOrder, n), bands, func(band int) {
		last := a.Rows
		if band+1 < bands {
			last = first + start(band+1)
		}
		bandTimesVector(a, first+start(band), last, x[start(band):], sums(band))
	})
	for band := 1; band < bands; band++ {
		kernels.Daxpy(n-start(band), 1, sums(band), 1, y[start(band):], 1)
	}
}

// bandTimesVector computes the part of y = A·x that the rows from first to last-1 contribute, as rows and, by symmetry,
// as columns. It reads every row once for both. x and y begin with row first.
func bandTimesVector(a blas64.General, first, last int, x, y []float64) {
	clear(y)
	var sums [strip]float64
	for i := first; i < last; {
		next := min(last, (i/strip+1)*strip)
		rows, rest := next-i, a.Rows-next
		block, xi, yi := a.Data[i*a.Stride+i:], x[i-first:next-first], y[i-first:next-first]
		kernel.TimesBoth(rows, rest, block[rows:], a.Stride, x[next-first:], xi, sums[:], y[next-first:])
		for r := range rows {
			yi[r] += sums[r]
		}
		for r, v := range xi {
			row := block[r*a.Stride:]
			yi[r] = math.FMA(row[r], v, yi[r])
			for c := r + 1; c < rows; c++ {
				yi[r], yi[c] = math.FMA(row[c], xi[c], yi[r]), math.FMA(row[c], v, yi[c])
			}
		}
		i = next
	}
}
