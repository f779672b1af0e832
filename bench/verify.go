package bench

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// unitRoundoff is u, half the distance from 1 to the next float64.
const unitRoundoff = 0x1p-53

// wrong is the ratio of a result that has not even the right shape.
var wrong = props.Truth(false)

// MatMulRatio is the error ‖C − AB‖_F divided by √(k+2)·u·‖A‖_F·‖B‖_F, for A (m×k), B (k×n) and C (m×n).
//
// The error is estimated by random probes of C x − A(B x), as in R. Freivalds, Probabilistic machines can use less
// running time, IFIP Congress 1977, without a reference product. The bound is that of the BLAS++ tester: each entry
// sums k products, whose rounding errors behave as independent and add up to √k·u instead of k·u (N. J. Higham,
// T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41 (2019)).
func MatMulRatio(c, a, b *mat.Dense) props.Ratio {
	m, k := a.Dims()
	kb, n := b.Dims()
	if k != kb || !shaped(c, m, n) {
		return wrong
	}
	err := frobenius(n, "matmul", func(x []twofold) []twofold {
		return difference(times(c, x), times(a, times(b, x)))
	})
	return props.Within(err, math.Sqrt(float64(k+2))*unitRoundoff*mat.Norm(a, 2)*mat.Norm(b, 2))
}

// stableError is what a backward stable factorisation of an m×n matrix of Frobenius norm scale may be off by, in
// Frobenius norm: 4·max(m,n)·u·scale.
//
// Reduction to bidiagonal or tridiagonal form takes at most 2·min(m,n) Householder reflections and the QR iteration
// about two sweeps per value, 4·min(m,n) orthogonal transformations in all. Applying one costs inner products of
// length at most max(m,n) and so a relative error of about √max(m,n)·u; as independent errors they add up to
// 2·√(min·max)·u ≤ 2·max(m,n)·u. The other factor of two is room for what this count leaves out. LAPACK's own testers
// divide by the same max(m,n)·u, in the 1-norm, and allow 100 of it for the SVD and 120 for symmetric eigenvalues.
func stableError(m, n int, scale float64) float64 {
	return 4 * float64(max(m, n)) * unitRoundoff * scale
}

// SVDRatio is the worst of the ratios of a singular value decomposition of a (m×n), whose singular values are known
// to be spectrum up to the rounding of [WithSingularValues]:
//
//   - the values descend and are not negative: 0, or +Inf;
//   - their distance from the spectrum, which ‖ΔA‖_F bounds for a backward error ΔA (L. Mirsky, Symmetric gauge
//     functions and unitarily invariant norms, Quart. J. Math. 11 (1960)); half as much again is allowed for the
//     m+n reflections that made a;
//   - with vectors, the residual ‖A − U diag(σ) Vᵀ‖_F and the departures from orthogonality ‖UᵀU − I‖_F, ‖VᵀV − I‖_F.
func SVDRatio(a *mat.Dense, spectrum []float64, kind mat.SVDKind, f SVDFactors) props.Ratio {
	m, n := a.Dims()
	r := min(m, n)
	colsU, colsV := r, r
	if kind == mat.SVDFull {
		colsU, colsV = m, n
	}
	vectors := kind != mat.SVDNone
	if len(f.Values) != r || len(spectrum) != r || vectors && !(shaped(f.U, m, colsU) && shaped(f.V, n, colsV)) {
		return wrong
	}
	allowed := stableError(m, n, mat.Norm(a, 2))
	ratio := props.Worst(
		props.Truth(descending(f.Values) && f.Values[r-1] >= 0),
		props.Within(distance(f.Values, spectrum), 1.5*allowed),
	)
	if !vectors {
		return ratio
	}
	residual := frobenius(n, "svd", func(x []twofold) []twofold {
		return difference(times(a, x), times(f.U, scaled(f.Values, transposeTimes(f.V, x), colsU)))
	})
	return props.Worst(ratio, props.Within(residual, allowed), orthogonality(f.U), orthogonality(f.V))
}

// EigenRatio is the worst of the ratios of an eigenvalue decomposition of the symmetric matrix a (n×n), whose
// eigenvalues are known to be spectrum, in ascending order, up to the rounding of [WithEigenvalues]. The conditions
// are those of [SVDRatio], with the theorem of A. J. Hoffman and H. W. Wielandt (The variation of the spectrum of a
// normal matrix, Duke Math. J. 20 (1953)) for the values and ‖AV − V diag(λ)‖_F as the residual.
func EigenRatio(a *mat.SymDense, spectrum []float64, vectors bool, f EigenFactors) props.Ratio {
	n := a.SymmetricDim()
	if len(f.Values) != n || len(spectrum) != n || vectors && !shaped(f.V, n, n) {
		return wrong
	}
	full := mat.DenseCopyOf(a)
	allowed := stableError(n, n, mat.Norm(full, 2))
	ratio := props.Worst(
		props.Truth(ascending(f.Values)),
		props.Within(distance(f.Values, spectrum), 1.5*allowed),
	)
	if !vectors {
		return ratio
	}
	residual := frobenius(n, "eigen", func(x []twofold) []twofold {
		return difference(times(full, times(f.V, x)), times(f.V, scaled(f.Values, x, n)))
	})
	return props.Worst(ratio, props.Within(residual, allowed), orthogonality(f.V))
}

// orthogonality is ‖QᵀQ − I‖_F divided by what an orthogonal factor may be off by, for Q of norm √columns.
func orthogonality(q *mat.Dense) props.Ratio {
	rows, cols := q.Dims()
	err := frobenius(cols, "orthogonality", func(x []twofold) []twofold {
		return difference(transposeTimes(q, times(q, x)), x)
	})
	return props.Within(err, stableError(rows, cols, math.Sqrt(float64(cols))))
}

// shaped reports whether a is there and is m×n.
func shaped(a *mat.Dense, m, n int) bool {
	if a == nil {
		return false
	}
	rows, cols := a.Dims()
	return rows == m && cols == n
}

// distance is the Euclidean distance of two lists of equal length.
func distance(x, y []float64) float64 {
	var sum float64
	for i := range x {
		sum += (x[i] - y[i]) * (x[i] - y[i])
	}
	return math.Sqrt(sum)
}

// descending reports whether x₁ ≥ x₂ ≥ … A NaN is in no order.
func descending(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i-1] >= x[i]) {
			return false
		}
	}
	return true
}

// ascending reports whether x₁ ≤ x₂ ≤ … A NaN is in no order.
func ascending(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i-1] <= x[i]) {
			return false
		}
	}
	return true
}
