// Package ridge solves ridge regressions: for many penalties with one factorisation, and by products with the matrix,
// which are counted: by Richardson's iteration, plain and with the leading eigenvectors divided out, and by conjugate
// gradients.
package ridge

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Path solves (K + λI)a = y for a positive semidefinite K and any number of penalties λ > 0: 4/3·n³ flops once, and
// 4n² for each penalty.
type Path struct {
	factor *linalg.Tridiagonal
	right  []float64 // Qᵀy
}

// NewPath factorises k (n×n); y has length n. Neither is changed.
func NewPath(k mat.Symmetric, y []float64) (*Path, error) {
	if k.SymmetricDim() != len(y) {
		panic("ridge: the right-hand side does not fit the matrix")
	}
	factor, err := linalg.Tridiagonalise(k)
	if err != nil {
		return nil, err
	}
	p := &Path{factor, slices.Clone(y)}
	factor.Rotate(p.right)
	return p, nil
}

// Solve returns (K + λI)⁻¹y. It is an error when the matrix is not positive definite in floating point.
func (p *Path) Solve(lambda float64) ([]float64, error) {
	a, err := p.factor.SolveShifted(lambda, p.right)
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	p.factor.RotateBack(a)
	return a, nil
}

// Features returns the path of output weights for features Φ (n×m): Solve(nλ/2) minimises ‖Φa − y‖²/n + λ‖a‖²/2.
// Without the ½ of the penalty, or the 1/n of the loss, the argument is another.
func Features(phi *mat.Dense, y []float64) (*Path, error) {
	n, m := phi.Dims()
	if n != len(y) {
		panic("ridge: features and targets of different numbers of samples")
	}
	var moment mat.SymDense
	moment.SymOuterK(1, phi.T())
	right := mat.NewVecDense(m, nil)
	right.MulVec(phi.T(), mat.NewVecDense(n, y))
	return NewPath(&moment, right.RawVector().Data)
}

// Penalties returns count values from lo to hi, both positive, with evenly spaced logarithms.
func Penalties(lo, hi float64, count int) []float64 {
	out := make([]float64, count)
	for i := range out {
		out[i] = lo * math.Pow(hi/lo, float64(i)/float64(count-1))
	}
	return out
}
