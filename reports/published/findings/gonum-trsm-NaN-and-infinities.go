//go:build ignore

// trsm/NaN and infinities of gonum: trsm(side=L, uplo=U, tA=N, diag=N, m=2, n=1, alpha=1, lda=2, ldb=1)

package main

import (
	"fmt"
	"math"

	gblas "gonum.org/v1/gonum/blas"

	kernel "gonum.org/v1/gonum/blas/gonum"
)

func main() {
	nan, inf := float64(math.NaN()), float64(math.Inf(1))
	_, _, _ = nan, inf, gblas.NoTrans
	a := []float64{2.6889062716911676, 0, nan, 2.093044989403277}
	b := []float64{0, nan}
	kernel.Implementation{}.Dtrsm('L', 'U', 'N', 'N', 2, 1, 1, a, 2, b, 1)
	fmt.Println("b", b)
	// want at 0: NaN, within 0
	// want at 1: NaN, within 0
}
