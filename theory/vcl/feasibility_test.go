package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// W = diag(2, 1), h = g = (1, 1): A⁻¹ = diag(¼, 1), w = (2, 1): a = 5/4, p = 3/2, q = 2, γ* = 1/(3/2 + 1/√2).
func TestSampleShiftByHand(t *testing.T) {
	s, err := vcl.NewSampleShift(mat.NewDense(2, 2, []float64{2, 0, 0, 1}), []float64{1, 1}, []float64{1, 1})
	require.NoError(t, err)
	for _, c := range []struct{ got, want float64 }{
		{s.A, 1.25}, {s.P, 1.5}, {s.Q, 2}, {s.Limit(), 0.4530818393219728}, {s.Determinant(0.25),
			0.625*0.625 - 0.03125}, {s.Determinant(s.Limit()), 0},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-15*8) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	// G = [[3.25, −0.625], [−0.625, 0.5625]] has determinant 1.4375, and det A = 4.
	require.Equal(t, (3.25*0.5625-0.625*0.625)/4, s.Determinant(0.25))
}

func TestSampleShiftLimits(t *testing.T) {
	require.True(t, math.IsInf(vcl.SampleShift{A: 1, P: 1, Q: 2}.Limit(), 1))
	require.True(t, math.IsInf(vcl.SampleShift{A: 2, P: -1.2, Q: 1}.Limit(), 1))
	require.Equal(t, -2., vcl.SampleShift{A: 4, P: 2, Q: 1}.Determinant(1)) // W = 1, h = 2, g = 1
	require.Equal(t, -9., vcl.LeastEigenvalue(0.5, 2, 3))
	require.Equal(t, 2, vcl.NegativeEigenvalues(3, 5, 4))
	require.Equal(t, 0, vcl.NegativeEigenvalues(5, 5, 4))
	_, err := vcl.NewSampleShift(mat.NewDense(2, 2, nil), []float64{1, 1}, []float64{1, 1})
	require.Error(t, err)
	require.Error(t, vcl.SampleShift{A: 1, P: 3, Q: 2}.Valid())
	bad := vcl.SampleShift{A: -1}
	require.True(t, math.IsNaN(bad.Determinant(1)) && math.IsNaN(bad.Limit()) && math.IsNaN(vcl.LeastEigenvalue(1, -1,
		1)))
}

// W = (1, 0), h = (0, 1), g = 1, γ = ½: G = [[5/4, −½], [−½, 0]] has the eigenvalues −0.17539053 and 1.42539053, and
// √λ₁q₁ is (1.1265952102643166, −0.3951882613244048).
func TestNearestGramByHand(t *testing.T) {
	near, dropped := vcl.NearestGram(mat.NewSymDense(2, []float64{1.25, -0.5, -0.5, 0}), 1)
	w := []float64{1.1265952102643166, -0.3951882613244048}
	for i := range 2 {
		for j := range 2 {
			if got, want := near.At(i, j), w[i]*w[j]; !(math.Abs(got-want) <= 1e-14) {
				t.Errorf("entry %d, %d: %v, want %v", i, j, got, want)
			}
		}
	}
	if !(math.Abs(dropped-0.17539052967910607) <= 1e-15) {
		t.Errorf("dropped %v", dropped)
	}
	// Two positive eigenvalues, one output.
	near, dropped = vcl.NearestGram(mat.NewSymDense(2, []float64{3, 0, 0, 2}), 1)
	require.Equal(t, []float64{3, 0, 0, 0}, near.RawMatrix().Data)
	require.Equal(t, 2., dropped)
}
