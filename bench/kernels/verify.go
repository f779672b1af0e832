package kernels

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/probe"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// MatMulRatio is the error ‖C − AB‖_F divided by √(k+2)·u·‖A‖_F·‖B‖_F, for A (m×k), B (k×n) and C (m×n).
//
// The error is estimated by random probes of C x − A(B x), as in R. Freivalds, Probabilistic machines can use less
// running time, IFIP Congress 1977, without a reference product. The bound comes from the BLAS++ tester: each entry
// sums k products, whose rounding errors behave as independent and add up to √k·u instead of k·u (N. J. Higham, T.
// Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41 (2019)).
func MatMulRatio(c, a, b *mat.Dense) props.Ratio {
	m, k := a.Dims()
	kb, n := b.Dims()
	if k != kb || !probe.Shaped(c, m, n) {
		return probe.Wrong
	}
	err := probe.Frobenius(n, "matmul", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(c, x), probe.Times(a, probe.Times(b, x)))
	})
	return props.Within(err, math.Sqrt(float64(k+2))*roundoff.Unit*mat.Norm(a, 2)*mat.Norm(b, 2))
}

// SVDRatio is the worst of the ratios of a singular value decomposition of a (m×n), whose singular values are known
// to be spectrum up to the rounding of [WithSingularValues]:
//
//   - the values descend and are not negative: 0, or +Inf;
//   - their distance from the spectrum, which ‖ΔA‖_F bounds for a backward error ΔA (L. Mirsky, Symmetric gauge
//     functions and unitarily invariant norms, Quart. J. Math. 11 (1960)); half as much again is allowed for the
//     m+n reflections that made a;
//   - with vectors, the residual ‖A − U diag(σ) Vᵀ‖_F and the departures from orthogonality ‖UᵀU − I‖_F, ‖VᵀV − I‖_F.
//
// Where the values of a are not known, spectrum is nil and the vectors are judged by; it panics if there are none.
func SVDRatio(a *mat.Dense, spectrum []float64, kind mat.SVDKind, f SVDFactors) props.Ratio {
	m, n := a.Dims()
	r := min(m, n)
	colsU, colsV := r, r
	if kind == mat.SVDFull {
		colsU, colsV = m, n
	}
	vectors := kind != mat.SVDNone
	needSpectrum(spectrum, r, vectors)
	if len(f.Values) != r || vectors &&
		!(probe.Shaped(f.U, m, colsU) && probe.Shaped(f.V, n, colsV)) {
		return probe.Wrong
	}
	allowed := probe.StableError(m, n, mat.Norm(a, 2))
	ratio := props.Worst(
		props.Condition(descending(f.Values) && f.Values[r-1] >= 0),
		nearSpectrum(f.Values, spectrum, allowed),
	)
	if !vectors {
		return ratio
	}
	residual := probe.Frobenius(n, "svd", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(a, x), probe.Times(f.U,
			probe.Scaled(f.Values, probe.TransposeTimes(f.V, x), colsU)))
	})
	return props.Worst(ratio, props.Within(residual, allowed), orthogonality(f.U), orthogonality(f.V))
}

// EigenRatio is the worst of the ratios of an eigenvalue decomposition of the symmetric matrix a (n×n), whose
// eigenvalues are known to be spectrum, in ascending order, up to the rounding of [WithEigenvalues]. The conditions are
// the same as for [SVDRatio], with the theorem of A. J. Hoffman and H. W. Wielandt (The variation of the spectrum of a
// normal matrix, Duke Math. J. 20 (1953)) for the values and ‖AV − V diag(λ)‖_F as the residual.
func EigenRatio(a *mat.SymDense, spectrum []float64, vectors bool, f EigenFactors) props.Ratio {
	n := a.SymmetricDim()
	needSpectrum(spectrum, n, vectors)
	if len(f.Values) != n || vectors && !probe.Shaped(f.V, n, n) {
		return probe.Wrong
	}
	full := mat.DenseCopyOf(a)
	allowed := probe.StableError(n, n, mat.Norm(full, 2))
	ratio := props.Worst(
		props.Condition(ascending(f.Values)),
		nearSpectrum(f.Values, spectrum, allowed),
	)
	if !vectors {
		return ratio
	}
	residual := probe.Frobenius(n, "eigen", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.Times(full, probe.Times(f.V, x)), probe.Times(f.V, probe.Scaled(f.Values, x, n)))
	})
	return props.Worst(ratio, props.Within(residual, allowed), orthogonality(f.V))
}

// orthogonality is ‖QᵀQ − I‖_F divided by what an orthogonal factor may be off by, for Q of norm √columns.
func orthogonality(q *mat.Dense) props.Ratio {
	rows, cols := q.Dims()
	err := probe.Frobenius(cols, "orthogonality", func(x []doubledouble.Sum) []doubledouble.Sum {
		return probe.Difference(probe.TransposeTimes(q, probe.Times(q, x)), x)
	})
	return props.Within(err, probe.StableError(rows, cols, math.Sqrt(float64(cols))))
}

// needSpectrum panics on a spectrum of another length, and on none where there is nothing else to judge values by.
func needSpectrum(spectrum []float64, n int, vectors bool) {
	switch {
	case spectrum == nil && !vectors:
		panic("kernels: values alone can be judged only with the spectrum, and there is none")
	case spectrum != nil && len(spectrum) != n:
		panic("kernels: the spectrum has not as many values as the matrix")
	}
}

// nearSpectrum is the distance of values from the spectrum where it is known, divided by what is allowed.
func nearSpectrum(values, spectrum []float64, allowed float64) props.Ratio {
	if spectrum == nil {
		return props.Ratio{}
	}
	return props.Within(distance(values, spectrum), 1.5*allowed)
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
