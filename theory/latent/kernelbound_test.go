package latent

import (
	"math"
	"testing"
)

func TestHarmonicWeightsByHand(t *testing.T) {
	for _, d := range []int{1, 2, 3, 10, 50} {
		n := float64(d)
		about(t, "W₂₂", harmonicWeight(d, 2, 2), 1-1/n, 1e-14)
		about(t, "W₂₀", harmonicWeight(d, 2, 0), 1/n, 1e-14)
		about(t, "W₃₃", harmonicWeight(d, 3, 3), (n-1)/(n+2), 1e-14)
		about(t, "W₃₁", harmonicWeight(d, 3, 1), 3/(n+2), 1e-14)
		about(t, "W₄₄", harmonicWeight(d, 4, 4), (n*n-1)/((n+2)*(n+4)), 1e-14)
		about(t, "W₄₂", harmonicWeight(d, 4, 2), 6*(n-1)/(n*(n+4)), 1e-14)
		about(t, "W₄₀", harmonicWeight(d, 4, 0), 3/(n*(n+2)), 1e-14)
		for p := range 9 {
			sum := 0.0
			for l := range p + 1 {
				sum += harmonicWeight(d, p, l)
			}
			about(t, "sum of a row", sum, 1, 1e-13)
		}
	}
	about(t, "D₅ in 2 dimensions", harmonicDimension(2, 5), 2, 0)
	about(t, "D₄ in 3 dimensions", harmonicDimension(3, 4), 9, 1e-14)
	about(t, "D₂ in 1 dimension", harmonicDimension(1, 2), 0, 0)
}

// The table of our notes, for n samples and d + 1 more functions.
func TestBoundsOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		p, d int
		want [5]float64 // at n = d²/2, d², 2d², 4d², 8d²
	}{{3, 20, [5]float64{0.4523, 0.3776, 0.2639, 0.0366, 0}}, {3, 30, [5]float64{0.4677, 0.4131, 0.3303, 0.1649, 0}},
		{4, 50, [5]float64{0.4449, 0.4430, 0.4392, 0.4316, 0.4163}}} {
		for i, want := range c.want {
			n := float64(c.d*c.d) * math.Pow(2, float64(i-1))
			about(t, "bound", ZonalTarget(c.d, c.p).SpanBound(n+float64(c.d)+1), want, 6e-5)
		}
	}
	square := ZonalTarget(10, 2)
	for n, want := range map[float64]float64{5: 0.833, 20: 0.583, 54: 0.0167} {
		about(t, "He₂", square.SpanBound(n), want, 5e-4)
	}
	about(t, "He₂ in 20 dimensions", ZonalTarget(20, 2).SpanBound(100), 0.5, 5e-5)
	if !math.IsNaN(Zonal{0, nil}.SpanBound(1)) || !math.IsNaN(square.SpanBound(-1)) {
		t.Error("a bound outside the hypotheses")
	}
}
