package features

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
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

// LeaveOneOut returns the mean square of what ridge regression on all other samples predicts of each sample minus its
// target, for n samples in the rows of f (n×N), n targets y and penalty λ‖a‖² added to the mean square, λ > 0. It is an
// error when the regularised moment is not positive definite in floating point.
//
// Source: residuals over one minus the diagonal of the hat matrix F(FᵀF + λn)⁻¹Fᵀ (Allen's PRESS); 2nN² + N³/3 flops,
// fewer than those of [NewRegression] where N is small against n.
func LeaveOneOut(f *mat.Dense, y []float64, lambda float64) (float64, error) {
	n, width := f.Dims()
	if len(y) != n {
		panic("features: regression needs one target for each row")
	}
	moment := mat.NewSymDense(width, nil)
	moment.SymOuterK(1, f.T())
	for j := range width {
		moment.SetSym(j, j, moment.At(j, j)+lambda*float64(n))
	}
	factor, err := linalg.Cholesky(moment)
	if err != nil {
		return 0, fmt.Errorf("features: FᵀF + λn at λ = %g: %w", lambda, err)
	}
	half := mat.DenseCopyOf(f) // F L⁻ᵀ, whose rows have the diagonal of the hat matrix as squared lengths
	blas64.Trsm(blas.Right, blas.Trans, 1, factor.RawTriangular(), half.RawMatrix())
	var weights, fitted mat.VecDense
	weights.MulVec(half.T(), mat.NewVecDense(n, y))
	fitted.MulVec(half, &weights)
	mean := 0.0
	for i, target := range y {
		row := half.RawRowView(i)
		left := (target - fitted.AtVec(i)) / (1 - floats.Dot(row, row))
		mean += left * left / float64(n)
	}
	return mean, nil
}
