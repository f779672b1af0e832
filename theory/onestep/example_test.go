package onestep_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory/onestep"
)

// A step of size n^α adds ℓ terms to the features: α lies between (ℓ−1)/(2ℓ) and ℓ/(2ℓ+2).
func ExampleTerms() {
	for _, alpha := range []float64{0.1, 0.3, 0.36} {
		l := onestep.Terms(alpha)
		lo, hi := onestep.Interval(l)
		fmt.Printf("α = %.2f: %d, between %.3f and %.3f\n", alpha, l, lo, hi)
	}
	// Output:
	// α = 0.10: 1, between 0.000 and 0.250
	// α = 0.30: 2, between 0.250 and 0.333
	// α = 0.36: 3, between 0.333 and 0.375
}
