package kernelkit

import (
	"errors"

	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// gonum's own factorisations as kernels. They run on whatever BLAS is registered with blas64. Nothing is added: what gonum does not
// look at, such as NaN or emptiness, is not looked at here.

// gonumRotations are gonum's Dlasr.
var gonumRotations Rotations = gonum.Implementation{}

var errNoConvergence = errors.New("kernelkit: no convergence")

// gonumSVD is [mat.SVD], LAPACK's dgesvd.
func gonumSVD(a *mat.Dense, kind mat.SVDKind) (u *mat.Dense, s []float64, v *mat.Dense, err error) {
	var f mat.SVD
	if !f.Factorize(a, kind) {
		return nil, nil, nil, errNoConvergence
	}
	s = f.Values(nil)
	if kind != mat.SVDNone {
		u, v = new(mat.Dense), new(mat.Dense)
		f.UTo(u)
		f.VTo(v)
	}
	return u, s, v, nil
}

// gonumSymEigen is [mat.EigenSym], LAPACK's dsyev.
func gonumSymEigen(a *mat.SymDense, vectors bool) (w []float64, v *mat.Dense, err error) {
	var f mat.EigenSym
	if !f.Factorize(a, vectors) {
		return nil, nil, errNoConvergence
	}
	if vectors {
		v = new(mat.Dense)
		f.VectorsTo(v)
	}
	return f.Values(nil), v, nil
}

// gonumFactorWaivers are what is known to be wrong with gonum's rotations and factorisations; add here.
func gonumFactorWaivers() []Waiver {
	const (
		lasr   = "left, top, backward: the loop over a rotation is there twice, one in the other, so that every rotation is applied once for each column"
		dsterf = "values without vectors of a matrix with entries below 1e-123: Dsterf calls Dlascl with n for the leading dimension of a vector and panics"
		empty  = "matrices without rows or columns panic: mat has none, by design"
	)
	return waive("gonum", map[string]string{
		"dlasr/exact integers":     lasr,
		"dlasr/rounding bound":     lasr,
		"dlasr/inverse":            lasr,
		"dlasr/transposition":      lasr,
		"svd/not finite":           "returns NaN without an error, panics on NaN from 3×3 on, and with vectors may not return (as LAPACK: Reference-LAPACK issue 1409)",
		"svd/empty":                empty,
		"symeigen/near the limits": dsterf,
		"symeigen/scaling":         dsterf,
		"symeigen/not finite":      "returns NaN, and for some 2×2 matrices with a NaN finite eigenvalues, without an error",
		"symeigen/empty":           empty,
	})
}
