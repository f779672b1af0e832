package tangent_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/tangent"
)

// By hand: one entry, loss −b. From A = C = 1 and Θ = 0 the flow has A = C and Θ' = A², A' = ΘA, so Θ = tan t and A =
// 1/cos t.
func TestFlowByHand(t *testing.T) {
	down := func(*mat.Dense) *mat.Dense { return mat.NewDense(1, 1, []float64{-1}) }
	end := tangent.NewAdaptive(1, 1).Flow(down, 0.5, 50)
	if got, want := end.Theta.At(0, 0), math.Tan(0.5); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("Θ = %v, want %v", got, want)
	}
	if got, want := end.A.At(0, 0), 1/math.Cos(0.5); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("A = %v, want %v", got, want)
	}
}
