package kernels

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
)

// QRRatio is the worst of the ratios of a reduced QR factorisation of a (m×n, m ≥ n): the residual ‖A − QR‖_F and the
// departure of q (m×n) from orthonormal columns, within the errors of [SVDRatio], and r (n×n) upper triangular.
func QRRatio(a, q, r *mat.Dense) props.Ratio {
	m, n := a.Dims()
	if m < n || !probe.Shaped(q, m, n) || !probe.Shaped(r, n, n) {
		return probe.Wrong
	}
	residual := probe.Frobenius(n, "qr", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(a, x), probe.Times(q, probe.Times(r, x)))
	})
	return props.Worst(
		props.Condition(zeroOn(r, func(i, j int) bool { return i > j })),
		props.Within(residual, probe.StableError(m, n, mat.Norm(a, 2))),
		orthogonality(q))
}

// CholeskyRatio is the residual ‖A − LLᵀ‖_F of the Cholesky factor l of a (both n×n) within the error of [SVDRatio]; l
// must be lower triangular with a positive diagonal, which makes it the only one.
func CholeskyRatio(a *mat.SymDense, l *mat.Dense) props.Ratio {
	n := a.SymmetricDim()
	if !probe.Shaped(l, n, n) {
		return probe.Wrong
	}
	positive := true
	for i := range n {
		positive = positive && l.At(i, i) > 0
	}
	full := mat.DenseCopyOf(a)
	residual := probe.Frobenius(n, "cholesky", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(full, x), probe.Times(l, probe.TransposeTimes(l, x)))
	})
	return props.Worst(
		props.Condition(positive && zeroOn(l, func(i, j int) bool { return i < j })),
		props.Within(residual, probe.StableError(n, n, mat.Norm(full, 2))))
}

// zeroOn reports that every entry in those places is zero.
func zeroOn(a *mat.Dense, place func(i, j int) bool) bool {
	rows, cols := a.Dims()
	for i := range rows {
		for j := range cols {
			if place(i, j) && a.At(i, j) != 0 {
				return false
			}
		}
	}
	return true
}
