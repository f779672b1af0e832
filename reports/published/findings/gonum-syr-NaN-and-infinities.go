//go:build ignore

// syr/NaN and infinities of gonum: syr(uplo=U, n=2, alpha=1, incX=1, lda=2)

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
	x := []float64{0, nan}
	a := []float64{0, 0, nan, 0.79151585399073765}
	kernel.Implementation{}.Dsyr('U', 2, 1, x, 1, a, 2)
	fmt.Println("a", a)
	// want at 0: 0, within 0
	// want at 1: NaN, within 0
	// want at 3: NaN, within 0
}
