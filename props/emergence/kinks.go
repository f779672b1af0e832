package emergence

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/hinge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// kinks pairs what the kinks say of the least loss with programmes in rational arithmetic, and counts where they are.
var kinks = props.Spec{
	Statement: &theory.Kinks,
	Checks: []props.Check{
		props.Drawn[bends, bendsClaim]{
			Name:     "layers with any kinks",
			Cases:    props.Scale{Quick: 100, Standard: 500, Deep: 20000},
			Regimes:  []string{"enough kinks", "too few kinks"},
			Draw:     drawBends,
			Claim:    theory.Bends.Floor,
			Judge:    judgeBends,
			Declined: map[string]float64{lossWithEnough: 1e-9, lossWithFew: 1e-9}, // none, as kinks are not off
			Proven:   map[string]string{lossWithFew: "a feasible point of the dual programme has the value of the bound"},
			Controls: []props.Wrong[bends, bendsClaim]{
				{Name: "every bit with a weight of its own", Assumption: "aligned", Criterion: lossWithFew, Cases: 20,
					Draw: drawUnaligned},
				{Name: "the label of the majority", Assumption: "parity", Criterion: lossWithFew, Cases: 20,
					Draw: func(t *props.T) bends { return drawLine(t, 5, func(s int) bool { return s > 2 }) }},
				{Name: "features that are 0 at the count 0", Assumption: "affine", Criterion: lossWithEnough, Cases: 20,
					Draw: drawRising},
				{Name: "features that reach 1 within a gap", Assumption: "uncut", Criterion: lossWithEnough, Cases: 20,
					Draw: drawSteps},
				{Name: "k − 1 kinks anywhere are enough", Criterion: lossWithEnough, Cases: 20,
					Draw: drawHole(0), Claim: lossIf(fewInAll)},
				{Name: "enough unless two gaps side by side are empty", Criterion: lossWithEnough, Cases: 20,
					Draw: drawHole(1), Claim: lossIf(neighbours)},
				{Name: "a kink in every gap is needed", Criterion: lossWithFew, Instead: inEveryGap},
				{Name: "a loss 1 % above the bound where it is attained", Criterion: lossWithFew, Cases: 20,
					Draw:    func(t *props.T) bends { return drawLine(t, 2, odd) },
					Instead: func(b theory.Bends, p []float64) float64 { return 1.01 * b.Floor(p) }},
			},
		},
		props.Drawn[bends, bendsClaim]{
			Name:     "networks after two exact steps",
			Cases:    props.Scale{Quick: 60, Standard: 250, Deep: 5000},
			Regimes:  []string{"enough kinks", "too few kinks"},
			Draw:     drawExactSteps,
			Claim:    theory.Bends.Floor,
			Judge:    judgeBends,
			Declined: map[string]float64{lossWithEnough: 1e-3, lossWithFew: 1e-3},
			Proven:   map[string]string{lossWithFew: "a feasible point of the dual programme has the value of the bound"},
			Controls: []props.Wrong[bends, bendsClaim]{
				{Name: "a second step of 1/8", Criterion: lossWithEnough,
					Draw: func(t *props.T) bends { return takeExactSteps(t, 5, rapid.IntRange(5, 9).Draw(t.T, "m"), 1./8) }},
				{Name: "a kink in every gap is needed after two steps", Criterion: lossWithFew, Instead: inEveryGap},
			},
		},
		props.Grid[startedCell, startedCounts, startedClaim]{
			Name: "probabilities at the initial scales",
			Cells: func(e props.Effort) []startedCell {
				n := props.Scale{Quick: 40000, Standard: 150000, Deep: 5000000}.At(e)
				return []startedCell{{3, 2, n}, {5, 4, n}, {7, 6, n}, {9, 10, n}}
			},
			Cost:       func(c startedCell) float64 { return float64(c.Pairs) },
			Measure:    func(t *props.Trial, c startedCell) startedCounts { return countStarted(t.Rand, c, 1, true) },
			Claim:      theory.Started.Odds,
			Judge:      judgeStarted,
			Replicates: 1,
			Controls: []props.WrongCell[startedCell, startedCounts, startedClaim]{
				{Name: "no mirrors", Assumption: "paired", Criterion: shareFew, On: fewPairs,
					Measure: func(t *props.Trial, c startedCell) startedCounts { return countStarted(t.Rand, c, 1, false) }},
				{Name: "a second step of 1/2", Assumption: "scales", Criterion: shareFew, On: fewPairs,
					Measure: func(t *props.Trial, c startedCell) startedCounts { return countStarted(t.Rand, c, 0.5, true) }},
				{Name: "one pair less", Criterion: shareFew, Instead: func(s theory.Started) (few, unsure float64) {
					s.Pairs--
					return s.Odds()
				}},
				{Name: "P in place of Q", Criterion: shareUnsure, Instead: func(s theory.Started) (few, unsure float64) {
					few, _ = s.Odds()
					return few, few
				}},
			},
		},
	},
	Along: &props.Along{Param: "m", From: 2, To: 20, Of: []string{"lower", "upper"}, At: map[string]string{"k": "7"},
		Y: "probability that no second layer fits the parity", Places: 7, Reps: 5},
	Try: &props.Simulation{Run: fitStarted},
}.Claim()

const lossWithEnough, lossWithFew = "loss where kinks are enough", "loss where kinks are too few"

// bends is a layer of features of a count, and the least loss on it.
type bends struct {
	Count     int
	P         []float64 // law of the count
	Kinks     []float64
	Loss, Any float64 // of the parity, and of labels at random

	spans bool    // 1 and S are combinations, or the parity is lossWithEnough as if they were
	near  float64 // distance of a kink from a count, and how far off it may be
	off   float64
}

// bendsClaim is what the least loss is at least, or 0 where it is 0.
type bendsClaim func(theory.Bends, []float64) float64

// lossIf claims a loss where a condition holds, and 0 elsewhere.
func lossIf(few func(theory.Bends) bool) func(*bendsClaim) {
	return func(c *bendsClaim) {
		*c = func(b theory.Bends, p []float64) float64 {
			if few(b) {
				return b.Floor(p)
			}
			return 0
		}
	}
}

// occupied counts the different kinks in each gap.
func occupied(b theory.Bends) []int {
	out := make([]int, b.Count)
	for _, t := range slices.Compact(slices.Sorted(slices.Values(b.Kinks))) {
		if g := math.Floor(t); t > g && t > 0 && t < float64(b.Count) {
			out[int(g)]++
		}
	}
	return out
}

// fewInAll reports whether all gaps together have fewer than k − 1 kinks.
func fewInAll(b theory.Bends) bool {
	n := 0
	for _, kinks := range occupied(b) {
		n += kinks
	}
	return n < b.Count-1
}

// neighbours reports whether two gaps side by side are empty.
func neighbours(b theory.Bends) bool {
	gaps := occupied(b)
	for g := 1; g < len(gaps); g++ {
		if gaps[g-1]+gaps[g] == 0 {
			return true
		}
	}
	return false
}

// inEveryGap claims a loss where some gap is empty.
func inEveryGap(b theory.Bends, p []float64) float64 {
	if slices.Min(occupied(b)) == 0 {
		return 2 * slices.Min(p)
	}
	return b.Floor(p)
}

func judgeBends(r *props.Record, in bends, claim bendsClaim) {
	floor := claim(theory.Bends{Count: in.Count, Kinks: in.Kinks}, in.P)
	switch {
	case floor > 0:
		r.Regime("too few kinks")
		if !r.Declines(lossWithFew, in.near, in.off) {
			r.AtLeast(lossWithFew, in.Loss, floor, 16*r.Unit())
		}
	case in.spans:
		r.Regime("enough kinks")
		if !r.Declines(lossWithEnough, in.near, in.off) {
			r.Exactly(lossWithEnough, max(in.Loss, in.Any), floor)
		}
	}
}

// odd is the parity.
func odd(count int) bool { return count%2 == 1 }

// feature is σ(slope·s + bias) of a count s.
type feature struct{ slope, bias float64 }

// at returns its value, without rounding.
func (f feature) at(s float64) *big.Rat {
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	z := exact(s)
	z.Add(z.Mul(z, exact(f.slope)), exact(f.bias))
	if z.Sign() < 0 {
		return new(big.Rat)
	}
	if one := big.NewRat(1, 1); z.Cmp(one) > 0 {
		return one
	}
	return z
}

// smallest finds the least loss of a label on features of the counts.
func (in *bends) smallest(features []feature, accept func(count int) bool) float64 {
	p := hinge.Exact{}
	for s, share := range in.P {
		p.Y, p.P = append(p.Y, -1), append(p.P, new(big.Rat).SetFloat64(share))
		if accept(s) {
			p.Y[s] = 1
		}
		p.Features = append(p.Features, list.Map(features, func(f feature) *big.Rat { return f.at(float64(s)) }))
	}
	return rational.Float(p.Minimum())
}

// newBends draws a law of the counts, in multiples of 2⁻¹⁰.
func newBends(r *rand.Rand, k int) bends {
	in, rest := bends{Count: k, near: 1}, 1.0
	for range k + 1 {
		in.P = append(in.P, float64(1+r.IntN(64))/1024)
		rest -= in.P[len(in.P)-1]
	}
	in.P[r.IntN(k+1)] += rest
	return in
}

// drawBends draws how many kinks are in the gaps, more or fewer, and on some counts. Some layers lack 1 and S.
func drawBends(t *props.T) bends {
	k := rapid.IntRange(1, 8).Draw(t.T, "k")
	spans, dense := rapid.IntRange(0, 3).Draw(t.T, "with 1 and S") > 0, rapid.Bool().Draw(t.T, "dense")
	r := t.Stream("layer")
	numbers := []int{0, 0, 1, 1, 1, 2}
	if dense {
		numbers = []int{0, 1, 1, 1, 2, 3}
	}
	var kinks []float64
	for g := range k {
		kinks = append(kinks, kinksIn(r, g, numbers[r.IntN(len(numbers))])...)
		if r.IntN(12) == 0 {
			kinks = append(kinks, float64(g))
		}
	}
	return bendsAt(r, k, kinks, spans)
}

// kinksIn draws so many kinks in a gap; some may be the same.
func kinksIn(r *rand.Rand, gap, n int) []float64 {
	return list.Fill(n, func(int) float64 { return float64(gap) + float64(1+2*r.IntN(16))/32 })
}

// drawHole has two empty gaps, so many between them with one kink, and two or three in each other gap.
func drawHole(ones int) func(*props.T) bends {
	return func(t *props.T) bends {
		k := rapid.IntRange(4, 7).Draw(t.T, "k")
		r := t.Stream("layer")
		from := r.IntN(k - 1 - ones)
		var kinks []float64
		for g := range k {
			switch {
			case g == from || g == from+ones+1:
			case from < g && g <= from+ones:
				kinks = append(kinks, kinksIn(r, g, 1)...)
			default:
				kinks = append(kinks, float64(g)+0.25, float64(g)+0.5)
			}
		}
		return bendsAt(r, k, kinks, true)
	}
}

// bendsAt has a feature for each kink, which rises from it or falls to it, and two that contain 1 and S or one that is
// 0.
func bendsAt(r *rand.Rand, k int, kinks []float64, spans bool) bends {
	in := newBends(r, k)
	in.Kinks, in.spans = kinks, spans
	features := []feature{{-1. / 16, -1. / 16}}
	if spans {
		features = around(k)
	}
	for _, kink := range kinks {
		slope := math.Copysign(1./16, float64(r.IntN(2))-0.5) / float64(1+r.IntN(2))
		features = append(features, feature{slope, -slope * kink})
	}
	in.solve(features, r)
	return in
}

// solve finds the least losses.
func (in *bends) solve(features []feature, r *rand.Rand) {
	in.Loss = in.smallest(features, odd)
	if in.spans {
		label := r.IntN(1 << (in.Count + 1))
		in.Any = in.smallest(features, func(s int) bool { return label>>s&1 == 1 })
	}
}

// around are two features that contain 1 and s at the counts 0, …, k, without a kink there.
func around(k int) []feature {
	return []feature{{1. / 16, 1. / 16}, {-1. / 32, float64(k+1) / 32}}
}

// drawLine has those two alone, for a label of its own; the count 1 is the rarest.
func drawLine(t *props.T, k int, accept func(count int) bool) bends {
	rapid.Bool().Draw(t.T, "nothing") // rapid wants something to be drawn
	in := newBends(t.Stream("layer"), k)
	in.P[1] = slices.Min(in.P) / 2
	in.Loss = in.smallest(around(k), accept)
	return in
}

// drawRising has a kink in every gap, from which a feature rises.
func drawRising(t *props.T) bends {
	k := rapid.IntRange(2, 6).Draw(t.T, "k")
	r := t.Stream("layer")
	in := newBends(r, k)
	var features []feature
	for g := range k {
		in.Kinks = append(in.Kinks, float64(g)+float64(1+r.IntN(15))/16)
		features = append(features, feature{1. / 16, -in.Kinks[g] / 16})
	}
	in.solve(features, r)
	in.spans = true
	return in
}

// drawSteps has features that rise from 0 to 1 within a gap, two in the second and one in the third of four gaps. The
// parity would have to rise in the first gap and to fall in the last.
func drawSteps(t *props.T) bends {
	rapid.Bool().Draw(t.T, "nothing")
	r := t.Stream("layer")
	in, features := newBends(r, 4), around(4)
	for _, g := range []float64{1, 1.5, 2} {
		in.Kinks = append(in.Kinks, g+float64(1+r.IntN(6))/16)
		features = append(features, feature{64, -64 * in.Kinks[len(in.Kinks)-1]})
	}
	in.solve(features, r)
	in.spans = true
	return in
}

// drawUnaligned has features of three bits with a weight for each, of which the sum is not negative: with the mean of
// the weights for each bit, none would have a kink between the counts.
func drawUnaligned(t *props.T) bends {
	rapid.Bool().Draw(t.T, "nothing")
	r := t.Stream("layer")
	in, p := newBends(r, 3), hinge.Exact{}
	weights := list.Fill(24, func(int) []int {
		w := list.Fill(3, func(int) int { return r.IntN(9) - 4 })
		if w[0]+w[1]+w[2] < 0 {
			w[0], w[1], w[2] = -w[0], -w[1], -w[2]
		}
		return w
	})
	for pattern := range 8 {
		count := ones(pattern)
		share := new(big.Rat).SetFloat64(in.P[count])
		p.Y = append(p.Y, 2*(count%2)-1)
		p.P = append(p.P, share.Quo(share, big.NewRat([]int64{1, 3, 3, 1}[count], 1)))
		p.Features = append(p.Features, list.Map(weights, func(w []int) *big.Rat {
			z := 2
			for j, x := range w {
				z += x * (pattern >> j & 1)
			}
			return big.NewRat(int64(max(z, 0)), 16)
		}))
	}
	in.Loss = rational.Float(p.Minimum())
	return in
}
