package linalg

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Tridiagonal is a symmetric matrix A = Q·T·Qᵀ of order n with tridiagonal T: one factorisation after which A + λI is
// solved for every λ in O(n) on the side of T and 4n² flops for the change of basis.
type Tridiagonal struct {
	scale       float64 // T belongs to A·scale
	diagonal    []float64
	subdiagonal []float64
	reflectors  [][]float64 // row j acts on the coordinates from j+1 on
	tau         []float64
}

// Tridiagonalise factorises a in 4/3·n³ flops and leaves it unchanged. An entry that is not finite gives an error that
// wraps [ErrNotFinite] and names the entry.
func Tridiagonalise(a mat.Symmetric) (*Tridiagonal, error) {
	n := a.SymmetricDim()
	w := borrow()
	defer w.giveBack()
	work, scale, err := w.scaledSymmetric(a)
	if err != nil {
		return nil, err
	}
	t := &Tridiagonal{scale: scale, diagonal: make([]float64, n), subdiagonal: make([]float64, n)}
	if n == 0 {
		return t, nil
	}
	r := w.tridiagonalise(work, t.diagonal, t.subdiagonal)
	t.tau, t.reflectors = slices.Clone(r.tau), make([][]float64, r.v.Rows)
	kept := make([]float64, 0, n*n/2)
	for j := range t.reflectors {
		kept = append(kept, rowOf(r.v, j)[j+1:]...)
		t.reflectors[j] = kept[len(kept)-(n-j-1):]
	}
	return t, nil
}

// Rotate overwrites b with Qᵀb.
func (t *Tridiagonal) Rotate(b []float64) {
	t.fits(b)
	for j := range t.reflectors {
		t.reflect(j, b)
	}
}

// RotateBack overwrites b with Qb.
func (t *Tridiagonal) RotateBack(b []float64) {
	t.fits(b)
	for j := len(t.reflectors) - 1; j >= 0; j-- {
		t.reflect(j, b)
	}
}

func (t *Tridiagonal) fits(b []float64) {
	if len(b) != len(t.diagonal) {
		panic("linalg: the right-hand side does not fit the factor")
	}
}

func (t *Tridiagonal) reflect(j int, b []float64) {
	v, x := t.reflectors[j], b[j+1:]
	kernels.Daxpy(len(v), -t.tau[j]*kernels.Ddot(len(v), v, 1, x, 1), v, 1, x, 1)
}

// SolveShifted returns (T + λI)⁻¹b for b that is rotated, see [Tridiagonal.Rotate]. It is an error when A + λI is not
// positive definite in floating point.
//
// Method: the factorisation L·D·Lᵀ of a tridiagonal matrix, which is stable where it is positive definite.
func (t *Tridiagonal) SolveShifted(lambda float64, b []float64) ([]float64, error) {
	t.fits(b)
	n := len(b)
	x, pivots := slices.Clone(b), make([]float64, n)
	for i := range n {
		pivots[i] = t.diagonal[i] + lambda*t.scale
		if i > 0 {
			factor := t.subdiagonal[i-1] / pivots[i-1]
			pivots[i] -= factor * t.subdiagonal[i-1]
			x[i] -= factor * x[i-1]
		}
		if !(pivots[i] > 0) {
			return nil, fmt.Errorf("%w: pivot %d of A + %gI", ErrNotPositiveDefinite, i, lambda)
		}
	}
	for i := n - 1; i >= 0; i-- {
		if i < n-1 {
			x[i] -= t.subdiagonal[i] * x[i+1] // before D⁻¹, which multiplies both terms
		}
		x[i] /= pivots[i]
	}
	kernels.Dscal(n, t.scale, x, 1)
	return x, nil
}
