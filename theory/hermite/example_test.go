package hermite_test

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/theory/hermite"
)

// |z| = Σ cₖHeₖ(z) with c₀ = √(2/π), c₁ = 0 and c₂ = 1/√(2π).
func ExampleCoefficient() {
	for k := range 3 {
		fmt.Printf("%.4f\n", math.Abs(hermite.Coefficient(math.Abs, k)))
	}
	// Output:
	// 0.7979
	// 0.0000
	// 0.3989
}
