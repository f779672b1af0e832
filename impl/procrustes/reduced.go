package procrustes

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Reduced is [Full] in coordinates of the space that the rows of W and the columns of H span: everything of the target
// lives there, so that the eigenproblem has order m+B instead of n. The step equals the step of Full up to rounding,
// for every exponent. Where m+B ≥ n there is nothing to reduce and it is Full. Past shifts live elsewhere and are an
// error. Cost 9(m+B)³ + 24m³ + 2n(m+B)² + 4mn(m+B) flops.
type Reduced Full

// Solve implements [Solver].
func (r Reduced) Solve(p Problem) (Step, error) {
	m, n, batch, err := p.dims()
	if err != nil {
		return Step{}, err
	}
	if p.Past != nil {
		return Step{}, fmt.Errorf("procrustes: past shifts do not fit into the reduced space; use Full")
	}
	k := m + batch
	if k >= n {
		step, err := Full(r).Solve(p)
		step.Method = "reduced"
		step.Why = fmt.Sprintf("m+B = %d is no less than n = %d: nothing to reduce", k, n)
		return step, err
	}
	joint := mat.NewDense(n, k, nil)
	joint.Slice(0, n, 0, m).(*mat.Dense).Copy(p.W.T())
	joint.Slice(0, n, m, k).(*mat.Dense).Copy(p.H)
	qr, err := linalg.QR(joint)
	if err != nil {
		return Step{}, fmt.Errorf("procrustes: basis: %w", err)
	}
	tri := qr.R()
	inner := Problem{W: mat.DenseCopyOf(tri.Slice(0, k, 0, m).T()), H: tri.Slice(0, k, m, k), Gamma: p.Gamma, Rate: p.Rate}
	step, err := Full(r).rotate(inner.W, r.Target.Gram(inner))
	if err != nil {
		return Step{}, err
	}
	lifted := mat.NewDense(n, m, nil)
	lifted.Slice(0, k, 0, m).(*mat.Dense).Copy(step.W.T())
	qr.Apply(lifted, false)
	step.W = mat.DenseCopyOf(lifted.T())
	step.Method, step.Dim = "reduced", k
	step.Why = fmt.Sprintf("the target lives in m+B = %d of n = %d dimensions", k, n)
	return step, nil
}
