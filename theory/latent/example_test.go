package latent_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory/latent"
)

// On the sphere of d dimensions E u₁² = 1/d and E u₁⁴ = 3/(d(d+2)).
func ExampleSphereMoment() {
	fmt.Printf("%.4f %.4f\n", latent.SphereMoment(4, 1), latent.SphereMoment(4, 2))
	// Output:
	// 0.2500 0.1250
}
