package latent

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/theory"
)

func bedLabels(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		x := float64(i+1) / float64(n)
		if y[i] = math.Sin(2 * math.Pi * x); x > 0.5 {
			y[i]++
		}
	}
	return y
}

// The table of our notes.
func TestStepsOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		n                      int
		largest, smallest, kap float64
		plain, best            int
	}{{16, 6.901384, 1.576747e-2, 437.70, 4925, 2933}, {32, 13.380167, 7.830778e-3, 1708.66, 18556, 11446},
		{64, 26.346393, 3.908568e-3, 6740.68, 70822, 45154}, {128, 52.283173, 1.953417e-3, 26765.0, 272053, 179286}} {
		b := Brownian{c.n}
		top, bottom := b.Eigenvalue(1), b.Eigenvalue(c.n)
		about(t, "λ₁", top/c.largest, 1, 1e-7)
		about(t, "λ_n", bottom/c.smallest, 1, 1e-6)
		about(t, "κ", top/bottom/c.kap, 1, 1e-5)
		low, high := b.Growth()
		if leading := top / bottom * math.Pi * math.Pi / float64(16*c.n*c.n); !(low <= leading && leading <= high) {
			t.Errorf("κ over 16n²/π² is %v at n = %d, outside of %v to %v", leading, c.n, low, high)
		}
		factors := func(eta float64) []float64 {
			out := make([]float64, c.n)
			for k := range out {
				out[k] = 1 - eta*b.Eigenvalue(k+1)
			}
			return out
		}
		y := b.Coefficients(bedLabels(c.n))
		about(t, "steps", float64(Steps(factors(1/top), y, 1e-6)), float64(c.plain), 1)
		about(t, "steps of the best size", float64(Steps(factors(2/(top+bottom)), y, 1e-6)), float64(c.best), 1)
	}
	b := Brownian{64}
	for q, want := range map[int]float64{1: 8.996, 2: 24.97, 4: 80.68, 8: 284.9, 16: 1031.7, 32: 3413} {
		about(t, "λ₁/λ_{q+1}", b.Eigenvalue(1)/b.Eigenvalue(q+1)/want, 1, 3e-4)
	}
	if !math.IsNaN(b.Eigenvalue(0)) || !math.IsNaN(b.Eigenvalue(65)) {
		t.Error("an eigenvalue that is not there")
	}
	if low, _ := (Brownian{1}).Growth(); !math.IsNaN(low) {
		t.Error("bounds of κ at n = 1, where they fail")
	}
}

// n = 32 and y = 1, 2000 steps: the relative residuals of our notes, on both sides of the condition.
func TestStepSizesOfTheNotes(t *testing.T) {
	b, ones := Brownian{32}, make([]float64, 32)
	for i := range ones {
		ones[i] = 1
	}
	y := b.Coefficients(ones)
	for _, c := range []struct{ factor, want float64 }{{0.5, 2.37e-2}, {1, 8.87e-3}, {1.9, 2.07e-3}, {1.999, 0.123},
		{2, 0.907}, {2.01, 4.0e8}, {2.1, 5.5e82}} {
		square, all := 0.0, 0.0
		for k, x := range y {
			f := Filter{c.factor / b.Eigenvalue(1), 2000}.Residual(b.Eigenvalue(k+1)) * x
			square, all = square+f*f, all+x*x
		}
		about(t, "residual", math.Sqrt(square/all)/c.want, 1, 1.3e-2)
	}
}

func TestFilterByHand(t *testing.T) {
	f := Filter{0.25, 2}
	about(t, "residual", f.Residual(2), 0.25, 0)
	about(t, "solution", f.Solution(2), 0.375, 1e-16)
	about(t, "solution at 0", f.Solution(0), 0.5, 0)
	about(t, "solution beyond 1", f.Solution(8), 0, 0)
}

// Where parameters together end a claim: n ≤ md²/r, q < n and ηλ ≤ 1.
func TestHypothesesOnSeveralParameters(t *testing.T) {
	for _, c := range []struct {
		s              *theory.Statement
		inside, beyond map[string]string
	}{
		{&Angles, map[string]string{"d": "10", "r": "2", "m": "100", "n": "5000"},
			map[string]string{"d": "10", "r": "2", "m": "100", "n": "5001"}},
		{&EigenPro, map[string]string{"n": "8", "q": "7"}, map[string]string{"n": "8", "q": "8"}},
		{&Head, map[string]string{"eta": "0.5", "lambda": "2"}, map[string]string{"eta": "0.5", "lambda": "2.01"}},
	} {
		if _, err := c.s.Values(c.inside); err != nil {
			t.Errorf("%s at %v: %v", c.s.Slug, c.inside, err)
		}
		if _, err := c.s.Values(c.beyond); err == nil {
			t.Errorf("%s holds at %v", c.s.Slug, c.beyond)
		}
	}
}
