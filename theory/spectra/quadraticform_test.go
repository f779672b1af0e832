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
	near(t, "mean", FormOf(a).NormalCumulant(1), 1, 0)
	near(t, "variance", FormOf(a).NormalCumulant(2), f.Variance(3), 1e-15)
	near(t, "Aₛ = 3 of a single entry", FormOf(mat.NewDense(1, 1, []float64{3})).NormalCumulant(3), 8*27, 1e-15)
	near(t, "χ² of 7", Form{N: 7, Trace: 7, Square: 7, Diagonal: 7}.Variance(3), 14, 0)
	near(t, "identity on the sphere", Form{N: 7, Trace: 7, Square: 7, Diagonal: 7}.OnSphere(), 0, 0)
	near(t, "circle", FormOf(mat.NewDense(2, 2, []float64{1, 0, 0, -1})).OnSphere(), 0.5, 1e-15) // cos 2t
	near(t, "two points", Form{N: 1, Trace: 3, Square: 9, Diagonal: 9}.OnSphere(), 0, 0)
	for _, bad := range []float64{f.Variance(0.5), Form{}.OnSphere(), Form{N: 2, Square: 1, Diagonal: 2}.Variance(3),
		FormOf(a).NormalCumulant(0),
		Form{N: 1}.NormalCumulant(2)} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}
