package features_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
)

// One feature h = (1, 2), y = (3, 1), λ = 5: the weight is (3+2)/(1+4+5) = 1/2.
func TestRidgeByHand(t *testing.T) {
	fitted, err := features.Ridge(mat.NewDense(1, 2, []float64{1, 2}), []float64{3, 1}, 5)
	require.NoError(t, err)
	for i, want := range []float64{0.5, 1} {
		if !(math.Abs(fitted[i]-want) <= 0x1p-50) { // a square root and its square
			t.Errorf("fitted %v, want %v", fitted[i], want)
		}
	}
}

func TestRidgeRefusesWhatItCannotSolve(t *testing.T) {
	_, err := features.Ridge(mat.NewDense(2, 1, []float64{1, 1}), []float64{1}, 0)
	require.ErrorContains(t, err, "λ = 0")
	_, err = features.Ridge(mat.NewDense(1, 1, []float64{math.NaN()}), []float64{1}, 1)
	require.Error(t, err)
	require.PanicsWithValue(t, "features: ridge needs one target for each column", func() {
		_, _ = features.Ridge(mat.NewDense(1, 2, nil), []float64{1}, 1)
	})
}

func TestLeaveOneOutIsThatOfTheOtherFactorisation(t *testing.T) {
	r := stream()
	for _, shape := range [][2]int{{12, 5}, {5, 12}, {1, 1}} {
		f, y := features.Gaussian(r, shape[0], shape[1]), features.Gaussian(r, 1, shape[0])
		got, err := features.LeaveOneOut(f, y.RawRowView(0), 0.3)
		require.NoError(t, err)
		regression, err := features.NewRegression(f, 0.3)
		require.NoError(t, err)
		require.InEpsilon(t, regression.Fits(y, features.Added{})[0].LeaveOneOut, got, 1e-12)
	}
	_, err := features.LeaveOneOut(mat.NewDense(1, 1, []float64{math.NaN()}), []float64{1}, 1)
	require.ErrorContains(t, err, "FᵀF + λn")
	require.Panics(t, func() { _, _ = features.LeaveOneOut(mat.NewDense(2, 1, nil), []float64{1}, 1) })
}
