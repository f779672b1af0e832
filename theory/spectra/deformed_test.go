package spectra

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// TestRankOne compares with another computation, at θ for which ρ = 2.5 or 2.05.
func TestRankOne(t *testing.T) {
	for _, c := range []struct {
		s                          RankOne
		place, left, right, spread float64
	}{
		{RankOne{"atoms", 1, 1.26}, 2.5, 0.5506607929515, 0.5506607929515, 0.3928253992897},
		{RankOne{"atoms", 0.5, 1.452986652645}, 2.5, 0.6264996001066, 0.4711276992802, 0.3606253736229},
		{RankOne{"atoms", 0.5, 0.2516213540799}, 2.05, 0.301041890305, 0.1641641456022, 0.007615155495279},
		{RankOne{"semicircle", 1, 1.511966035295}, 2.5, 0.6725427669788, 0.6725427669788, 0.5034525729562},
		{RankOne{"semicircle", 0.5, 1.68790660888}, 2.5, 0.7571874767997, 0.6075620878542, 0.4217961661228},
		{RankOne{"semicircle", 1, 0.4}, 2, 0, 0, 0},
		{RankOne{"atoms", 1, 0}, math.NaN(), math.NaN(), math.NaN(), math.NaN()},
	} {
		l := c.s.Limits()
		near(t, "place", l.Place, c.place, 1e-11)
		near(t, "left", l.Left, c.left, 1e-11)
		near(t, "right", l.Right, c.right, 1e-11)
		near(t, "variance", l.Variance, c.spread, 1e-10)
	}
	near(t, "threshold", RankOne{"semicircle", 1, 1}.Threshold(), 0.4665063509461, 1e-12)
	near(t, "threshold, c = ½", RankOne{"semicircle", 0.5, 1}.Threshold(), 0.5940820591283, 1e-12)
	near(t, "vanishing threshold", RankOne{"vanishing", 1, 1}.Threshold(), -1/(6+24*math.Log(0.75)), 1e-14)
	jump := RankOne{"vanishing", 1, 1.105743 * (1 + 1e-6)}.Limits()
	near(t, "jump", jump.Left, 0.5284, 1e-4)
	near(t, "nothing below", RankOne{"vanishing", 1, 1.1}.Limits().Left, math.NaN(), 0)
	for _, z := range []float64{2.5, 21.9, 22.1, 1000} { // φ by a Gauss rule
		want := quad.Fixed(func(s float64) float64 { return 3 * (2 - s) * (2 - s) * z / (z*z - s*s) }, 1, 2, 30, nil, 0)
		phi, slope := RankOne{"vanishing", 1, 1}.sums(z - 2)
		near(t, "φ", phi*z, want*z, 1e-12)
		further, _ := RankOne{"vanishing", 1, 1}.sums(z*(1+1e-6) - 2)
		near(t, "φ′", slope*z*z, (further-phi)*z*1e6, 1e-5)
	}
	weak := RankOne{"atoms", 0.5, 1e-12}.Limits() // of which ρ − 2 = θ√c/4 is lost in ρ
	near(t, "a weak change of atoms, left", weak.Left, 0.25, 1e-11)
	near(t, "a weak change of atoms, right", weak.Right, 0.125, 1e-11)
	near(t, "no threshold", RankOne{"atoms", 1, 1}.Threshold(), 0, 0)
	near(t, "c > 1", RankOne{"atoms", 2, 1}.Limits().Place, math.NaN(), 0)
}
