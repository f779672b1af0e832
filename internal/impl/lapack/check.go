package lapack

import (
	"math/bits"

	"gonum.org/v1/gonum/blas"
)

func checkUplo(u blas.Uplo) {
	if u != blas.Upper && u != blas.Lower {
		panic("lapack: illegal triangle")
	}
}

// checkDims looks at what must hold even where there is nothing to read.
func checkDims(m, n, lda int) {
	switch {
	case m < 0:
		panic("lapack: m < 0")
	case n < 0:
		panic("lapack: n < 0")
	case lda < max(1, n):
		panic("lapack: bad leading dimension of A")
	}
}

// checkA: m > 0 rows of n entries fit into a slice, lda apart. The product has two words, because one wraps around.
func checkA(a []float64, m, n, lda int) {
	high, low := bits.Mul(uint(m-1), uint(lda))
	if n > len(a) || high != 0 || low > uint(len(a)-n) {
		panic("lapack: insufficient length of a")
	}
}
