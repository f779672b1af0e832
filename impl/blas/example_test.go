package blas_test

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
)

// One call, and gonum's mat uses the kernels.
func ExampleUse() {
	previous := blas.Use()
	defer blas64.Use(previous)

	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	var b mat.Dense
	b.Mul(a, a)
	fmt.Println(mat.Formatted(&b))
	// Output:
	// ⎡ 7  10⎤
	// ⎣15  22⎦
}
