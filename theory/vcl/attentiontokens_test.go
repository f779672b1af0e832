package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/vcl"
)

// Queries, keys and values of the dyadic block with tokens (1, 2, 0) and (3, −1, 0), γ = 1: W_QᵀΓ_Q, W_KᵀΓ_K, W_VᵀΓ_V.
func TestCrossTerms(t *testing.T) {
	signals := []*mat.Dense{
		mat.NewDense(3, 2, []float64{0, 0, 0, 0, 10, -30}),
		mat.NewDense(3, 2, []float64{0, 0, 0, 0, -11.25, 11.25}),
		mat.NewDense(3, 2, []float64{-2, -2, 2, 2, -4, -4}),
	}
	require.Equal(t, mat.NewDense(3, 3, []float64{0, 0, -40, 0, 0, 40, -40, 40, 740}), vcl.CrossTerms(1, signals))
}

// Six unit vectors at a cosine of ¼: thirty ordered pairs of ¼.
func TestEqualBranches(t *testing.T) {
	b := vcl.EqualBranches{Step: 2, Heads: 2, Norm: 1, Cosine: 0.25}
	require.Equal(t, -30., b.Trace())
	b.Cosine = 2
	require.True(t, math.IsNaN(b.Trace()))
}
