package procrustes_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
)

// The smallest layer with an infeasible shift: two inputs, one output, and a sample outside the row space of W. SGD's
// Gram matrix is always feasible, and for one output the step equals the step of SGD.
func Example() {
	p := procrustes.Problem{
		W:     mat.NewDense(1, 2, []float64{1, 0}),
		Gamma: mat.NewDense(1, 1, []float64{1}),
		H:     mat.NewDense(2, 1, []float64{0, 1}),
		Rate:  0.5,
	}
	for _, target := range []procrustes.Target{procrustes.TrueShift, procrustes.SGDGram} {
		step, err := procrustes.Auto{Target: target}.Solve(p)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %.4f by %s, %.4f dropped\n", target, mat.Formatted(step.W), step.Method, step.Dropped)
	}
	// Output:
	// true shift: [ 1.1266  -0.3952] by reduced, 0.1754 dropped
	// SGD's Gram: [ 1.0000  -0.5000] by polar, 0.0000 dropped
}
