package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/thm-suite/thm/internal/roundoff"
)

// refineAlways is the number of vectors up to which X·Xᵀ is always looked at: it is cheap there, and a few roundings
// do not average out.
const refineAlways = 200

// enough is the error of X·Xᵀ for k rows, as a sum of a row in roundings per column, below which rows are orthonormal
// as they are: a fifth of what LAPACK's tests grant up to order 64; above that three quarters, what LAPACK leaves of
// random matrices there.
func enough(k int) float64 {
	if k <= 64 {
		return 0.2
	}
	return 0.75
}

// refine makes nearly orthonormal rows orthonormal to a rounding or so, by one step of Newton and Schulz, X - (X·Xᵀ -
// I)·X/2, in 4 flops per entry of X and row. More than a few rows only get it if they need it: products of many
// nearly parallel reflectors, as for a constant matrix, lose orthogonality in proportion to their number.
func (w *workspace) refine(x blas64.General) {
	k := x.Rows
	if k == 0 || k > refineAlways && !w.drifted(x) {
		return
	}
	defer w.release(w.used)
	excess, before := w.gramError(x), w.general(k, x.Cols)
	worst := 0.0
	for i := range k {
		worst = max(worst, kernels.Dasum(k, rowOf(excess, i), 1))
	}
	if worst <= enough(k)*roundoff.Ulp*float64(x.Cols) {
		return
	}
	for i := range k {
		copy(rowOf(before, i), rowOf(x, i))
	}
	multiply(blas.NoTrans, blas.NoTrans, -0.5, excess, before, 1, x)
}

// gramError is X·Xᵀ - I.
func (w *workspace) gramError(x blas64.General) blas64.General {
	k := x.Rows
	gram, whole := w.general(k, k), w.general(k, k)
	kernels.Dsyrk(blas.Upper, blas.NoTrans, k, x.Cols, 1, x.Data, x.Stride, 0, gram.Data, k)
	transposeInto(whole, gram)
	for i := range k {
		copy(rowOf(whole, i)[i:], rowOf(gram, i)[i:])
		whole.Data[i*k+i] -= 1
	}
	return whole
}

// drifted reports whether P·(X·Xᵀ - I) is longer than unit·k in one of four rows P of signs: whether the entries of
// X·Xᵀ - I are, on the average, above unit.
func (w *workspace) drifted(x blas64.General) bool {
	const probes = 4
	defer w.release(w.used)
	signs, y, z := w.general(probes, x.Rows), w.general(probes, x.Cols), w.general(probes, x.Rows)
	state := uint64(1)
	for i := range signs.Data {
		state = state*6364136223846793005 + 1442695040888963407 // Knuth's linear congruence
		signs.Data[i] = float64(int(state>>63)*2 - 1)
	}
	copy(z.Data, signs.Data)
	multiply(blas.NoTrans, blas.NoTrans, 1, signs, x, 0, y)
	multiply(blas.NoTrans, blas.Trans, 1, y, x, -1, z)
	for i := range probes {
		if !(kernels.Dnrm2(x.Rows, rowOf(z, i), 1) <= roundoff.Ulp*float64(x.Rows)) {
			return true
		}
	}
	return false
}
