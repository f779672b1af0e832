package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// Two classes of one sample, features 1 and −1: Y has the rows (½, −½) and (−½, ½), YYᵀ = G/2 = [[½, −½], [−½, ½]] with
// norm 1, G has norm 2, S = 2. Each target is (½, −½) or its negative: ridge regression shrinks it by 2/(2+λ).
func TestSimplexByHand(t *testing.T) {
	s := vcl.Simplex{Classes: 2, Size: 1, Length: 1}
	require.Equal(t, 1., s.TargetNorm())
	require.Equal(t, 2., s.Gram())
	require.Equal(t, 2., s.Similarity())
	require.Equal(t, 1-1./9, s.Linearity(1))
	require.Equal(t, math.Sqrt(0.5), s.Uncentred())
	// Three classes of two samples: aN²/K = 12 for a = 1, ‖G‖ = 6/√2.
	s = vcl.Simplex{Classes: 3, Size: 2, Length: 1}
	if !(math.Abs(s.Similarity()-12) <= 1e-14 && math.Abs(s.Gram()-6/math.Sqrt2) <= 1e-15) {
		t.Errorf("S = %v, ‖G‖ = %v", s.Similarity(), s.Gram())
	}
}

func TestSimplexLimits(t *testing.T) {
	for _, s := range []vcl.Simplex{{}, {Classes: 1, Size: 1, Length: 1}, {Classes: 3, Size: 1}, {Classes: 3, Size: 1,
		Length: math.NaN()}} {
		require.Error(t, s.Valid())
		require.True(t, math.IsNaN(s.Similarity()) && math.IsNaN(s.Linearity(1)) && math.IsNaN(s.Uncentred()))
	}
	require.True(t, math.IsNaN(vcl.Simplex{Classes: 3, Size: 1, Length: 1}.Linearity(0)))
	require.Equal(t, 1., vcl.Simplex{Classes: 3, Size: 1, Length: 1e300}.Linearity(1))
}

// Features 1 and 3 in class 0, 8 in class 1: means 2 and 8, mean 4, scatter 2·4 + 16 = 24.
func TestClassScatterByHand(t *testing.T) {
	classes, targets, scatter := vcl.ClassScatter(mat.NewDense(1, 3, []float64{1, 3, 8}), []int{0, 0, 1})
	require.Equal(t, 2, classes)
	require.Equal(t, []float64{0.5, -0.5, 0.5, -0.5, -0.5, 0.5}, targets.RawMatrix().Data)
	require.Equal(t, 24., scatter.At(0, 0))
}
