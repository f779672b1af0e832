package latent

import (
	"math"
	"testing"
)

// Means of squares by hand, v₂(1, b) = 4 − 6b and v₂(−1, b) = 4 − 6b among them; for k = 5 in exact fractions.
func TestPowerSquare(t *testing.T) {
	for k, want := range []float64{12, 4, 28, 84, 274.4} {
		about(t, "E v²", PowerSquare(k, 0), want, 1e-12*want)
	}
	about(t, "E v₂²b²", PowerSquare(2, 2), 16./3+36./5, 1e-14)
	for k := range 8 { // by the trapezoidal rule, whose error falls as 1/n²
		for _, j := range []int{0, 2} {
			const n = 20000
			mean := 0.0
			for i := range n {
				b := (2*float64(i)+1)/n - 1
				mean += math.Pow(b, float64(j)) * (math.Pow(PowerWeight(k, 1, b), 2) + math.Pow(PowerWeight(k, -1, b), 2)) / (2 * n)
			}
			about(t, "E v²bʲ", PowerSquare(k, j)/mean, 1, 1e-6)
		}
	}
}

// C₂ is a probability, C₃ a second moment, C₄ = E[s²(s²−1)]/2; both forms meet at τ = ½.
func TestKept(t *testing.T) {
	for _, u := range []float64{0.1, 1, 1.999, 2.001, 3, 40} {
		inside, density := math.Erf(u/math.Sqrt2), math.Exp(-u*u/2)/math.Sqrt(2*math.Pi)
		for k, want := range []float64{1, 1, inside, inside - 2*u*density, inside - 2*u*density - u*u*u*density} {
			about(t, "C", RidgeSumAlong(k, 2, 1, 1).Kept(1/u), want, 1e-14)
		}
	}
	below, above := RidgeSumAlong(9, 1, 1, 1).Kept(0.5-1e-15), RidgeSumAlong(9, 1, 1, 1).Kept(0.5+1e-15)
	about(t, "C₉ at ½", below, above, 1e-13)
}

func TestRidgeSum(t *testing.T) {
	f := RidgeSumAlong(2, 4, 1.5, 0.5)
	about(t, "norm", f.Norm(), 28*16*math.Pow(1.5, 4)*16/4, 1e-9) // E v² r²κ⁴/(k!² ρ⁴)
	about(t, "bound", f.NormBound(), f.Norm(), 1e-9)
	x, y := f.Place(0.3)
	about(t, "x", x[0], 0.3/0.5*3, 1e-15)
	about(t, "Hx", y[0], 0.6, 1e-15)
	about(t, "target", f.Target(x), 1.8*1.8/math.Sqrt2, 1e-14)
	// σ(t)² averages to half of t² for weights that are even in b: k = 1, E[4z²(ρ²g²y² + b²)] with z = v g.
	f = RidgeSumAlong(1, 1, 1, 0.5)
	x, y = f.Place(1)
	about(t, "variance", f.Variance(x, y), (4*0.25*3*4+4./3)/0.25, 1e-12)
	f.Scale = 0
	for _, value := range []float64{f.Norm(), f.NormBound(), f.Kept(1), f.Target(x), f.Variance(x, y), f.Chaos(x)} {
		if !math.IsNaN(value) {
			t.Error("a target without a scale has numbers")
		}
	}
}
