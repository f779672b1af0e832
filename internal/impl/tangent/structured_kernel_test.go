package tangent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/tangent"
)

// The kernel in bands of a triangle equals the kernel of the moved features, of layers with one band, with several, and
// with a last band that is not full; each side alone and both. Sums of up to 130·130 products of order one.
func TestStructuredKernelByBands(t *testing.T) {
	square := tangent.Square
	r := rand.New(rand.NewPCG(27, 28))
	for _, rows := range []int{3, 64, 65, 130} {
		for _, sides := range [][2]*tangent.Penalty{{nil, nil}, {&square, nil}, {nil, &square}, {&square, &square}} {
			const n, cols = 3, 5
			layer := tangent.StructuredLayer{Rows: rows, Cols: cols, Features: gaussian(r, n, rows*cols), Left: sides[0],
				Right: sides[1]}
			f := tangent.Sided{A: tangent.Identity(rows), C: tangent.Identity(cols)}
			if layer.Left != nil {
				f.A = gaussian(r, rows, rows)
			}
			if layer.Right != nil {
				f.C = gaussian(r, cols, cols)
			}
			s := tangent.Structured{Layers: []tangent.StructuredLayer{layer}, Labels: make([]float64, n)}
			got := s.Kernel([]tangent.Sided{f})
			moved := make([]*mat.Dense, n)
			for i := range moved {
				var half, whole mat.Dense
				half.Mul(f.A.T(), mat.NewDense(rows, cols, layer.Features.RawRowView(i)))
				whole.Mul(&half, f.C.T())
				moved[i] = &whole
			}
			scale := math.Pow(mat.Norm(f.A, 2)*mat.Norm(f.C, 2), 2) * float64(rows*cols)
			for i := range n {
				for j := range n {
					var product mat.Dense
					product.MulElem(moved[i], moved[j])
					if gap := math.Abs(got.At(i, j) - mat.Sum(&product)); !(gap <= 1e-14*scale) {
						t.Errorf("%d rows: K(%d,%d) = %v, want %v", rows, i, j, got.At(i, j), mat.Sum(&product))
					}
				}
			}
		}
	}
}
