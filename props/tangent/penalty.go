package tangent

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// penalty pairs the calculus of penalties with brute force, and with exact arithmetic on a lattice of stretches.
var penalty = props.Spec{
	Statement: &theory.Penalty,
	Checks: []props.Check{
		props.Instances[summed]{
			Name:    "closed forms by brute force",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 40000},
			Regimes: sumRegimes,
			Draw:    drawSummed,
			Judge:   judgeSummed,
			Controls: []props.Control{
				{Name: "penalties added at one stretch", Criterion: "sum", Claimed: "pointwise"},
				{Name: "the split of a sum, z₁ + z₂ = z + 1", Assumption: "products", Criterion: "sum",
					Done: "additive"},
				{Name: "the cheapest term alone", Criterion: "sum", Claimed: "cheapest"},
				{Name: "v/z² in place of v²/z²", Criterion: "effective penalty", Claimed: "root of v"},
				{Name: "½‖θ‖² in place of ‖θ‖²", Criterion: "stretch, as z−1", Claimed: "half"},
			},
			Replicates: 3,
		},
		props.Instances[lattices]{
			Name:    "algebra on a lattice of stretches",
			Cases:   props.Scale{Quick: 300, Standard: 1500, Deep: 200000},
			Regimes: []string{"strict", "with flat parts", "free around 1"},
			Draw:    drawLattices,
			Judge:   judgeLattices,
			Controls: []props.Control{
				{Name: "a split of z₁z₂² = z", Criterion: "commutative", Done: "squared"},
				{Name: "a split of z₁z₂² = z, three terms", Criterion: "associative", Done: "squared"},
				{Name: "terms that cost 1 at 1", Assumption: "zero-at-one", Criterion: "below its terms",
					Done: "lifted"},
				{Name: "a term with two valleys", Assumption: "one-valley", Criterion: "one valley",
					Done: "two valleys"},
				{Name: "a term with two valleys, splits between 1 and z", Criterion: "a minimiser lies between 1 and z",
					Done: "two valleys"},
				{Name: "the effective penalty of the first term", Criterion: "effective penalty over both factors",
					Claimed: "first term"},
			},
		},
		props.Instances[bending]{
			Name:    "convexity and growth",
			Cases:   props.Scale{Quick: 100, Standard: 150, Deep: 20000},
			Regimes: []string{"convex for all v", "bends at a kink", "bends smoothly"},
			Draw:    drawBending,
			Judge:   judgeBending,
			Controls: []props.Control{
				{Name: "convex for all v", Criterion: "largest slope", Claimed: "convex"},
				{Name: "the bend of the first side alone", Criterion: "largest slope", Claimed: "first side"},
				{Name: "slopes that fall where ω̃ is convex", Criterion: "slope rises while ω̃ is convex",
					Claimed: "falls"},
				{Name: "slopes that rise where ω̃ is concave", Criterion: "slope falls where ω̃ is concave",
					Claimed: "rises"},
				{Name: "growth of fixed features, v²", Criterion: "exponent at infinity", Claimed: "square"},
			},
		},
	},
	Along: &props.Along{
		Param: "v", From: 0.1, To: 100, Of: []string{"effective"},
		Each: &props.ParamSweep{Name: "omega2", Values: []string{"quadratic", "absolute", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(_ *props.Trial, v statements.Values) (map[string]float64, error) {
		sum := theory.Sum{{Family: theory.Family(v.Choice("omega1")), Factor: v.Float("factor1")},
			{Family: theory.Family(v.Choice("omega2")), Factor: v.Float("factor2")}}
		if sum[0].Family == theory.Fixed || sum[1].Family == theory.Fixed {
			return nil, fmt.Errorf("omega1=%s, omega2=%s: brute force needs two sides that move", sum[0].Family,
				sum[1].Family)
		}
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

// summed is a sum of penalties at a stretch and its effective penalty, both by search.
type summed struct {
	Sides  theory.Sum
	Excess float64 // z − 1
	V      float64

	Value           float64 // ω(z)
	Optimum, Gained float64 // ω̃(v), and s − 1
}

func drawSummed(t *props.T, done string) summed {
	in := summed{Sides: drawSum(t), Excess: gen.LogUniform(t.T, "z−1", 1e-4, 1e4),
		V: gen.LogUniform(t.T, "v", 1e-3, 1e6)}
	all := bruteForce(in.Sides)
	in.Value = all.Value(in.Excess)
	if done == "additive" && len(in.Sides) > 1 { // the cheapest of 100 splits z₁ + z₂ = z + 1
		p, q := penaltyOf[in.Sides[0].Family].Times(in.Sides[0].Factor),
			penaltyOf[in.Sides[1].Family].Times(in.Sides[1].Factor)
		for i := range 101 {
			part := in.Excess * float64(i) / 100
			in.Value = min(in.Value, p.Value(part)+q.Value(in.Excess-part))
		}
		in.Value *= 1 + 1e-9 // where the split changes nothing, the search is as good as ours
	}
	_, optimum, err := all.Minimum(in.V)
	if err != nil {
		panic(err)
	}
	in.Optimum, in.Gained = optimum, all.Stationary(in.V)
	return in
}

// judgeSummed compares to the rounding of both sides. A search evaluates z²−1−2 ln z with an error of a few roundings
// of z − 1, and splits logarithms of up to a few tens, whose roundings are relative errors of the stretches. The closed
// form of a side with a kink comes out of z = 2q/κ, and z − 1 inherits the roundoff of z.
func judgeSummed(r *props.Record, in summed, claimed string) {
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
	value, optimum, gained := split.Value, best.Value+best.Cost, best.Gain()
	switch claimed {
	case "pointwise":
		value = 0
		for i := range in.Sides {
			value += in.Sides[i : i+1].Of(in.Excess).Value
		}
	case "cheapest":
		for i := range in.Sides {
			value = max(value, min(in.Sides[i:i+1].Of(in.Excess).Value, 2*value))
		}
		value *= 1 + 1e-9
	case "root of v":
		optimum = in.Sides.Optimum(math.Sqrt(in.V))
	case "half":
		gained = in.Sides.Effective(in.V / math.Sqrt2).Gain()
	}
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
