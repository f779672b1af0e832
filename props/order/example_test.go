package order_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/order"
)

// The remainder of 1 + γ as an approximation of e^γ is of the second order: γ²/2 + γ³/6.
func ExampleHalved() {
	var steps []float64
	var remainders []*mat.Dense
	for step := 0.1; step > 0.01; step /= 2 {
		steps = append(steps, step)
		remainders = append(remainders, mat.NewDense(1, 1, []float64{step*step/2 + step*step*step/6}))
	}
	e := order.Halved(steps, remainders, 2, 1e-16)
	for i, step := range e.Steps {
		fmt.Printf("γ = %.4f: %.6f, of which at most %.6f is of another order\n", step, e.Norms[i], e.Beyond[i])
	}
	// Output:
	// γ = 0.1000: 0.005167, of which at most 0.000167 is of another order
	// γ = 0.0500: 0.001271, of which at most 0.000021 is of another order
	// γ = 0.0250: 0.000315, of which at most 0.000003 is of another order
}
