package procrustes

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/dense"
)

// NewtonSchulz is the whitening step as arXiv 2605.06258 runs it: [Polar] with the polar factor replaced by a fixed
// number of steps X ← X(15I − 10S + 3S²)/8, S = XᵀX, from M/‖M‖_F. It is here for comparison: directions of M with
// small singular values do not reach 1, and the Gram matrix loses them. Cost 6m³ flops per step besides those of Polar.
type NewtonSchulz struct {
	Steps int // 0 stands for the printed ten
}

// Solve implements [Solver]. A product M that vanishes leaves the weights of gradient descent as they are.
func (s NewtonSchulz) Solve(p Problem) (Step, error) {
	if _, _, _, err := p.dims(); err != nil {
		return Step{}, err
	}
	steps := s.Steps
	if steps == 0 {
		steps = 10
	}
	next := p.sgd()
	x := dense.Mul(p.W, next.T())
	if norm := mat.Norm(x, 2); norm > 0 {
		x.Scale(1/norm, x)
		for range steps {
			x = quintic(x)
		}
		next = dense.Mul(x, next)
	}
	m, _ := p.W.Dims()
	return Step{W: next, Method: "newton-schulz", Why: fmt.Sprintf("%d steps, converged or not", steps), Dim: m,
		Iterations: steps}, nil
}

// quintic returns X(15I − 10S + 3S²)/8.
func quintic(x *mat.Dense) *mat.Dense {
	s := dense.Gram(x.T())
	inner := dense.Gemm(mat.DenseCopyOf(s), 3./8, s, s, -10./8)
	for i := range inner.RawMatrix().Rows {
		inner.Set(i, i, inner.At(i, i)+15./8)
	}
	return dense.Mul(x, inner)
}
