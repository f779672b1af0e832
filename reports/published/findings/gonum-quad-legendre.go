//go:build ignore

// quad.Legendre of gonum with 26 nodes: the outermost node and its mirror image have the weight 0.

package main

import (
	"fmt"

	"gonum.org/v1/gonum/integrate/quad"
)

func main() {
	one := func(float64) float64 { return 1 }
	for _, n := range []int{25, 26, 27} {
		x, weights := make([]float64, n), make([]float64, n)
		quad.Legendre{}.FixedLocations(x, weights, -1, 1)
		fmt.Println(n, "nodes: outermost weight", weights[0], "and integral of 1 from -1 to 1",
			quad.Fixed(one, -1, 1, n, quad.Legendre{}, 1))
	}
	// want for 26: 0.010551372617343, and 2
}
