//go:build ignore

// gemm/alpha zero of gonum-single: gemm(tA=N, tB=N, m=1, n=1, k=1, alpha=0, lda=1, ldb=1, beta=0, ldc=1)

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
	a := []float32{nan}
	b := []float32{nan}
	c := []float32{nan}
	kernel.Implementation{}.Sgemm('N', 'N', 1, 1, 1, 0, a, 1, b, 1, 0, c, 1)
	fmt.Println("c", c)
	// want at 0: 0, within 0
}
