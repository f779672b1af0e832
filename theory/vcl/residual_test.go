package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// The worked example: W⁺ᵀW⁺ − WᵀW = [[23,−4],[−4,−15]] by hand, the covariance shift is [[99,91],[91,80]], and the
// residual is 5hhᵀ − wwᵀ with w = (−9, −10).
func TestResidualByHand(t *testing.T) {
	s := vcl.LayerStep{
		W:        mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
		Inputs:   mat.NewDense(2, 1, []float64{1, -1}),
		PreGrads: mat.NewDense(3, 1, []float64{1, 0, -2}),
		Step:     1, Convention: vcl.Sum,
	}
	require.NoError(t, s.Valid())
	require.True(t, mat.Equal(mat.NewDense(2, 2, []float64{-76, -95, -95, -95}), s.Residual()))

	r := vcl.RankTwo{Step: 1, G: math.Sqrt(5), H: math.Sqrt2, W: math.Sqrt(181), Cosine: 1 / math.Sqrt(2*181)}
	lo, hi := r.Eigenvalues()
	// Trace −171 and squared Frobenius norm 76²+3·95² from the matrix above.
	for _, c := range []struct{ got, want float64 }{
		{r.Trace(), -171}, {r.Frobenius(), math.Sqrt(76*76 + 3*95*95)}, {lo + hi, -171}, {lo * hi, 76*95 - 95*95},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-12*math.Abs(c.want)) { // ten operations on numbers of that size
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func TestResidualVanishesWhenVirtualAndActualStepBalance(t *testing.T) {
	r := vcl.RankTwo{Step: 0.3, G: 2, H: 1.5, W: 3, Cosine: -1} // w = −‖g‖h
	lo, hi := r.Eigenvalues()
	require.Zero(t, r.Trace())
	require.Zero(t, r.Frobenius())
	require.Zero(t, lo)
	require.Zero(t, hi)
}

func TestOutsideTheHypothesesIsNaN(t *testing.T) {
	s := vcl.LayerStep{W: mat.NewDense(1, 1, []float64{1}), Inputs: mat.NewDense(1, 2, []float64{1, 2}),
		PreGrads: mat.NewDense(1, 2, []float64{1, 1}), Step: 1, Convention: vcl.Convention{Weights: 0.5, Virtual: 0.5,
			Covariance: 0.5}}
	require.ErrorContains(t, s.Valid(), "conventions")
	require.True(t, math.IsNaN(s.Residual().At(0, 0)))
	require.True(t, math.IsNaN(vcl.RankTwo{H: -1}.Trace()))
	require.True(t, math.IsNaN(vcl.RankTwo{Cosine: 2}.Frobenius()))
}
