package latent

import (
	"math"
	"testing"
)

func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// The numbers of our notes, to the digits that they give.
func TestCapsOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		d       int
		t, want float64
	}{{2, 0.5, 1. / 3}, {3, 0.5, 0.25}, {5, 0.5, 0.15625}, {10, 0.5, 0.058653}, {20, 0.5, 0.010496},
		{50, 0.5, 9.3532e-5},
		{100, 0.5, 5.0873e-8}, {64, 0.1, 0.4280 / 2}, {64, 0.2, 0.1102 / 2}, {64, 0.4, 9.623e-4 / 2},
		{256, 0.1, 0.1097 / 2}, {256, 0.2, 1.267e-3 / 2}, {256, 0.4, 2.712e-11 / 2}} {
		about(t, "cap", Cap{c.d, c.t}.Probability()/c.want, 1, 6e-4)
	}
	about(t, "half of the sphere", Cap{7, 0}.Probability(), 0.5, 1e-14)
	if !math.IsNaN(Cap{1, 0.5}.Probability()) || !math.IsNaN(Cap{3, 1}.Bound()) {
		t.Error("a cap outside the hypotheses has a probability")
	}
}

func TestTolerancesOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		d       float64
		p       int
		want    float64
		printed float64
	}{{1e3, 2, 0.2948, 0.1440}, {1e4, 2, 0.1070, 0.0526}, {1e6, 2, 0.01303, 0.00644}, {1e4, 3, 0.03665, 0.01205},
		{1e4, 4, 0.01292, 0.002763}} {
		about(t, "tolerance", SuccessTolerance(c.d*c.d, c.d, c.p)/c.want, 1, 6e-4)
		about(t, "printed", math.Pow(math.Log(c.d*c.d*c.d)/c.d, float64(c.p)/4)/c.printed, 1, 1e-3)
	}
}

func TestQueries(t *testing.T) {
	about(t, "one of them", Query{0, 0.5}.Bound(), 4, 0)
	if !math.IsNaN(Query{0.3, 0.5}.Bound()) || !math.IsNaN(Query{1, 2}.Bound()) {
		t.Error("a query outside the hypotheses has a bound")
	}
}

func TestPowersOfTheNotes(t *testing.T) {
	for k, want := range []float64{6, 2, 10, 18, 58, 66, 138} {
		about(t, "sup|v|", largestPowerWeight(k), want, 1e-12)
	}
	for k := range 12 {
		largest := 0.0
		for i := -2000; i <= 2000; i++ {
			b := float64(i) / 2000
			largest = max(largest, math.Abs(PowerWeight(k, 1, b)), math.Abs(PowerWeight(k, -1, b)))
		}
		about(t, "sup|v| on a grid", largestPowerWeight(k)/largest, 1, 1e-5)
	}
}

func TestExcessOfTheNotes(t *testing.T) {
	about(t, "½He₂ + He₃/√12", zeroExcess(3, 1), 0.0891, 5e-5)
	about(t, "½He₂ + He₄/√48", zeroExcess(4, 1), 0.0944, 5e-5)
	about(t, "without noise", zeroExcess(3, 0), 0.6314, 5e-5)
	about(t, "without noise", zeroExcess(4, 0), 0.3104, 5e-5)
}
