package procrustes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/roundoff"
)

// Full is the paper's route (Cha and Lee 2025, Algorithm 1): the r = min(m, n) leading eigenpairs of the target,
// G ≈ QΛQᵀ, give the factor W̃ = Λ^α Qᵀ (r×n); the singular value decomposition W W̃ᵀ = PΣVᵀ gives W₊ = P Vᵀ W̃. It is
// the reference that the other solvers are compared with. Cost 9n³ + 24m³ flops, and the products.
//
// W₊ᵀW₊ = QΛ^{2α}Qᵀ, so that only α = ½ meets the constraint of the virtual covariance problem. The printed algorithm
// recommends α = 0.1.
type Full struct {
	Target   Target
	Exponent float64 // α; 0 stands for ½
	Strict   bool    // a negative eigenvalue among the leading ones is an error, as in the printed algorithm, not dropped
}

// Solve implements [Solver].
func (f Full) Solve(p Problem) (Step, error) {
	_, n, _, err := p.dims()
	if err != nil {
		return Step{}, err
	}
	gram := f.Target.Gram(p)
	if p.Past != nil {
		gram.Add(gram, p.Past)
	}
	step, err := f.rotate(p.W, gram)
	step.Method, step.Dim = "full", n
	step.Why = fmt.Sprintf("eigenvectors of the %d×%d target, then one singular value decomposition", n, n)
	return step, err
}

// rotate returns the step to the Gram matrix.
func (f Full) rotate(w, gram *mat.Dense) (Step, error) {
	factor, dropped, err := f.factor(w, gram)
	if err != nil {
		return Step{}, err
	}
	p, _, v, err := linalg.SVD(dense.Mul(w, factor), mat.SVDThin)
	if err != nil {
		return Step{}, fmt.Errorf("procrustes: rotation: %w", err)
	}
	return Step{W: dense.Mul(dense.Mul(p, v.T()), factor.T()), Dropped: dropped}, nil
}

// factor returns W̃ᵀ (n×r) and the norm of what it leaves out of the Gram matrix.
func (f Full) factor(w, gram *mat.Dense) (*mat.Dense, float64, error) {
	m, n := w.Dims()
	values, vectors, err := linalg.SymEigen(symmetric(gram), true)
	if err != nil {
		return nil, 0, fmt.Errorf("procrustes: eigenvalues of the target: %w", err)
	}
	alpha := f.Exponent
	if alpha == 0 {
		alpha = 0.5
	}
	rank := min(m, n)
	// Eigenvalues carry errors of a few units in the last place of the largest; what is below that counts as zero.
	noise := 4 * float64(n) * roundoff.Unit * max(math.Abs(values[0]), math.Abs(values[n-1]))
	columns := mat.NewDense(n, rank, nil)
	columns.Copy(vectors.Slice(0, n, n-rank, n))
	roots := make([]float64, rank)
	var dropped float64
	for i, value := range values { // ascending
		if i < n-rank || value < 0 {
			dropped = math.Hypot(dropped, value)
		}
		switch {
		case i < n-rank:
		case value > 0:
			roots[i-(n-rank)] = math.Pow(value, alpha)
		case f.Strict && value < -noise:
			return nil, 0, fmt.Errorf("procrustes: eigenvalue %d of the target is %.6g; it has no power %v", n-i, value, alpha)
		}
	}
	for i := range n {
		row := columns.RawRowView(i)
		for j, root := range roots {
			row[j] *= root
		}
	}
	return columns, dropped, nil
}
