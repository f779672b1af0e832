//go:build ignore

// syr2k/NaN and infinities of gonum: syr2k(uplo=U, tA=T, n=4, k=1, alpha=1, lda=4, ldb=4, beta=1, ldc=4)

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
	a := []float64{0.4792010667484925, 0, nan, 0.95050330468034727}
	b := []float64{-0.86867482101854132, 0, 0, -0.16488468796849998}
	c := []float64{
		0.90400290851343579, -0.65599007724412894, 0, -0.57389842465387719,
		nan, 0, 0.59592203546092759, 0.51207142901305103,
		nan, nan, -0.35379678747301146, -0.35533544358208213,
		nan, nan, nan, 0,
	}
	kernel.Implementation{}.Dsyr2k('U', 'T', 4, 1, 1, a, 4, b, 4, 1, c, 4)
	fmt.Println("c", c)
	// want at 0: 0.0714631067341542, within 1.16e-15
	// want at 1: -0.6559900772441289, within 4.37e-16
	// want at 2: NaN, within 0
	// want at 3: -1.4785896310896074, within 9.85e-16
	// want at 5: 0, within 0
	// want at 6: NaN, within 0
	// want at 7: 0.512071429013051, within 3.41e-16
	// want at 10: NaN, within 0
	// want at 11: NaN, within 0
	// want at 15: -0.3134468816104942, within 2.09e-16
}
