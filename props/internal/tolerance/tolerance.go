// Package tolerance bounds the rounding errors of the operations in checks. Every function returns an absolute error;
// unit is the unit roundoff of the numbers, 2⁻⁵³ for float64.
package tolerance

// Product bounds the error of a matrix product whose inner products have so many terms, in the Frobenius norm:
// |fl(AB) − AB| ≤ k·u·|A||B| entrywise, and norms of absolute values are Frobenius norms.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, second edition, section 3.5; to first order in u.
func Product(terms int, normA, normB, unit float64) float64 {
	return float64(terms) * unit * normA * normB
}

// CholeskySolve bounds the relative error of solving with the n×n kernel matrix K = XXᵀ of features X (n×p), of the
// given condition number: forming K errs by 2p·u relative to products of norms, at most n times ‖K‖, and Cholesky's
// factorisation with both substitutions by n(3n+1)u.
//
// Source: Higham, theorem 10.4.
func CholeskySolve(n, p int, condition, unit float64) float64 {
	return unit * float64(n*(3*n+1+2*p)) * condition
}
