package kernel_test

import (
	"fmt"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/impl/kernel"
)

// A kernel is a value with what it has: the conformance kit examines that, and the benchmarks time it.
func Example() {
	k := kernel.Kernel{Name: "mine", BLAS: gonum.Implementation{}}
	fmt.Println(k.Name, k.BLAS != nil, k.SVD != nil)
	// Output:
	// mine true false
}
