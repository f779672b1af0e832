package width

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestTraining(t *testing.T) {
	for _, c := range []struct {
		Training
		lambda, residual, weight float64
	}{
		{Training{0.5, 1}, 1, 0.5, 0.5}, // f = (f₀ + y)/2
		{Training{0.3, 10}, 1, math.Pow(0.7, 10), 1 - math.Pow(0.7, 10)},
		{Training{3, 0}, 1, math.Exp(-3), 1 - math.Exp(-3)},
		{Training{0.1, 7}, 0, 1, 0.7}, {Training{0.7, 0}, 0, 1, 0.7},
		{Training{2, 3}, 1, -1, 2}, {Training{1, 5}, 1, 0, 1}, // overshoots, and fits at once
		{Training{0, 1}, 1, math.NaN(), math.NaN()}, {Training{1, 1}, -1, math.NaN(), math.NaN()},
	} {
		for _, x := range [][2]float64{{c.Residual(c.lambda), c.residual}, {c.Weight(c.lambda), c.weight}} {
			if !(math.Abs(x[0]-x[1]) < 1e-15) && !(math.IsNaN(x[0]) && math.IsNaN(x[1])) {
				t.Errorf("%+v at λ = %v: %v, want %v", c.Training, c.lambda, x[0], x[1])
			}
		}
	}
	// A residual that is nearly gone keeps its digits.
	for _, small := range []Training{{0.1, 4000}, {100, 0}} {
		want := map[int]float64{4000: 4000 * math.Log(0.9), 0: -100}[small.Steps]
		close12(t, "logarithm of a small residual", math.Log(small.Residual(1)), want)
	}
	// The flow in place of descent at ηλ = 0.3 and k = 10.
	if a, b := (Training{0.3, 10}).Residual(1), (Training{3, 0}).Residual(1); math.Abs(a-0.0282) > 1e-4 ||
		math.Abs(b-0.0498) > 1e-4 {
		t.Errorf("residuals %v and %v, want 0.0282 and 0.0498", a, b)
	}
	// Two samples that are one: the kernel is singular, and the sum of both residuals is learned at twice the rate.
	got := Training{0.1, 3}.Dual(mat.NewSymDense(2, []float64{1, 1, 1, 1}), []float64{1, 3})
	sum, difference := 2*(1-math.Pow(0.8, 3))/2, 0.3
	close12(t, "first", got[0], sum-difference)
	close12(t, "second", got[1], sum+difference)
}
