package vcl

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// simulateFact puts a layer of four units on four samples whose targets make the gradient of the regularised loss as
// large as given, along the singular vectors of the largest singular value, where it moves the Gram matrix
// most.
func simulateFact(t *props.Trial, v statements.Values) (map[string]float64, error) {
	const n = 4
	lambda, size := v.Float("lambda"), v.Float("weights")
	left, right, h := gen.Orthonormal(t.Rand, n, n), gen.Orthonormal(t.Rand, n, n), gen.Orthonormal(t.Rand, n, n)
	var w, rest, outer, y mat.Dense
	w.Mul(left, mat.NewDiagDense(n, []float64{size, size / 2, size / 3, size / 4}))
	w.Mul(&w, right.T())
	outer.Mul(left.Slice(0, n, 0, 1), right.Slice(0, n, 1, 2).T())
	outer.Scale(v.Float("gradient"), &outer)
	rest.Scale(-lambda, &w)
	rest.Add(&rest, &outer)
	rest.Scale(n, &rest)
	rest.Mul(&rest, h) // Γ with ΓHᵀ/N + λW = ∇L, because HHᵀ = I
	y.Mul(&w, h)
	y.Sub(&y, &rest)
	f := decayedOf(nn.Net{{W: &w, Act: nn.Identity}}, h, &y, lambda, lambda)
	gap := f.gap(decayed.formula)
	gap.Scale(1/lambda, gap)
	shift := theory.FactGram(f.Inputs, f.InputGrads, lambda)
	shift.Add(shift, mat.DenseCopyOf(shift.T()))
	shift.Scale(v.Float("step")*lambda, shift)
	values, err := linalg.SingularValues(shift)
	if err != nil {
		return nil, fmt.Errorf("the shift of such a layer cannot be measured: %w", err)
	}
	return map[string]float64{"error": mat.Norm(gap, 2), "shift": values[0]}, nil
}
