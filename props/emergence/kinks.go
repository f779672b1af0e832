package emergence

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// kinks pairs the bounds that the kinks imply for the least loss with linear programmes in rational arithmetic, and
// counts how many networks have enough kinks.
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
			Declined: map[string]float64{lossWithEnough: 1e-9, lossWithFew: 1e-9}, // none: the kinks are exact
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
				{Name: "a label of more than the count", Criterion: lossWithEnough, Cases: 20, Draw: drawTwoLabels},
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

// bends holds a layer of features of the count, and the least losses on it.
type bends struct {
	Count     int
	P         []float64 // law of the count
	Kinks     []float64
	Loss, Any float64 // of the parity, and of labels at random

	spans bool    // 1 and S are combinations of the features, or the parity is fitted as if they were
	near  float64 // distance of a kink from a count, and how far off it may be
	off   float64
}

// bendsClaim returns a lower bound on the least loss, or 0 where the loss is 0.
type bendsClaim func(theory.Bends, []float64) float64

// lossIf claims the lower bound of the statement if a condition holds, and the loss 0 otherwise.
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

// inEveryGap claims a positive loss as soon as some gap is empty.
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

// odd reports whether the count is odd: the parity as a rule of acceptance.
func odd(count int) bool { return count%2 == 1 }
