package spectra

import (
	"math"
	"testing"
)

// near compares with a relative tolerance; a NaN is near a NaN alone.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

func TestWishart(t *testing.T) {
	for _, c := range []struct{ n, d float64 }{{1, 1}, {2, 2}, {10, 5}, {3, 8}} {
		n, d, w := c.n, c.d, Wishart{int(c.n), int(c.d)}
		for k, want := range []float64{1, n + d + 1, n*n + 3*n*d + d*d + 3*n + 3*d + 4,
			n*n*n + 6*n*n*d + 6*n*d*d + d*d*d + 6*n*n + 17*n*d + 6*d*d + 21*n + 21*d + 20,
			n*n*n*n + d*d*d*d + 10*n*d*(n*n+d*d) + 20*n*n*d*d + 10*(n*n*n+d*d*d) + 55*n*d*(n+d) + 65*(n*n+d*d) +
				175*n*d + 160*(n+d) + 148} {
			near(t, "mean", w.Moment(k+1), n*d*want, 0)
		}
		for k, want := range []float64{2, 4 * (2*n*n + 5*n*d + 2*d*d + 5*n + 5*d + 5),
			18*(n*n*n*n+d*d*d*d) + 144*n*d*(n*n+d*d) + 276*n*n*d*d + 144*(n*n*n+d*d*d) + 702*n*d*(n+d) +
				726*(n*n+d*d) + 1890*n*d + 1584*(n+d) + 1368} {
			near(t, "variance", w.Variance(k+1), n*d*want, 0)
		}
		near(t, "any entries", w.SquareOf(3), w.Moment(2), 0)
	}
	w := Wishart{10, 5}
	for k, want := range []float64{50, 800, 16200, 378000} {
		near(t, "mean", w.Moment(k+1), want, 0)
		near(t, "scaled", w.scaled(k+1), []float64{1, 1.6, 3.24, 7.56}[k], 1e-15)
	}
	for k, want := range []float64{.2, .6811754546371, 2.315222667477} {
		near(t, "variance", w.Variance(k+1), []float64{100, 116000, 134006400}[k], 0)
		near(t, "sd", math.Sqrt(w.Variance(k+1))/5/math.Pow(10, float64(k+1)), want, 1e-12)
	}
	for k, want := range []float64{7, 7 * 9, 7 * 9 * 11} { // a χ² of 7 degrees of freedom
		near(t, "one dimension", Wishart{7, 1}.Moment(k+1), want, 0)
	}
	near(t, "variance of a large sum", Wishart{1e6, 1}.Variance(2), 8000040000048e6, 1e-14)
	near(t, "two by two", Wishart{2, 2}.Moment(4), 1328, 0)
	for _, bad := range []float64{Wishart{0, 1}.Moment(1), Wishart{1, 1}.Moment(7), w.Variance(4), w.SquareOf(0.5)} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}

func TestMP(t *testing.T) {
	half := MP{0.5}
	s, square := half.Stieltjes(0.1)
	near(t, "s(0.1)", s, 1.483314773548, 1e-12)
	near(t, "−s'(0.1)", square, 3.452248382485, 1e-12)
	near(t, "F(1.3)", 1-half.Above(1.3), .690050029517, 1e-11)
	near(t, "m₄", half.Moment(4), 1+3+1.5+.125, 1e-15)
	near(t, "m₄₀, whose binomials exceed 64 bits", half.Moment(40), 11853919268103268, 1e-14)
	near(t, "few dimensions, near the semicircle", MP{1e-12}.Above(1), .49999989389670461, 1e-10)
	near(t, "all", MP{1e-12}.Above(0), 1, 0)
	for _, bad := range []float64{MP{0}.Moment(1), half.Moment(0), MP{-1}.Density(1), half.Above(-1),
		half.Correction(0, 3)} {
		near(t, "outside", bad, math.NaN(), 0)
	}
	for _, g := range []float64{0.1, 0.5, 1, 2, 10} {
		// In powers of 1/x the correction is Σ (−1)ᵏ (E tr Wᵏ − d mₖ)/xᵏ⁺¹, and the exact means are known.
		const n, x = 1e4, 1e4
		w := Wishart{n, int(g * n)}
		over := func(mean float64, k int) float64 { return mean/math.Pow(n, float64(k)) - g*n*MP{g}.Moment(k) }
		for _, fourth := range []float64{1, 1.8, 3, 9} {
			near(t, "correction", MP{g}.Correction(x, fourth)*x*x*x, over(w.SquareOf(fourth), 2), 1e-2)
		}
		near(t, "next order", (over(w.SquareOf(3), 2)-MP{g}.Correction(x, 3)*x*x*x)*x, over(w.Moment(3), 3), 1e-2)
		// The mean of f over the density, by the trapezoidal rule in t with x = 1+γ+2√γ cos t, which is smooth.
		m := MP{g}
		mean := func(f func(x float64) float64) float64 {
			const nodes = 20000
			sum := 0.0
			for i := range nodes {
				sin, cos := math.Sincos(math.Pi * (float64(i) + 0.5) / nodes)
				x := 1 + g + 2*math.Sqrt(g)*cos
				sum += f(x) * m.Density(x) * 2 * math.Sqrt(g) * sin * math.Pi / nodes
			}
			return sum
		}
		for k := 1; k <= 5; k++ {
			near(t, "moment", mean(func(x float64) float64 { return math.Pow(x, float64(k)) }), m.Moment(k), 1e-12)
		}
		atom := max(0, 1-1/g)
		near(t, "mass", mean(func(float64) float64 { return 1 }), 1-atom, 1e-8)
		near(t, "mass", m.Above(0), 1-atom, 1e-14)
		for _, at := range []float64{0.01, 0.3, 5} {
			s, square := m.Stieltjes(at)
			near(t, "s", mean(func(x float64) float64 { return 1 / (x + at) })+atom/at, s, 1e-10)
			near(t, "−s'", mean(func(x float64) float64 { return 1 / (x + at) / (x + at) })+atom/at/at, square, 1e-10)
			lo, hi := m.Edges()
			x := lo + (hi-lo)*at/6
			near(t, "density", (m.Above(x-1e-5)-m.Above(x+1e-5))/2e-5, m.Density(x), 1e-4)
		}
	}
}
