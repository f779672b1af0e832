package lapack

import (
	"math"
	"sync"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/blas"
)

// kernels are called directly, whatever blas64 has been told to use.
var kernels blas.Implementation

// These sizes are part of the definition of the result.
const (
	choleskyOrder = 64 // up to which there is no recursion
	choleskyRows  = 4  // of a diagonal block
)

// Cholesky replaces a triangle of the row-major symmetric n×n matrix A by its Cholesky factor: U with A = UᵀU, or
// L = Uᵀ with A = LLᵀ, with a positive diagonal. What lies in the other triangle does not matter and stays. It returns
// -1 or, where a pivot is not positive and finite, the index and the value of the first such pivot; the triangle then
// holds a partial result. Cost n³/3 flops.
//
// Method: recursion on halves, with Dtrsm and Dsyrk between them (Gustavson, IBM J. Res. Dev. 41 (1997) 737); up to
// order 64 blocks of four rows of U take the rows above, and are solved with their diagonal block. Every entry is
// divided by its pivot.
func Cholesky(ul gblas.Uplo, n int, a []float64, lda int) (bad int, pivot float64) {
	checkUplo(ul)
	checkDims(n, n, lda)
	if n == 0 {
		return -1, 0
	}
	checkA(a, n, n, lda)
	if n <= choleskyOrder {
		return choleskySmall(ul, n, a, lda)
	}
	h := choleskyOrder
	for 2*h < n {
		h *= 2
	}
	if bad, pivot = Cholesky(ul, h, a, lda); bad >= 0 {
		return bad, pivot
	}
	rest := a[h*lda+h:]
	if ul == gblas.Upper {
		kernels.Dtrsm(gblas.Left, ul, gblas.Trans, gblas.NonUnit, h, n-h, 1, a, lda, a[h:], lda)
		kernels.Dsyrk(ul, gblas.Trans, n-h, h, -1, a[h:], lda, 1, rest, lda)
	} else {
		below := a[h*lda:]
		kernels.Dtrsm(gblas.Right, ul, gblas.Trans, gblas.NonUnit, n-h, h, 1, a, lda, below, lda)
		kernels.Dsyrk(ul, gblas.NoTrans, n-h, h, -1, below, lda, 1, rest, lda)
	}
	if bad, pivot = Cholesky(ul, n-h, rest, lda); bad >= 0 {
		bad += h
	}
	return bad, pivot
}

// leafStride is the leading dimension of the transposed copy of a small triangle: eight more than its order, so that
// the rows do not displace each other in the cache.
const leafStride = choleskyOrder + 8

// leaf is the memory for a small triangle.
type leaf struct {
	transposed [choleskyOrder * leafStride]float64
	diagonal   [choleskyRows * choleskyRows]float64
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

// choleskySmall factorises a triangle of order choleskyOrder or less.
func choleskySmall(ul gblas.Uplo, n int, a []float64, lda int) (bad int, pivot float64) {
	l := leaves.Get().(*leaf)
	defer leaves.Put(l)
	if ul == gblas.Upper {
		return l.upper(n, a, lda)
	}
	return l.lower(n, a, lda)
}

// lower factorises a lower triangle in a transposed copy: the rows of a row-major upper factor are vectors, those of a
// lower one are chains.
func (l *leaf) lower(n int, a []float64, lda int) (bad int, pivot float64) {
	u := l.transposed[:]
	for i := 0; i < n; i += 8 {
		rows := min(8, n-i)
		blas.Transpose(rows, i+rows, a[i*lda:], lda, u[i:], leafStride)
	}
	bad, pivot = l.upper(n, u, leafStride)
	for i := 0; i < n; i += 8 {
		rows := min(8, n-i)
		for r := i; r < i+rows; r++ {
			for j := i; j <= r; j++ {
				a[r*lda+j] = u[j*leafStride+r]
			}
		}
		if below := i + rows; below < n {
			blas.Transpose(rows, n-below, u[i*leafStride+below:], leafStride, a[below*lda+i:], lda)
		}
	}
	return bad, pivot
}

// upper factorises an upper triangle.
func (l *leaf) upper(n int, a []float64, lda int) (bad int, pivot float64) {
	for k := 0; k < n; k += choleskyRows {
		rows := min(choleskyRows, n-k)
		if bad, pivot = l.block(k, rows, a, lda); bad >= 0 {
			return k + bad, pivot
		}
		if right := k + rows; right < n {
			blas.SolveMore(k, rows, n-right, a, lda, a[right:], lda)
		}
	}
	return -1, 0
}

// block factorises the n×n block on the diagonal at k, in a copy, once it has taken the k rows above.
func (l *leaf) block(k, n int, a []float64, lda int) (bad int, pivot float64) {
	const ld = choleskyRows
	d := &l.diagonal
	at := a[k*lda+k:]
	for i := range n {
		for j := i; j < n; j++ {
			d[i*ld+j] = at[i*lda+j]
		}
	}
	if k > 0 {
		kernels.Dgemm(gblas.Trans, gblas.NoTrans, n, n, k, -1, a[k:], lda, a[k:], lda, 1, d[:], ld)
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
		for p := i + 1; p < n; p++ {
			for j := p; j < n; j++ {
				d[p*ld+j] = math.FMA(-row[p], row[j], d[p*ld+j])
			}
		}
		copy(at[i*lda+i:], row[i:])
	}
	return -1, 0
}
