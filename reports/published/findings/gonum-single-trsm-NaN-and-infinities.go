//go:build ignore

// trsm/NaN and infinities of gonum-single: trsm(side=L, uplo=U, tA=N, diag=N, m=2, n=1, alpha=1, lda=2, ldb=1)

package main

import (
	"fmt"
	"math"

	gblas "gonum.org/v1/gonum/blas"

	kernel "gonum.org/v1/gonum/blas/gonum"
)

func main() {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	_, _, _ = nan, inf, gblas.NoTrans
	a := []float32{2.688906192779541, 0, nan, 2.0930449962615967}
	b := []float32{0, nan}
	kernel.Implementation{}.Strsm('L', 'U', 'N', 'N', 2, 1, 1, a, 2, b, 1)
	fmt.Println("b", b)
	// want at 0: NaN, within 0
	// want at 1: NaN, within 0
}
