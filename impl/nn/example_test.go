package nn_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// The gradient of ½‖Wx − y‖² with respect to W is (Wx − y)xᵀ.
func ExampleNet_BatchAt() {
	net := nn.Net{{W: mat.NewDense(1, 2, []float64{1, 1}), Act: nn.Identity}}
	x, y := mat.NewDense(2, 1, []float64{2, 3}), mat.NewDense(1, 1, []float64{1})
	fmt.Println(mat.Formatted(net.BatchAt(0, x, y).WeightGrad()))
	// Output:
	// [ 8  12]
}
