package linear

import (
	"math"
	"testing"
)

// agrees compares with a reference of that many digits; NaN agrees with NaN alone.
func agrees(t *testing.T, name string, got, want, relative float64) {
	t.Helper()
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > relative*max(math.Abs(want), 1e-300) {
		t.Errorf("%s: %.15g, want %.15g", name, got, want)
	}
}

// run takes steps by the closed forms alone.
func (s Product) run(steps int) Product {
	for range steps {
		s.Value, s.Sharpness = s.NextError()+s.Target, s.NextSharpness()
	}
	return s
}

func TestEdge(t *testing.T) {
	by := Product{Target: 1, Step: 0.5, Value: 2, Sharpness: 5} // x = 2, y = 1, by hand
	agrees(t, "e⁺", by.NextError(), -1, 0)
	agrees(t, "S⁺", by.NextSharpness(), 9./4, 0)
	agrees(t, "D⁺", 3*by.Shrinkage(), 9./4, 0)

	stable := Product{Target: 1, Step: 0.2, Value: 1.5, Sharpness: 9.25}
	agrees(t, "φ", stable.FlowSharpness(), 8.975661535508, 1e-12)
	for steps, want := range map[int][2]float64{1: {-.41, 8.7425}, 2: {.31085216, 8.99480457},
		5: {-.1393572292386, 8.711126772542}, 10: {.03338184411173, 8.772000298646}} {
		agrees(t, "e", stable.run(steps).Value-1, want[0], 1e-10)
		agrees(t, "S", stable.run(steps).Sharpness, want[1], 1e-9)
	}
	agrees(t, "limit of S", stable.run(400).Sharpness, 8.755659832204, 1e-12)

	catapult := Product{Step: 0.8, Value: 0.2, Sharpness: 4.01}
	for steps, want := range map[int][2]float64{1: {-.43648, 3.984656}, 2: {.9016783474472, 3.86085564842},
		5: {.1429474107199, .4856819023609}} {
		agrees(t, "e", catapult.run(steps).Value, want[0], 1e-11)
		agrees(t, "S", catapult.run(steps).Sharpness, want[1], 1e-11)
	}
	agrees(t, "limit of S", catapult.run(400).Sharpness, .3838843025089, 1e-11)

	// Next to a minimum that is a little too sharp a run ends as far on the other side of 2/h.
	for beyond, want := range map[float64]float64{.1: -.1119, .01: -.010108, .001: -.0010011} {
		mirrored := Product{Target: 1, Step: 0.25, Value: 1 + 1e-7, Sharpness: 8 * (1 + beyond)}
		agrees(t, "hS/2 − 1 at the end", mirrored.run(60000).Sharpness/8-1, want, 1e-3)
	}

	// At hS = 4 the sharpness is frozen, and he = 2cos θ becomes 2cos 3θ.
	frozen := Product{Step: 16. / 17, Value: 1, Sharpness: 4.25}
	for steps, want := range []float64{16. / 17, -9776. / 4913, -226387416944. / 118587876497} {
		agrees(t, "he at hS = 4", frozen.Step*frozen.run(steps).Value, want, 1e-14)
		agrees(t, "2cos 3ᵗθ", 2*math.Cos(math.Pow(3, float64(steps))*math.Acos(8./17)), want, 1e-14)
	}

	p, q, multiplier := Product{Target: 1, Step: 1.1}.Orbit()
	agrees(t, "larger", p, 1.1160629714523, 1e-13)
	agrees(t, "smaller", q, .81455162687454, 1e-13)
	agrees(t, "multiplier", multiplier, .18, 1e-13)
	_, _, multiplier = Product{Target: math.Sqrt(5) - 1, Step: 1}.Orbit()
	agrees(t, "multiplier where the orbit loses stability", multiplier, -1, 1e-14)
	_, _, multiplier = Product{Target: 0.9, Step: 1}.Orbit()
	agrees(t, "no orbit", multiplier, math.NaN(), 0)

	stepped := Product{Step: 1, Value: 13. / 8, Sharpness: 233. / 64} // x = 13/8, y = 1 lands on a minimum beyond 2/h
	agrees(t, "e on a minimum", stepped.NextError(), 0, 0)
	agrees(t, "hS there", stepped.NextSharpness(), 11025./4096, 0)
	agrees(t, "where runs end", Product{Target: 1, Step: 0.2, Value: 1.5, Sharpness: 9.25}.End(), 10, 0)
	agrees(t, "where it ends", stepped.End(), 11025./4096, 0)
	agrees(t, "at a tiny minimum", Product{Target: 1e-200, Step: 1, Value: 1e-200, Sharpness: 2e-200}.FlowSharpness(),
		2e-200, 0)
	agrees(t, "no target", Product{Target: math.NaN(), Step: 1, Sharpness: 1}.End(), math.NaN(), 0)
	agrees(t, "standing still", Product{Target: 1, Step: 1, Value: 1, Sharpness: 5}.End(), 5, 0)
	agrees(t, "into the saddle", Product{Target: 1, Step: 1, Value: -1, Sharpness: 2}.FlowSharpness(), 0, 0)
	agrees(t, "at a minimum of D = 0", Product{Target: 1, Step: 1, Value: 1, Sharpness: 2}.FlowSharpness(), 2, 0)
	agrees(t, "no step", Product{Sharpness: 1}.NextError(), math.NaN(), 0)
	agrees(t, "S < 2|p|", Product{Step: 1, Value: 1, Sharpness: 1}.Shrinkage(), math.NaN(), 0)
}
