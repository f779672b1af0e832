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
	near(t, "χ² of 7", Form{N: 7, Trace: 7}.Variance(3), 14, 0)
	near(t, "identity on the sphere", Form{N: 7, Trace: 7}.OnSphere(), 0, 0)
	near(t, "signs, of which a large diagonal sees nothing", Form{N: 2, Trace: 2e6, Beside: 2e-6}.Variance(1), 4e-6, 0)
	large := FormOf(mat.NewDense(2, 2, []float64{1e6, 1e-3, 1e-3, 1e6}))
	near(t, "signs, of a matrix with a large diagonal", large.Variance(1), 4e-6, 1e-15)
	near(t, "a large diagonal on the sphere", Form{N: 2, Trace: 2e6, Beside: 2e-6}.OnSphere(), 5e-7, 1e-15)
	near(t, "circle", FormOf(mat.NewDense(2, 2, []float64{1, 0, 0, -1})).OnSphere(), 0.5, 1e-15) // cos 2t
	near(t, "two points", Form{N: 1, Trace: 3}.OnSphere(), 0, 0)
	for _, bad := range []float64{f.Variance(0.5), Form{}.OnSphere(), Form{N: 2, Spread: 2, Beside: -1}.Variance(3),
		Form{N: 1, Trace: 3, Spread: 1}.OnSphere(),
		FormOf(a).NormalCumulant(0),
		Form{N: 1}.NormalCumulant(2)} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}
