//go:build ignore

// syr2k/NaN and infinities of gonum-single: syr2k(uplo=U, tA=T, n=4, k=1, alpha=1, lda=4, ldb=4, beta=1, ldc=4)

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
	a := []float32{0.47920107841491699, 0, nan, 0.95050328969955444}
	b := []float32{-0.86867481470108032, 0, 0, -0.16488468647003174}
	c := []float32{
		0.90400290489196777, -0.65599006414413452, 0, -0.57389843463897705,
		nan, 0, 0.59592205286026001, 0.51207143068313599,
		nan, nan, -0.35379678010940552, -0.35533544421195984,
		nan, nan, nan, 0,
	}
	kernel.Implementation{}.Ssyr2k('U', 'T', 4, 1, 1, a, 4, b, 4, 1, c, 4)
	fmt.Println("c", c)
	// want at 0: 0.07146308889869601, within 6.21e-07
	// want at 1: -0.6559900641441345, within 2.35e-07
	// want at 2: NaN, within 0
	// want at 3: -1.4785896232620495, within 5.29e-07
	// want at 5: 0, within 0
	// want at 6: NaN, within 0
	// want at 7: 0.512071430683136, within 1.83e-07
	// want at 10: NaN, within 0
	// want at 11: NaN, within 0
	// want at 15: -0.31344687382168956, within 1.12e-07
}
