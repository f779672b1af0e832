package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// W = I, x = (1, 1), so z = (1, 1), p = (½, ½); label 2 gives q = ½. γ = 1: W_s = [[½, −½], [½, 3/2]] and WW_sᵀ = [[½,
// ½], [−½, 3/2]], whose trace is 2 and skew part −1: θ = −arctan ½.
func TestTwoClassesByHand(t *testing.T) {
	require.Equal(t, []float64{0.5, 0.5}, vcl.Probabilities([]float64{1, 1}))
	s := vcl.TwoClasses{Squared: 2, Common: 0.5 * 2, Apart: 0, Step: 1}
	if got, want := s.Angle(), -math.Atan(0.5); !(math.Abs(got-want) <= 1e-16) {
		t.Errorf("angle %v, want %v", got, want)
	}
	cos, sin := math.Cos(s.Angle()), math.Sin(s.Angle())
	descent := [2][2]float64{{0.5, -0.5}, {0.5, 1.5}}
	next := [2][2]float64{}
	for j := range 2 {
		next[0][j] = cos*descent[0][j] - sin*descent[1][j]
		next[1][j] = sin*descent[0][j] + cos*descent[1][j]
	}
	// The certificate: W₊Wᵀ = W₊ is symmetric with positive trace and determinant ½·3/2 + ¼ = 1.
	if !(math.Abs(next[0][1]-next[1][0]) <= 1e-15 && next[0][0]+next[1][1] > 0) {
		t.Errorf("W₊ = %v is not symmetric", next)
	}
}

func TestTwoClassesLimits(t *testing.T) {
	require.Zero(t, vcl.TwoClasses{Squared: 1, Apart: 3, Step: 0.1}.Angle()) // 1ᵀW = 0: z₁ + z₂ = 0
	require.Equal(t, 1, vcl.SoftmaxNegative(2, 784, 64))
	require.Equal(t, 9, vcl.SoftmaxNegative(10, 784, 64))
	require.Equal(t, 3, vcl.SoftmaxNegative(5, 8, 64))
	require.Equal(t, 2, vcl.SoftmaxNegative(5, 8, 2))
	require.Equal(t, 0, vcl.SoftmaxNegative(5, 5, 2))
	p := vcl.Probabilities([]float64{800, 800 + math.Log(3), -800}) // no overflow
	for k, want := range []float64{0.25, 0.75, 0} {
		if !(math.Abs(p[k]-want) <= 1e-13) {
			t.Errorf("p[%d] = %v", k, p[k])
		}
	}
	for _, s := range []vcl.TwoClasses{{}, {Squared: -1}, {Squared: 1, Step: math.NaN()}} {
		require.Error(t, s.Valid())
		require.True(t, math.IsNaN(s.Angle()))
	}
}
