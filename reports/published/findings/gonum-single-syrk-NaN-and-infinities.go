//go:build ignore

// syrk/NaN and infinities of gonum-single: syrk(uplo=L, tA=T, n=2, k=1, alpha=1, lda=2, beta=1, ldc=2)

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
	a := []float32{nan, 0}
	c := []float32{-0.39698639512062073, nan, -0.45201826095581055, -0.12223250418901443}
	kernel.Implementation{}.Ssyrk('L', 'T', 2, 1, 1, a, 2, 1, c, 2)
	fmt.Println("c", c)
	// want at 0: NaN, within 0
	// want at 2: NaN, within 0
	// want at 3: -0.12223250418901443, within 3.64e-08
}
