package gen_test

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/gen"
)

// Small integers make arithmetic exact; orthonormal columns are uniform among all.
func ExampleOrthonormal() {
	r := rand.New(rand.NewPCG(1, 2))
	q := gen.Orthonormal(r, 5, 3)
	var gram mat.Dense
	gram.Mul(q.T(), q)
	gram.Sub(&gram, mat.NewDiagDense(3, []float64{1, 1, 1}))
	fmt.Println(mat.Norm(&gram, 2) < 1e-14)
	fmt.Println(mat.Max(gen.Integers(r, 20, 20, 3)), mat.Min(gen.Integers(r, 20, 20, 3)))
	// Output:
	// true
	// 3 -3
}
