package tangent_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory/tangent"
)

// Oppositely sorted numbers have the smallest sum of squared products, equally sorted ones the largest.
func ExampleOppositeSum() {
	x, b := []float64{1, 2, 3}, []float64{10, 20, 30}
	fmt.Println(tangent.OppositeSum(x, b), tangent.SortedSum(x, b))
	// Output:
	// 3400 9800
}
