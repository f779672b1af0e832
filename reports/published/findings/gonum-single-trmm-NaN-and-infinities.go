//go:build ignore

// trmm/NaN and infinities of gonum-single: trmm(side=R, uplo=U, tA=N, diag=N, m=1, n=1, alpha=1, lda=1, ldb=1)

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
	a := []float32{nan}
	b := []float32{0}
	kernel.Implementation{}.Strmm('R', 'U', 'N', 'N', 1, 1, 1, a, 1, b, 1)
	fmt.Println("b", b)
	// want at 0: NaN, within 0
}
