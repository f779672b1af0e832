package dense_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/dense"
)

// integers have exact products, so every comparison here is with tolerance 0.
func integers(r *rand.Rand, m, n int) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return float64(r.IntN(21) - 10) }, a)
	return a
}

func TestProductsAreGonums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{1, 1, 1}, {3, 5, 2}, {17, 4, 33}, {40, 41, 7}, {65, 2, 3}} {
		m, n, k := s[0], s[1], s[2]
		for _, a := range []mat.Matrix{integers(r, m, k), integers(r, k, m).T(), integers(r, m+1, k+2).Slice(1, m+1, 0, k)} {
			for _, b := range []mat.Matrix{integers(r, k, n), integers(r, n, k).T(), integers(r, n, k).T().T().T()} {
				var want mat.Dense
				want.Mul(a, b)
				require.True(t, mat.Equal(&want, dense.Mul(a, b)))
				old := integers(r, m, n)
				want.Scale(3, &want)
				want.Add(&want, old)
				require.True(t, mat.Equal(&want, dense.Gemm(old, 3, a, b, 1)))
			}
			var gram mat.Dense
			gram.Mul(a, a.T())
			require.True(t, mat.Equal(&gram, dense.Gram(a)))
		}
	}
}

func TestZeroBetaOverwritesAndShapesPanic(t *testing.T) {
	a := mat.NewDense(1, 1, []float64{2})
	require.Equal(t, 4.0, dense.Gemm(mat.NewDense(1, 1, []float64{math.NaN()}), 1, a, a, 0).At(0, 0))
	require.PanicsWithValue(t, "dense: shapes of a product do not fit", func() { dense.Mul(a, mat.NewDense(2, 1, nil)) })
}

// TestAddGram adds to what is there, and fills both triangles.
// TestOtherMatricesAreCopied: what has no storage by rows is multiplied all the same.
func TestOtherMatricesAreCopied(t *testing.T) {
	a := integers(rand.New(rand.NewPCG(5, 6)), 3, 3)
	for _, b := range []mat.Matrix{mat.NewDiagDense(3, []float64{2, 0, -1}), mat.NewDiagDense(3, []float64{1, 2, 3}).T(),
		mat.NewSymDense(3, []float64{1, 2, 3, 2, 4, 5, 3, 5, 6}), mat.NewVecDense(3, []float64{1, 2, 3})} {
		var want mat.Dense
		want.Mul(a, b)
		require.True(t, mat.Equal(&want, dense.Mul(a, b)))
	}
}

func TestAddGram(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	a, b := integers(r, 5, 7), integers(r, 5, 3)
	got, want := dense.Gram(a), dense.Mul(a, a.T())
	dense.AddGram(got, b)
	want.Add(want, dense.Mul(b, b.T()))
	require.True(t, mat.Equal(want, got))
	require.Panics(t, func() { dense.AddGram(mat.NewDense(4, 4, nil), a) })
}
