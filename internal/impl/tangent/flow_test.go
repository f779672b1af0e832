package tangent_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/tangent"
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

// With one measurement ⟨F, B⟩ = y flow moves along the singular vectors of F, to θⱼ = tan(fⱼτ). That is stationary for
// Σ ω̃(σⱼ) where θⱼ/(1+θⱼ²) = sin(2fⱼτ)/2 is in proportion to fⱼ: for F of rank one, as the tangent features of a
// layer are, and for equal singular values. For others the parameters of least penalty are elsewhere.
func TestFlowOnOneMeasurement(t *testing.T) {
	logDet := tangent.LogDet
	for _, c := range []struct {
		singular []float64
		exact    bool
	}{{[]float64{1.5, 0, 0}, true}, {[]float64{0.8, 0.8, 0.8}, true}, {[]float64{1, 0.5, 0.2}, false}} {
		f := mat.NewDense(3, 4, nil)
		for j, x := range c.singular {
			f.Set(j, j, x)
		}
		flat, y := f.RawMatrix().Data, 3.0
		down := func(b *mat.Dense) *mat.Dense { // of ½(⟨F, B⟩ − y)²
			var g mat.Dense
			g.Scale(floats.Dot(flat, b.RawMatrix().Data)-y, f)
			return &g
		}
		b := tangent.NewAdaptive(3, 4).Flow(down, 20, 600).Product()
		require.InDelta(t, y, floats.Dot(flat, b.RawMatrix().Data), 1e-9)
		s := tangent.Structured{Labels: []float64{y}, Layers: []tangent.StructuredLayer{{Rows: 3, Cols: 4,
			Features: mat.NewDense(1, 12, flat), Left: &logDet, Right: &logDet}}}
		found, err := s.AlternateFrom([]*mat.Dense{mat.DenseCopyOf(b)}, 300, 0)
		require.NoError(t, err)
		var gap mat.Dense
		gap.Sub(b, found.Products()[0])
		if distance := mat.Norm(&gap, 2) / mat.Norm(b, 2); (distance <= 1e-6) != c.exact {
			t.Errorf("singular values %v: flow ends %.2g from where the penalty is stationary", c.singular, distance)
		}
	}
}
