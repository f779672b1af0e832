package spectra

import (
	"math"
	"testing"
)

// TestSpike compares with worked numbers of the three models, and tries strengths on either side of γ^(1/4) and √γ.
func TestSpike(t *testing.T) {
	for _, c := range []struct {
		s    Spike
		want SpikeLimits
	}{
		{Spike{"covariance", 0.5, 3}, SpikeLimits{3.75, 0.7, 0.875, 15.75}},
		{Spike{"covariance", 0.5, 2}, SpikeLimits{3, 1. / 3, 0.5, 4}},
		{Spike{"covariance", 2, 4}, SpikeLimits{20. / 3, 7. / 15, 7. / 9, 224. / 9}},
		{Spike{"additive", 0.5, 1.5},
			SpikeLimits{1.993043457184 * 1.993043457184, 0.7373737373737, 0.6239316239316, 10.81481481481}},
		{Spike{"additive", 2, 1.5},
			SpikeLimits{2.477678124553 * 2.477678124553, 0.3202614379085, 0.4188034188034, 9.074074074074}},
		{Spike{"goe", 0, 2}, SpikeLimits{2.5, 0.75, 0.75, 1.5}},
		{Spike{"additive", 0.5, 0.78}, SpikeLimits{Place: 2.914213562373}},
		{Spike{"goe", 0, 1}, SpikeLimits{Place: 2}},
		{Spike{"covariance", 0, 2}, SpikeLimits{math.NaN(), math.NaN(), math.NaN(), math.NaN()}},
	} {
		got := c.s.Limits()
		near(t, "place", got.Place, c.want.Place, 1e-12)
		near(t, "right", got.Right, c.want.Right, 1e-12)
		near(t, "left", got.Left, c.want.Left, 1e-12)
		near(t, "variance", got.Variance, c.want.Variance, 1e-12)
	}
	near(t, "cosine beyond γ^(1/4)", Spike{"additive", 2, 1.3}.Limits().Left, 0.188, 3e-3)
	near(t, "below", Spike{"covariance", 0.5, 1.2}.Hidden(), 2.333202398321, 1e-12)
	near(t, "no spike", Spike{"covariance", 0.5, 1}.Hidden(), 1, 1e-12)
	near(t, "above", Spike{"covariance", 0.5, 3}.Hidden(), math.NaN(), 0)
	near(t, "no model", Spike{"", 0.5, 3}.Limits().Place, math.NaN(), 0)
	near(t, "threshold", Spike{"covariance", 0.5, 0.9}.Threshold(), math.NaN(), 0)
}
