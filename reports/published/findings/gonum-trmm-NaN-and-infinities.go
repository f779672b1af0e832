//go:build ignore

// trmm/NaN and infinities of gonum: trmm(side=R, uplo=U, tA=N, diag=N, m=1, n=1, alpha=1, lda=1, ldb=1)

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
	a := []float64{nan}
	b := []float64{0}
	kernel.Implementation{}.Dtrmm('R', 'U', 'N', 'N', 1, 1, 1, a, 1, b, 1)
	fmt.Println("b", b)
	// want at 0: NaN, within 0
}
