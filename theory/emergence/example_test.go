package emergence_test

import (
	"fmt"

	"github.com/thm-suite/thm/theory/emergence"
)

// The vote of the parities of all single bits of three agrees with each of them three times in four: their correlation
// is E|e₁|/3 = 1/2.
func ExampleVoteCorrelation() {
	fmt.Println(emergence.VoteCorrelation(3, 1).RatString())
	// Output:
	// 1/2
}

// On the parity of three bits, half of which are equal, a constant has the loss 1, degrees 1 and 2 have the share of
// uniform bits, and degree 3 has none.
func ExamplePolynomialOptimum() {
	for degree := range 4 {
		fmt.Print(emergence.PolynomialOptimum(3, degree, 0.5), " ")
	}
	fmt.Println()
	// Output:
	// 1 0.5 0.5 0
}
