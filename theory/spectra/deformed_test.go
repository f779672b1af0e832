package spectra

import (
	"math"
	"testing"
)

// TestRankOne has θ for which ρ = 2.5 or 2.05, with numbers of another computation.
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
	near(t, "no threshold", RankOne{"atoms", 1, 1}.Threshold(), 0, 0)
	near(t, "c > 1", RankOne{"atoms", 2, 1}.Limits().Place, math.NaN(), 0)
}
