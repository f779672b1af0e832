package gallery_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/kernelkit/gallery"
)

func ExampleSelect() {
	for _, m := range gallery.Select(gallery.Tridiagonal, gallery.Toeplitz, gallery.KnownEigenvalues,
		gallery.PositiveDefinite) {
		x := m.Make(nil, 3, 3)
		fmt.Printf("%s: condition %.4f\n%v\n", x.Name, x.Cond(), mat.Formatted(x.A))
	}
	// Output:
	// identity: condition 1.0000
	// ⎡1  0  0⎤
	// ⎢0  1  0⎥
	// ⎣0  0  1⎦
	// second difference: condition 5.8284
	// ⎡ 2  -1   0⎤
	// ⎢-1   2  -1⎥
	// ⎣ 0  -1   2⎦
}
