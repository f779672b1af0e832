package blas

import (
	"math"

	gblas "gonum.org/v1/gonum/blas"
)

// These sizes are part of the definition of the result.
const (
	choleskyOrder = 64 // up to which there is no recursion
	choleskyRows  = 4  // of a diagonal block: the most that a trapezoid and a tile of every kernel can have
)

// Cholesky replaces a triangle of the row-major symmetric n×n matrix A by its Cholesky factor: U with A = UᵀU, or L = Uᵀ with A = LLᵀ, with a positive
// diagonal. What lies in the other triangle does not matter and stays. It returns -1 or, where a pivot is not positive and finite, the index and the
// value of the first such pivot; the triangle then holds a partial result. Cost n³/3 flops.
//
// Method: recursion on halves, with Dtrsm and Dsyrk between them (Gustavson, IBM J. Res. Dev. 41 (1997) 737); up to order 64 blocks of four rows of U
// take the rows above, and are solved with their diagonal block. Every entry is divided by its pivot.
func Cholesky(ul gblas.Uplo, n int, a []float64, lda int) (bad int, pivot float64) {
	checkUplo(ul)
	checkN(n)
	checkLdA(lda, n)
	if n == 0 {
		return -1, 0
	}
	checkA(len(a), n, n, lda)
	switch {
	case n <= choleskyOrder && ul == gblas.Upper:
		return choleskyLeaf(current(), n, a, lda)
	case n <= choleskyOrder:
		return choleskyTransposed(current(), n, a, lda)
	}
	h := first(n, choleskyOrder)
	if bad, pivot = Cholesky(ul, h, a, lda); bad >= 0 {
		return bad, pivot
	}
	rest := a[h*lda+h:]
	if ul == gblas.Upper {
		Implementation{}.Dtrsm(gblas.Left, ul, gblas.Trans, gblas.NonUnit, h, n-h, 1, a, lda, a[h:], lda)
		Implementation{}.Dsyrk(ul, gblas.Trans, n-h, h, -1, a[h:], lda, 1, rest, lda)
	} else {
		below := a[h*lda:]
		Implementation{}.Dtrsm(gblas.Right, ul, gblas.Trans, gblas.NonUnit, n-h, h, 1, a, lda, below, lda)
		Implementation{}.Dsyrk(ul, gblas.NoTrans, n-h, h, -1, below, lda, 1, rest, lda)
	}
	if bad, pivot = Cholesky(ul, n-h, rest, lda); bad >= 0 {
		bad += h
	}
	return bad, pivot
}

// choleskyTransposed factorises a small lower triangle in a transposed copy: the rows of a row-major upper factor are vectors, those of a lower one are
// chains.
func choleskyTransposed(kern *kernel, n int, a []float64, lda int) (bad int, pivot float64) {
	const ld = choleskyOrder + 8 // keeps the rows out of each other's place in the cache
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	w.slab = grow(w.slab, choleskyOrder*ld)
	for i := 0; i < n; i += 8 {
		rows := min(8, n-i)
		transpose(kern, w.slab[i:], ld, a[i*lda:], lda, rows, i+rows)
	}
	bad, pivot = choleskyLeaf(kern, n, w.slab, ld)
	for i := 0; i < n; i += 8 {
		rows := min(8, n-i)
		for r := i; r < i+rows; r++ {
			for j := i; j <= r; j++ {
				a[r*lda+j] = w.slab[j*ld+r]
			}
		}
		if below := i + rows; below < n {
			transpose(kern, a[below*lda+i:], lda, w.slab[i*ld+below:], ld, rows, n-below)
		}
	}
	return bad, pivot
}

// choleskyLeaf factorises a small upper triangle.
func choleskyLeaf(kern *kernel, n int, a []float64, lda int) (bad int, pivot float64) {
	t := trapezoid{a: a, rsa: 1, csa: lda, d: a, rsd: lda + 1, x: a, rsx: lda}
	for k := 0; k < n; k += choleskyRows {
		rows := min(choleskyRows, n-k)
		if bad, pivot = choleskyDiagonal(kern, k, rows, a, lda); bad >= 0 {
			return k + bad, pivot
		}
		t.k, t.rows, t.a0, t.d0 = k, rows, k, k*(lda+1)
		for j := k + rows; j < n; j += t.cols {
			t.x0, t.cols = j, kern.id.trapezoidCols(n-j)
			kern.id.solve(&t)
		}
	}
	return -1, 0
}

// choleskyDiagonal factorises the diagonal block at k, in a copy, once it has taken the k rows above.
func choleskyDiagonal(kern *kernel, k, n int, a []float64, lda int) (bad int, pivot float64) {
	const ld = choleskyRows
	var d [choleskyRows * ld]float64
	at := a[k*lda+k:]
	for i := range n {
		for j := i; j < n; j++ {
			d[i*ld+j] = at[i*lda+j]
		}
	}
	if k > 0 {
		kern.id.gemm(&tile{a: a[k:], b: a[k:], c: d[:], rsa: 1, csa: lda, rsb: lda, rsc: ld, k: k, rows: n, cols: n, keep: 1, alpha: -1})
	}
	for i := range n {
		row := d[i*ld : i*ld+n]
		if pivot = row[i]; !(pivot > 0 && pivot <= math.MaxFloat64) {
			return i, pivot
		}
		row[i] = math.Sqrt(pivot)
		for j := i + 1; j < n; j++ {
			row[j] /= row[i]
		}
		for l := i + 1; l < n; l++ {
			for j := l; j < n; j++ {
				d[l*ld+j] = math.FMA(-row[l], row[j], d[l*ld+j])
			}
		}
		copy(at[i*lda+i:], row[i:])
	}
	return -1, 0
}
