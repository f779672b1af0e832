package vcl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// One weight w = 2, one sample h = 3 with gradients g = 5 and p = wg = 10, and γ = ½: W⁺ = 2 − ½·5·3 = −5.5 and
// h⁺ = 3 − ½·10 = −2, so the gap is (30.25 − 4) − (4 − 9) = 31.25 = γ²(g²h² − p²).
func TestGapByHand(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	s := gramStep{W: one(2), Next: one(-5.5), Inputs: one(3), PreGrads: one(5), InputGrads: one(10), Rate: 0.5,
		Weights: 1, Virtual: 1, Covariance: 1}
	require.NoError(t, s.Valid())
	require.Equal(t, 31.25, s.gap().At(0, 0))
	require.Equal(t, 31.25, s.residual().At(0, 0))
	require.Equal(t, -31.25, s.oppositeResidual().At(0, 0))

	// Two such samples: cross terms double the sum of gᵢhᵢ, and the claim without them keeps the squares alone.
	two := gramStep{W: one(2), Inputs: mat.NewDense(1, 2, []float64{3, 3}),
		PreGrads: mat.NewDense(1, 2, []float64{5, 5}),
		Rate:     0.5, Weights: 1, Virtual: 1, Covariance: 1}
	require.Equal(t, 0.25*(900-200), two.residual().At(0, 0))
	require.Equal(t, 2*31.25, two.residualOfSamples().At(0, 0))
}

// The virtual step moves by γb and the covariance is scaled by c: with b = ½, c = 2 and a = b·c = 1 on the sample
// above, h⁺ = ½, the gap is 26.25 − 2(¼ − 9) = 43.75 = γ²(a²g²h² − c·b²p²).
func TestGapByConvention(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	s := gramStep{W: one(2), Next: one(-5.5), Inputs: one(3), PreGrads: one(5), InputGrads: one(10), Rate: 0.5,
		Weights: 1, Virtual: 0.5, Covariance: 2}
	require.NoError(t, s.Valid())
	require.Equal(t, 43.75, s.gap().At(0, 0))
	require.Equal(t, 43.75, s.residual().At(0, 0))
	s.Covariance = 1
	require.Error(t, s.Valid())
}

func TestScalesOfPractices(t *testing.T) {
	for practice, cancels := range map[string]bool{
		"sum, sum, sum": true, "mean, mean, sum": true, "mean, sum, mean": true,
		"mean, mean, mean": false, "mean, sum, sum": false, "sum, sum, mean": false,
	} {
		a, b, c := scales(practice, 4)
		require.Equal(t, cancels, a == b*c, practice)
	}
}

func TestCentredColumns(t *testing.T) {
	h := mat.NewDense(2, 2, []float64{1, 3, -2, 4})
	require.Equal(t, []float64{2, 1}, columnMean(h).RawMatrix().Data)
	require.Equal(t, []float64{-1, 1, -3, 3}, centred(h).RawMatrix().Data)
}

// A NaN among the weights makes a gap that no criterion accepts.
func TestGapKeepsNaN(t *testing.T) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	s := gramStep{W: one(2), Next: one(math.NaN()), Inputs: one(3), InputGrads: one(10), Rate: 0.5, Virtual: 1,
		Covariance: 1}
	require.True(t, math.IsNaN(s.gap().At(0, 0)))
}
