package tangent

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// penalty pairs the calculus of penalties with brute force, and with exact arithmetic on a lattice of stretches.
var penalty = props.Spec{
	Statement: &theory.Penalty,
	Checks: []props.Check{
		props.Drawn[summed, summedClaim]{
			Name:    "closed forms by brute force",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 40000},
			Regimes: sumRegimes,
			Draw:    drawSummed,
			Claim:   summedClaim{valueOfSum, theory.Sum.Optimum, gainOfSum},
			Judge:   judgeSummed,
			Controls: []props.Wrong[summed, summedClaim]{
				{Name: "penalties added at one stretch", Criterion: "sum", Instead: summedClaim{value: pointwise}},
				{Name: "the split of a sum, z₁ + z₂ = z + 1", Assumption: "products", Criterion: "sum", Draw: drawAdditive},
				{Name: "the cheapest term alone", Criterion: "sum", Instead: summedClaim{value: cheapestTerm}},
				{Name: "v/z² in place of v²/z²", Criterion: "effective penalty",
					Instead: summedClaim{optimum: func(s theory.Sum, v float64) float64 { return s.Optimum(math.Sqrt(v)) }}},
				{Name: "½‖θ‖² in place of ‖θ‖²", Criterion: "stretch, as z−1",
					Instead: summedClaim{gain: func(s theory.Sum, v float64) float64 { return gainOfSum(s, v/math.Sqrt2) }}},
			},
			Replicates: 3,
		},
		props.Drawn[lattices, effectiveOn]{
			Name:    "algebra on a lattice of stretches",
			Cases:   props.Scale{Quick: 300, Standard: 1500, Deep: 200000},
			Regimes: []string{"strict", "with flat parts", "free around 1"},
			Draw:    drawLattices,
			Claim:   func(_ lattices, sum impl.Lattice) impl.Lattice { return sum },
			Judge:   judgeLattices,
			Controls: []props.Wrong[lattices, effectiveOn]{
				{Name: "a split of z₁z₂² = z", Criterion: "commutative", Alter: func(in *lattices) { in.Combined = squared }},
				{Name: "a split of z₁z₂² = z, three terms", Criterion: "associative", As: "a split of z₁z₂² = z"},
				{Name: "terms that cost 1 at 1", Assumption: "zero-at-one", Criterion: "below its terms",
					Alter: liftTerms},
				{Name: twoValleys, Assumption: "one-valley", Criterion: "one valley", Alter: addValley},
				{Name: "a term with two valleys, splits between 1 and z", Criterion: "a minimiser lies between 1 and z",
					As: twoValleys},
				{Name: "the effective penalty of the first term", Criterion: "effective penalty over both factors",
					Instead: func(in lattices, _ impl.Lattice) impl.Lattice { return in.P }},
			},
		},
		props.Drawn[bending, bent]{
			Name:       "convexity and growth",
			Replicates: 1,
			Cases:      props.Scale{Quick: 100, Standard: 150, Deep: 20000},
			Regimes:    []string{"convex for all v", "bends at a kink", "bends smoothly"},
			Draw:       drawBending,
			Claim:      bent{largestSlope, theory.Sum.Growth},
			Judge:      judgeBending,
			Controls: []props.Wrong[bending, bent]{
				{Name: "convex for all v", Criterion: "largest slope",
					Instead: bent{slope: func(s theory.Sum) float64 { return 1.1 * largestSlope(s) }}},
				{Name: "the bend of the first side alone", Criterion: "largest slope", Instead: bent{slope: firstBend}},
				{Name: reversed, Criterion: "slope rises while ω̃ is convex",
					Alter: func(in *bending) { slices.Reverse(in.Slopes[:]) }},
				{Name: "slopes that rise where ω̃ is concave", Criterion: "slope falls where ω̃ is concave", As: reversed},
				{Name: "growth of fixed features, v²", Criterion: "exponent at infinity",
					Instead: bent{growth: func(theory.Sum) float64 { return 2 }}},
			},
		},
	},
	Along: &props.Along{
		Param: "v", From: 0.1, To: 100, Of: []string{"effective"},
		Each: &props.ParamSweep{Name: "omega2", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		sum := theory.Sum{{Family: theory.Family(v.Choice("omega1")), Factor: v.Float("factor1")},
			{Family: theory.Family(v.Choice("omega2")), Factor: v.Float("factor2")}}
		t.Need(sum[0].Family != theory.Fixed && sum[1].Family != theory.Fixed,
			"omega1=%s, omega2=%s: brute force needs two sides that move", sum[0].Family, sum[1].Family)
		_, value, err := bruteForce(sum).Minimum(v.Float("v"))
		return map[string]float64{"effective": value}, err
	}},
}.Claim()

// penaltyOf are the functions that the families of the statements name.
var penaltyOf = map[theory.Family]impl.Penalty{
	theory.Quadratic: impl.Square, theory.Absolute: impl.Modulus, theory.LogDet: impl.LogDet}

var sumRegimes = []string{"one side", "two sides, one moves", "two sides move", "three sides"}

// bruteForce is the sum of the sides by search.
func bruteForce(sum theory.Sum) impl.Penalty {
	all := penaltyOf[sum[0].Family].Times(sum[0].Factor)
	for _, side := range sum[1:] {
		all = impl.Convolved(all, penaltyOf[side.Family].Times(side.Factor))
	}
	return all
}

// drawSum draws one to three sides, three of them rarely, because brute force nests its searches.
func drawSum(t *props.T) theory.Sum {
	sum := make(theory.Sum, rapid.SampledFrom([]int{1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}).Draw(t.T, "sides"))
	for i := range sum {
		sum[i] = theory.Side{
			Family: rapid.SampledFrom([]theory.Family{theory.Quadratic, theory.Absolute, theory.LogDet}).Draw(t.T, "ω"),
			Factor: gen.LogUniform(t.T, "κ", 0.1, 10)}
	}
	return sum
}

// summedClaim holds the claims about a sum of penalties.
type summedClaim struct {
	value   func(s theory.Sum, excess float64) float64 // ω(z), given z − 1
	optimum func(s theory.Sum, v float64) float64      // ω̃(v)
	gain    func(s theory.Sum, v float64) float64      // the stretch less 1
}

func valueOfSum(s theory.Sum, excess float64) float64 { return s.Of(excess).Value }
func gainOfSum(s theory.Sum, v float64) float64       { return s.Effective(v).Gain() }

// pointwise adds the penalties at one stretch.
func pointwise(s theory.Sum, excess float64) (value float64) {
	for i := range s {
		value += s[i : i+1].Of(excess).Value
	}
	return value
}

// cheapestTerm is the cheapest of the penalties where that is more than the sum, up to its double.
func cheapestTerm(s theory.Sum, excess float64) float64 {
	value := valueOfSum(s, excess)
	for i := range s {
		value = max(value, min(s[i:i+1].Of(excess).Value, 2*value))
	}
	return value * (1 + 1e-9)
}

// summed is a sum of penalties at a stretch and its effective penalty, both by search.
type summed struct {
	Sides  theory.Sum
	Excess float64 // z − 1
	V      float64

	Value           float64 // ω(z)
	Optimum, Gained float64 // ω̃(v), and s − 1
}

func drawSummed(t *props.T) summed {
	in := summed{Sides: drawSum(t), Excess: gen.LogUniform(t.T, "z−1", 1e-4, 1e4),
		V: gen.LogUniform(t.T, "v", 1e-3, 1e6)}
	all := bruteForce(in.Sides)
	in.Value = all.Value(in.Excess)
	_, optimum := must.Both(all.Minimum(in.V))
	in.Optimum, in.Gained = optimum, all.Stationary(in.V)
	return in
}

// drawAdditive takes the cheapest of 100 splits z₁ + z₂ = z + 1.
func drawAdditive(t *props.T) summed {
	in := drawSummed(t)
	if len(in.Sides) == 1 {
		return in
	}
	p, q := penaltyOf[in.Sides[0].Family].Times(in.Sides[0].Factor),
		penaltyOf[in.Sides[1].Family].Times(in.Sides[1].Factor)
	for i := range 101 {
		part := in.Excess * float64(i) / 100
		in.Value = min(in.Value, p.Value(part)+q.Value(in.Excess-part))
	}
	in.Value *= 1 + 1e-9 // where the split changes nothing, the search is as good as ours
	return in
}

// judgeSummed compares to the rounding of both sides. A search evaluates z²−1−2 ln z with an error of a few roundings
// of z − 1, and splits logarithms of up to a few tens, whose roundings are relative errors of the stretches. The closed
// form of a side with a kink comes out of z = 2q/κ, and z − 1 inherits the roundoff of z.
func judgeSummed(r *props.Record, in summed, c summedClaim) {
	split, best := in.Sides.Of(in.Excess), in.Sides.Effective(in.V)
	r.Regime(sumRegime(best))
	logs, linear, kink := 1+math.Abs(math.Log(in.V))+math.Abs(math.Log(in.Excess)), 0.0, 0.0
	for _, side := range in.Sides {
		linear += side.Factor
		if side.Family == theory.Absolute {
			kink += side.Factor
		}
	}
	u := 32 * (8 + logs) * r.Unit()
	value, optimum, gained := c.value(in.Sides, in.Excess), c.optimum(in.Sides, in.V), c.gain(in.Sides, in.V)
	r.Show("splits", []float64{split.Value, best.Value})
	r.Within("sum", in.Value, value, u*(value+linear*min(1, in.Excess)+kink))
	r.Within("effective penalty", in.Optimum, optimum, u*optimum)
	scale := gained
	if kink > 0 {
		scale = 1 + gained
	}
	r.WithinScale("stretch, as z−1", in.Gained, gained, scale, u*scale)
}

func sumRegime(s theory.Split) string {
	moved := 0
	for _, e := range s.Excess {
		if e > 0 {
			moved++
		}
	}
	switch {
	case len(s.Excess) == 1:
		return sumRegimes[0]
	case len(s.Excess) == 3:
		return sumRegimes[3]
	case moved < 2:
		return sumRegimes[1]
	}
	return sumRegimes[2]
}

const reversed = "slopes that fall where ω̃ is convex"

// bent holds the claims about the slope of an effective penalty and about its growth.
type bent struct{ slope, growth func(theory.Sum) float64 }

// largestSlope returns the largest slope over all v; where it is infinite in the statement, the limit for a single
// quadratic or log-det side.
func largestSlope(s theory.Sum) float64 {
	if _, slope := s.Inflection(); !math.IsInf(slope, 1) {
		return slope
	}
	return 2 * math.Sqrt(s[0].Factor)
}

// firstBend returns the largest slope of the first side.
func firstBend(s theory.Sum) float64 { return largestSlope(s[:1]) }

// bending holds the slopes of an effective penalty that search finds. At the v for which z is stationary, v² =
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
	_, low := must.Both(all.Minimum(1e40))
	_, high := must.Both(all.Minimum(1e60))
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
