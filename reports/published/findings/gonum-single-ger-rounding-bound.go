//go:build ignore

// ger/rounding bound of gonum-single: ger(m=1, n=2, alpha=1, incX=1, incY=-1, lda=2)

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
	x := []float32{0.89087951183319092}
	y := []float32{0.63724493980407715, 0.47538980841636658}
	a := []float32{0.94375509023666382, 0.2342962771654129}
	kernel.Implementation{}.Sger(1, 2, 1, x, 1, y, -1, a, 2)
	fmt.Println("a", a)
	// want at 0: 1.3672701306891106, within 4.07e-07
	// want at 1: 0.8020047380562403, within 2.39e-07
}
