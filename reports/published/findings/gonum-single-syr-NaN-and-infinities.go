//go:build ignore

// syr/NaN and infinities of gonum-single: syr(uplo=U, n=2, alpha=1, incX=1, lda=2)

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
	x := []float32{0, nan}
	a := []float32{0, 0, nan, 0.79151582717895508}
	kernel.Implementation{}.Ssyr('U', 2, 1, x, 1, a, 2)
	fmt.Println("a", a)
	// want at 0: 0, within 0
	// want at 1: NaN, within 0
	// want at 3: NaN, within 0
}
