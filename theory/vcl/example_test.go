package vcl_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory/vcl"
)

// Without a gradient, k steps raise a singular value to the power (2α)^k: 4 becomes 16 and then 256 at α = 1, and stays
// at α = 1/2.
func ExampleIdlePower() {
	fmt.Println(vcl.IdlePower(4, 1, 1), vcl.IdlePower(4, 1, 2), vcl.IdlePower(4, 0.5, 7))
	// Output:
	// 16 256 4
}
