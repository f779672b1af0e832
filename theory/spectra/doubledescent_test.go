package spectra

import (
	"math"
	"testing"
)

func TestLeastSquares(t *testing.T) {
	for _, c := range []struct {
		n, d int
		want float64
	}{{20, 15, 1.875}, {20, 25, 2.9}, {20, 40, 1.526315789474}, {20, 5, .178571428571}, {30, 20, 10. / 9},
		{50, 100, 1.510204081633}, {1, 7, 2*6./7 + 0.1}, {9, 1, 0.5 / 7}, {0, 7, math.NaN()}} {
		near(t, "risk", LeastSquares{c.n, c.d, 0.5, 2}.Risk(), c.want, 1e-11)
	}
	near(t, "Var T", LeastSquares{15, 20, 1, 1}.NoiseVariance(), 3.5625, 1e-13)
	near(t, "Var T", LeastSquares{20, 5, 1, 1}.NoiseVariance(), .005385487528345, 1e-11)
	near(t, "Var T, p = 1", LeastSquares{1e6, 1, 1, 1}.NoiseVariance(), 2/(1e6-4)/math.Pow(1e6-2, 2), 1e-15)
	near(t, "Var T", LeastSquares{20, 17, 1, 1}.NoiseVariance(), math.NaN(), 0)
	for _, c := range []struct {
		lambda float64
		d      int
		want   float64
	}{{0.1, 50, .3535674514745}, {0.1, 200, 1.373057328891}, {0.25, 100, .7807764064044}, {0, 100, math.NaN()}} {
		l := LeastSquares{100, c.d, 0.5, 2}
		near(t, "ridge", l.Ridge(c.lambda), c.want, 1e-12)
		best := l.BestRidge()
		s, _ := MP{float64(c.d) / 100}.Stieltjes(best)
		near(t, "best", l.Ridge(best), 0.5*float64(c.d)/100*s, 1e-13)
	}
	// 35 of 60 features at random, ‖β‖² = 1: those that are left out are noise, in the labels and in the test.
	part := LeastSquares{20, 35, 0.25 + 25./60, 35. / 60}
	near(t, "part of the features", part.Risk()+part.Noise, 1.869048, 1e-6)
	for d := 6; d <= 8; d++ {
		near(t, "one over the risk", 1/LeastSquares{7, d, 0.5, 2}.Risk(), 0, 0)
	}
	near(t, "no noise", LeastSquares{7, 8, 0, 2}.Risk(), 0.25, 1e-15)
	near(t, "little ridge", LeastSquares{1, 1e6, 0.5, 2}.Ridge(1e-9), LeastSquares{1, 1e6, 0.5, 2}.Risk(), 1e-12)
	near(t, "hardly any ridge", LeastSquares{1, 3, 0.5, 2}.Ridge(1e-300), 19./12, 1e-14)
	near(t, "outside", LeastSquares{100, 50, 0, 2}.BestRidge(), math.NaN(), 0)
	near(t, "outside", LeastSquares{100, 50, -1, 2}.Ridge(1), math.NaN(), 0)
}
