package spectra

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestForm(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{3, 1, 5, -2})
	f := FormOf(a) // signs: 3 − 2 ± (1 + 5)
	near(t, "signs", f.Variance(1), 36, 0)
	near(t, "mean", NormalCumulant(a, 1), 1, 0)
	near(t, "variance", NormalCumulant(a, 2), f.Variance(3), 1e-15)
	near(t, "Aₛ = 3 of a single entry", NormalCumulant(mat.NewDense(1, 1, []float64{3}), 3), 8*27, 1e-15)
	near(t, "χ² of 7", Form{7, 7, 7, 7}.Variance(3), 14, 0)
	near(t, "identity on the sphere", Form{7, 7, 7, 7}.OnSphere(), 0, 0)
	near(t, "circle", FormOf(mat.NewDense(2, 2, []float64{1, 0, 0, -1})).OnSphere(), 0.5, 1e-15) // cos 2t
	near(t, "two points", Form{1, 3, 9, 9}.OnSphere(), 0, 0)
	for _, bad := range []float64{f.Variance(0.5), Form{}.OnSphere(), Form{2, 0, 1, 2}.Variance(3), NormalCumulant(a, 0),
		NormalCumulant(mat.NewDense(1, 2, nil), 2)} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}
