package probe

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// Wrong is the ratio of a result that has not even the right shape.
var Wrong = props.Condition(false)

// StableError bounds the error of a backward stable factorisation of an m×n matrix of Frobenius norm scale, in
// Frobenius norm: 4·max(m,n)·u·scale, with at least 16 for max(m,n).
//
// Reduction to bidiagonal or tridiagonal form takes at most 2·min(m,n) Householder reflections and the QR iteration
// about two sweeps per value, 4·min(m,n) orthogonal transformations in all. Applying one costs inner products of
// length at most max(m,n) and so a relative error of about √max(m,n)·u; as independent errors they add up to
// 2·√(min·max)·u ≤ 2·max(m,n)·u. The other factor of two is room for what this count leaves out. LAPACK's own testers
// divide by the same max(m,n)·u, in the 1-norm, and allow 100 of it for the SVD and 120 for symmetric eigenvalues. In a
// matrix of less than 16 the ten or so roundings that make a reflector or a rotation, which the count leaves out, are
// as many as those of an inner product.
func StableError(m, n int, scale float64) float64 {
	return 4 * float64(max(m, n, 16)) * roundoff.Unit * scale
}

// Shaped reports whether a is there and is m×n.
func Shaped(a *mat.Dense, m, n int) bool {
	if a == nil {
		return false
	}
	rows, cols := a.Dims()
	return rows == m && cols == n
}
