package kernels

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/props"
)

// PolarRatio is the worst of the ratios of an orthogonal polar factor u of a (m×n, m ≥ n), whose singular values are
// known to be spectrum up to the rounding of [WithSingularValues], none of them zero:
//
//   - the departure from orthonormal columns;
//   - the distance ‖u − Q₁Q₂‖_F from the true factor, the matrix with the same singular vectors and all singular
//     values 1. A backward error ΔA moves it by at most ‖ΔA‖_F/σ_min to first order (R.-C. Li, New perturbation bounds
//     for the unitary polar factor, SIAM J. Matrix Anal. Appl. 16 (1995)); making a and the true factor are two more
//     backward errors, and half as much is allowed for each as in [SVDRatio].
func PolarRatio(a *mat.Dense, spectrum []float64, u *mat.Dense) props.Ratio {
	m, n := a.Dims()
	if len(spectrum) != n || !probe.Shaped(u, m, n) {
		return probe.Wrong
	}
	var d mat.Dense
	d.Sub(u, testmatrix.WithSingularValues(m, n, slices.Repeat([]float64{1}, n)))
	allowed := probe.StableError(m, n, mat.Norm(a, 2)) / spectrum[n-1]
	return props.Worst(orthogonality(u), props.Within(mat.Norm(&d, 2), 2*allowed))
}
