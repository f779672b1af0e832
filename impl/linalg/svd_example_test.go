package linalg_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

func ExampleSVD() {
	a := mat.NewDense(2, 2, []float64{3, 0, 4, 5})
	_, s, _, err := linalg.SVD(a, mat.SVDThin)
	fmt.Printf("%.4f %v\n", s, err)

	a.Set(1, 0, 1/(a.At(0, 1))) // 1/0
	_, _, _, err = linalg.SVD(a, mat.SVDThin)
	fmt.Println(err)
	// Output:
	// [6.7082 2.2361] <nil>
	// linalg: the matrix is not finite: entry (1, 0) is +Inf
}

func ExampleSymEigen() {
	w, v, err := linalg.SymEigen(mat.NewSymDense(2, []float64{2, 1, 1, 2}), true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f\n%.0f\n", w, v.At(0, 0)*v.At(1, 0)*2) // the first vector is (1, -1)/√2 or its negative
	// Output:
	// [1 3]
	// -1
}
