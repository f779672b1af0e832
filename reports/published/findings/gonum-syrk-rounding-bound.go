//go:build ignore

// syrk/rounding bound of gonum: syrk(uplo=L, tA=T, n=1, k=1, alpha=1, lda=1, beta=0, ldc=1)

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
	a := []float64{0.13062673993901486}
	c := []float64{nan}
	kernel.Implementation{}.Dsyrk('L', 'T', 1, 1, 1, a, 1, 0, c, 1)
	fmt.Println("c", c)
	// want at 0: 0.01706334518709502, within 9.47e-18
}
