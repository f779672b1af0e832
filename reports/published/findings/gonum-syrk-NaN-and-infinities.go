//go:build ignore

// syrk/NaN and infinities of gonum: syrk(uplo=L, tA=T, n=2, k=1, alpha=1, lda=2, beta=1, ldc=2)

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
	a := []float64{nan, 0}
	c := []float64{-0.396986382527033, nan, -0.45201827385075966, -0.12223250104367134}
	kernel.Implementation{}.Dsyrk('L', 'T', 2, 1, 1, a, 2, 1, c, 2)
	fmt.Println("c", c)
	// want at 0: NaN, within 0
	// want at 2: NaN, within 0
	// want at 3: -0.12223250104367134, within 6.79e-17
}
