package latent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Metric returns R (d×d) with RRᵀ = WᵀW/‖W‖_F² for the rows w of a first layer: rows xR have the inner products of
// M^½x for M that matrix. It is an error when W is not finite.
func Metric(w *mat.Dense) (*mat.Dense, error) {
	_, d := w.Dims()
	var m mat.SymDense
	size := mat.Norm(w, 2)
	m.SymOuterK(1/(size*size), w.T())
	values, vectors, err := linalg.SymEigen(&m, true)
	if err != nil {
		return nil, fmt.Errorf("latent: metric of the first layer: %w", err)
	}
	root := mat.NewDense(d, d, nil)
	for j, v := range values {
		for i := range d {
			root.Set(i, j, vectors.At(i, j)*math.Sqrt(max(0, v)))
		}
	}
	return root, nil
}
