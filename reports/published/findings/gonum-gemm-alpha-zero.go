//go:build ignore

// gemm/alpha zero of gonum: gemm(tA=N, tB=N, m=1, n=1, k=1, alpha=0, lda=1, ldb=1, beta=0, ldc=1)

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
	a := []float64{nan}
	b := []float64{nan}
	c := []float64{nan}
	kernel.Implementation{}.Dgemm('N', 'N', 1, 1, 1, 0, a, 1, b, 1, 0, c, 1)
	fmt.Println("c", c)
	// want at 0: 0, within 0
}
