package latent

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// SineSquared returns the mean squared sine of the angles between the span of the right singular vectors of w (m×d)
// that belong to its r largest singular values, and that of the first r coordinates: 0 where they agree.
func SineSquared(w *mat.Dense, r int) (float64, error) {
	_, d := w.Dims()
	if r < 1 || r > d {
		panic("latent: a span of more directions than there are")
	}
	var moment mat.SymDense
	moment.SymOuterK(1, w.T())
	_, v, err := linalg.LargestEigen(&moment, r)
	if err != nil {
		return 0, fmt.Errorf("latent: leading directions: %w", err)
	}
	if r == d {
		return 0, nil
	}
	outside := mat.Norm(v.Slice(r, d, 0, r), 2)
	return outside * outside / float64(r), nil
}
