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
		{s.A, 1.25}, {s.P, 1.5}, {s.Q, 2}, {s.Limit(), 0.4530818393219728}, {s.Determinant(0.25), 0.625*0.625 - 0.03125}, {s.Determinant(s.Limit()), 0},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-15*8) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	// G = [[3.25, −0.625], [−0.625, 0.5625]] has determinant 1.4375, and det A = 4.
	require.Equal(t, (3.25*0.5625-0.625*0.625)/4, s.Determinant(0.25))
}

func TestSampleShiftLimits(t *testing.T) {
	require.True(t, math.IsInf(vcl.SampleShift{A: 1, P: 3, Q: 2}.Limit(), 1))
	require.True(t, math.IsInf(vcl.SampleShift{A: 2, P: -3, Q: 1}.Limit(), 1))
	require.Equal(t, -2., vcl.SampleShift{A: 4, P: 2, Q: 1}.Determinant(1)) // W = 1, h = 2, g = 1
	require.Equal(t, -9., vcl.LeastEigenvalue(0.5, 2, 3))
	require.Equal(t, 2, vcl.NegativeEigenvalues(3, 5, 4))
	require.Equal(t, 0, vcl.NegativeEigenvalues(5, 5, 4))
	_, err := vcl.NewSampleShift(mat.NewDense(2, 2, nil), []float64{1, 1}, []float64{1, 1})
	require.Error(t, err)
	bad := vcl.SampleShift{A: -1}
	require.True(t, math.IsNaN(bad.Determinant(1)) && math.IsNaN(bad.Limit()) && math.IsNaN(vcl.LeastEigenvalue(1, -1, 1)))
}
