package features

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Ridge returns the fitted values Hᵀ(HHᵀ + λI)⁻¹Hy of ridge regression without an intercept, of length N, for samples
// in the columns of h (d×N), targets y of length N and λ > 0. It is an error when the regularised moment is not
// positive definite in floating point.
//
// Source: normal equations by Cholesky's factorisation; d²N + d³/3 flops.
func Ridge(h *mat.Dense, y []float64, lambda float64) ([]float64, error) {
	d, n := h.Dims()
	if len(y) != n {
		panic("features: ridge needs one target for each column")
	}
	var moment mat.SymDense
	moment.SymOuterK(1, h)
	for i := range d {
		moment.SetSym(i, i, moment.At(i, i)+lambda)
	}
	var factor mat.Cholesky
	if !factor.Factorize(&moment) {
		return nil, fmt.Errorf("features: HHᵀ + λI is not positive definite at λ = %g", lambda)
	}
	var right, weights mat.VecDense
	right.MulVec(h, mat.NewVecDense(n, y))
	if err := factor.SolveVecTo(&weights, &right); err != nil {
		return nil, fmt.Errorf("features: ridge regression at λ = %g: %w", lambda, err)
	}
	fitted := mat.NewVecDense(n, nil)
	fitted.MulVec(h.T(), &weights)
	return fitted.RawVector().Data, nil
}
