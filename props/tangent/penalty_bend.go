package tangent

import (
	"math"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

const reversed = "slopes that fall where ω̃ is convex"

// bent is what the statement says of the slope of an effective penalty and of its growth.
type bent struct{ slope, growth func(theory.Sum) float64 }

// largestSlope is that over all v; where it is infinite in the statement, what a single quadratic or log-det side tends
// to.
func largestSlope(s theory.Sum) float64 {
	if _, slope := s.Inflection(); !math.IsInf(slope, 1) {
		return slope
	}
	return 2 * math.Sqrt(s[0].Factor)
}

// firstBend is that of the first side.
func firstBend(s theory.Sum) float64 { return largestSlope(s[:1]) }

// bending is what search finds of the slope of an effective penalty. At the v for which z is stationary, v² =
// z³ω'(z)/2, the slope is 2v/z² = √(2ω'(z)/z).
type bending struct {
	Sides    theory.Sum
	V        [3]float64 // increasing
	Slopes   [3]float64
	Largest  float64 // slope over all v
	Exponent float64 // of ω̃ between 10⁴⁰ and 10⁶⁰
}

func drawBending(t *props.T) bending {
	in := bending{Sides: drawSum(t)}
	all := bruteForce(in.Sides)
	at := gen.LogUniform(t.T, "v", 0.05, 20)
	for i := range in.V {
		in.V[i] = at * math.Exp2(float64(i-1)*gen.LogUniform(t.T, "apart", 0.01, 1))
		in.Slopes[i] = slopeAt(all, in.V[i])
	}
	in.Largest = math.Sqrt(2 * impl.Peak(1e-16, 30, func(logarithm float64) float64 {
		e := math.Expm1(logarithm)
		return all.Slope(e) / (1 + e)
	}))
	_, low, err := all.Minimum(1e40)
	if err != nil {
		panic(err)
	}
	_, high, err := all.Minimum(1e60)
	if err != nil {
		panic(err)
	}
	in.Exponent = math.Log(high/low) / math.Log(1e20)
	return in
}

// slopeAt is dω̃/dv by search.
func slopeAt(p impl.Penalty, v float64) float64 { return 2 * v / math.Pow(1+p.Stationary(v), 2) }

// judgeBending: a slope errs by the roundings of a stretch; at its peak it is known to those of a value. The slopes on
// one side of the inflection are in order, up to these.
func judgeBending(r *props.Record, in bending, c bent) {
	at, attained := in.Sides.Inflection()
	r.Regime(bendRegime(in.Sides, at))
	u := 400 * r.Unit()
	for i := range 2 {
		a, b := in.Slopes[i], in.Slopes[i+1]
		switch {
		case in.V[i+1] <= at:
			r.AtMost("slope rises while ω̃ is convex", a, b, u*b)
		case in.V[i] >= at:
			r.AtMost("slope falls where ω̃ is concave", b, a, u*a)
		}
	}
	if slope := c.slope(in.Sides); math.IsInf(attained, 1) {
		r.AtMost("largest slope", in.Largest, slope, u*slope)
	} else {
		r.Within("largest slope", in.Largest, slope, u*slope)
	}
	left := 0.0
	for _, e := range in.Sides.Effective(1e40).Excess { // the values differ from their leading powers by about 1/zᵢ
		left += 4 / e
	}
	r.WithinExponent("exponent at infinity", in.Exponent, c.growth(in.Sides), left/math.Log(1e20)+40*r.Unit())
}

func bendRegime(s theory.Sum, at float64) string {
	if math.IsInf(at, 1) {
		return "convex for all v"
	}
	for i := range s {
		if s.Threshold(i) > 0 && math.Abs(s.Threshold(i)-at) <= 1e-9*at {
			return "bends at a kink"
		}
	}
	return "bends smoothly"
}
