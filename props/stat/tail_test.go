package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBelowZero draws margins whose chance of being negative is known, and asks how often the upper end covers it, and
// whether the estimate is of its size.
func TestBelowZero(t *testing.T) {
	for name, law := range map[string]struct {
		truth float64
		draw  func(*rand.Rand) float64
	}{
		"exponential": {math.Exp(-7), func(r *rand.Rand) float64 { return 7 - r.ExpFloat64() }},
		"normal":      {0.5 * math.Erfc(4/math.Sqrt2), func(r *rand.Rand) float64 { return 4 + r.NormFloat64() }},
		"bounded":     {0, func(r *rand.Rand) float64 { return 1 + r.Float64() }},
		"often":       {0.1, func(r *rand.Rand) float64 { return r.Float64() - 0.1 }},
	} {
		t.Run(name, func(t *testing.T) {
			r, covered, within := rand.New(rand.NewPCG(1, 2)), 0, 0
			const runs = 300
			for range runs {
				draws := make([]float64, 100)
				for i := range draws {
					draws[i] = law.draw(r)
				}
				tail := BelowZero(draws)
				if tail.Upper < tail.Estimate {
					t.Fatalf("upper end %v below the estimate %v", tail.Upper, tail.Estimate)
				}
				covered += successes(tail.Upper >= law.truth)
				within += successes(tail.Estimate <= 30*law.truth+1e-12)
			}
			if covered < 0.94*runs || within < 0.7*runs {
				t.Errorf("of %d upper ends %d cover %.3g; %d estimates are at most 30 times as large", runs, covered, law.truth,
					within)
			}
		})
	}
}

func successes(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// TestBelowZeroPoison asks that what is no margin is never taken for a small probability.
func TestBelowZeroPoison(t *testing.T) {
	for name, draws := range map[string][]float64{"none": nil, "NaN": {1, math.NaN()}, "few": {5, 5.1, 5.2},
		"negative": {-1}} {
		if tail := BelowZero(draws); !(tail.Upper >= 0.5) {
			t.Errorf("%s: %+v", name, tail)
		}
	}
	if tail := BelowZero([]float64{2, 2, 2}); tail != (Chance{}) {
		t.Errorf("draws that are all alike: %+v", tail)
	}
}

func TestSumOfChances(t *testing.T) {
	sum := SumOfChances([]Chance{{0.125, 0.5}, {0.25, 0.75}})
	if sum.Estimate != 0.375 || sum.Upper != 1 {
		t.Errorf("%+v", sum)
	}
}

// TestNoEvent checks the bound on an event that did not happen against its definition and its limits.
func TestNoEvent(t *testing.T) {
	if p := NoEvent(0, 100, 50, 1e-3); p != 1 {
		t.Errorf("nothing seen: %v", p)
	}
	all := NoEvent(30, 30, 10, 1e-3)
	if want := math.Pow(1-math.Pow(1e-3, 1./30), 10); math.Abs(all-want) > 1e-9*want {
		t.Errorf("all seen: %v, want %v", all, want)
	}
	if p := NoEvent(3, 2, 1, 1e-3); !math.IsNaN(p) {
		t.Errorf("more seen than cases: %v", p)
	}
	r, wrong := rand.New(rand.NewPCG(3, 4)), 0
	const q, n = 0.2, 40
	for range 2000 {
		seen := 0
		for range 3 * n {
			seen += successes(r.Float64() < q)
		}
		wrong += successes(NoEvent(seen, 3*n, n, 0.05) < math.Pow(1-q, n))
	}
	if wrong > 140 { // of 100 expected at most, 4 standard deviations
		t.Errorf("%d of 2000 bounds at level 0.05 are too small", wrong)
	}
}

// TestCrossedBy: an interval whose near end is a half-width beyond a limit crosses it as often as its level says.
func TestCrossedBy(t *testing.T) {
	if p := CrossedBy(1, 1e-9); math.Abs(p-0.5e-9) > 1e-14 {
		t.Errorf("reserve 1: %v", p)
	}
	for _, reserve := range []float64{0, -1, math.NaN()} {
		if p := CrossedBy(reserve, 1e-9); p != 1 {
			t.Errorf("reserve %v: %v", reserve, p)
		}
	}
	if p := CrossedBy(math.Inf(1), 1e-9); p != 0 {
		t.Errorf("an infinite reserve: %v", p)
	}
}
