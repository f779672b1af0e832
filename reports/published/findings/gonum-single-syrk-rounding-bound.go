//go:build ignore

// syrk/rounding bound of gonum-single: syrk(uplo=L, tA=T, n=1, k=1, alpha=1, lda=1, beta=0, ldc=1)

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
	a := []float32{0.13062673807144165}
	c := []float32{nan}
	kernel.Implementation{}.Ssyrk('L', 'T', 1, 1, 1, a, 1, 0, c, 1)
	fmt.Println("c", c)
	// want at 0: 0.017063344699185024, within 5.09e-09
}
