package width

import (
	"math"
	"testing"
)

func TestTangent(t *testing.T) {
	angle := atCosine(1, 0.3).Angle
	for l, want := range []float64{.661840289042, 1.03460129961, 1.40403372657, 1.76582657532} {
		close12(t, "Θ", Tangent{l + 2, angle}.Kernel(), want)
	}
	close12(t, "n Var", Tangent{2, angle}.Variance(), 2.41908885760)
	for _, x := range [][2]float64{
		{Tangent{7, 0}.Kernel(), 7}, {Tangent{2, 0}.Variance(), 12}, {Tangent{2, math.Pi}.Kernel(), 0},
		{Tangent{2, math.Pi / 2}.Kernel(), 1 / math.Pi}, {Tangent{2, math.Pi / 2}.Variance(), 1 - 1/(math.Pi*math.Pi)},
		{Tangent{1, angle}.Kernel(), 0.3},
	} {
		close12(t, "by hand", x[0], x[1])
	}
	for _, bad := range []float64{Tangent{0, 1}.Kernel(), Tangent{2, -1}.Kernel(), Tangent{3, 1}.Variance()} {
		if !math.IsNaN(bad) {
			t.Errorf("%v outside of the hypotheses", bad)
		}
	}
}
