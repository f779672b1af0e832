//go:build ignore

// ger/exact arithmetic of gonum-single: ger(m=1, n=2, alpha=1, incX=1, incY=-1, lda=2)

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
	x := []float32{3}
	y := []float32{3, 2}
	a := []float32{3, 3}
	kernel.Implementation{}.Sger(1, 2, 1, x, 1, y, -1, a, 2)
	fmt.Println("a", a)
	// want at 0: 9, within 2.68e-06
	// want at 1: 12, within 3.58e-06
}
