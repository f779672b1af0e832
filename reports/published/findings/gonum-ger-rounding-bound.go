//go:build ignore

// ger/rounding bound of gonum: ger(m=1, n=1, alpha=1, incX=1, incY=-1, lda=1)

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
	x := []float64{-0.16425943388188058}
	y := []float64{0.37840316758455694}
	a := []float64{0.38440142651461118}
	kernel.Implementation{}.Dger(1, 1, 1, x, 1, y, -1, a, 1)
	fmt.Println("a", a)
	// want at 0: 0.32224513642806146, within 2.48e-16
}
