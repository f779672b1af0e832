package diff

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/number"
)

// Interval is the interval of the ratio new/old, which misses with probability at most alpha. Its ends are 0 and
// infinity where there are too few blocks for the level, and NaN where a logarithm is no number or there is no block.
//
// The ends are found by bisection. A tail need not rise all the way (the null distribution moves with the hypothesis;
// it falls back by a few 10⁻³ at most), so that "nothing changed" is tested by itself: it lies in the interval unless
// it is rejected. That is the case for which the level is exact.
//
// Cost: some 50 exact tests, each of O(n³) steps for n blocks.
func Interval(blocks []Block, alpha float64) compare.Interval {
	nan := compare.Number(math.NaN())
	if len(blocks) == 0 || !finite(blocks) {
		return compare.Interval{Center: nan, Lo: nan, Hi: nan, Level: 1 - alpha}
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, b := range blocks {
		lowest = min(lowest, b.New-max(b.Old, b.Again))
		highest = max(highest, b.New-min(b.Old, b.Again))
	}
	width := highest - lowest + 1e-9 // beyond either end every block says the same, and the tests change no more
	lowest, highest = lowest-width, highest+width

	var known []knownTails // most steps of a bisection end between the same two changes of a rank
	tails := func(theta float64) (below, above float64) {
		ranks := alignedRanks(blocks, theta)
		for _, k := range known {
			if slices.Equal(k.ranks, ranks) {
				return k.below, k.above
			}
		}
		below, above = rankTails(ranks)
		known = append(known, knownTails{ranks, below, above})
		return below, above
	}
	lower := bisect(lowest, highest, func(theta float64) bool {
		_, above := tails(theta)
		return !(above <= alpha/2)
	})
	upper := bisect(lowest, highest, func(theta float64) bool {
		below, _ := tails(theta)
		return below <= alpha/2
	})
	center := bisect(lowest, highest, func(theta float64) bool {
		below, above := tails(theta)
		return below <= above
	})
	if below, above := tails(0); below > alpha/2 && above > alpha/2 {
		lower, upper = min(lower, 0), max(upper, 0)
	}
	c := compare.Interval{Center: exp(center), Lo: exp(lower), Hi: exp(upper), Level: 1 - alpha}
	if !(alpha > 0 && alpha < 1) || len(blocks) < Minimum(alpha) {
		c.Lo, c.Hi, c.Level = 0, compare.Number(math.Inf(1)), 1
	}
	return c
}

// knownTails are the tails that belong to ranks.
type knownTails struct {
	ranks        [][3]int
	below, above float64
}

func exp(x float64) compare.Number { return compare.Number(math.Exp(x)) }

// bisect finds where a condition that is false at lo and true at hi changes, to 1e-9 or the limit of rounding.
func bisect(lo, hi float64, holds func(float64) bool) float64 {
	for hi-lo > 1e-9 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return lo + (hi-lo)/2
}

// Judge gives a verdict on the blocks of one row. The rule comes from package compare ([compare.Spec.Verdict]), with
// the floor that the blocks show themselves. The level of the specification is the [Share] of the row.
func Judge(blocks []Block, s compare.Spec) compare.Judgement {
	if len(blocks) == 0 || !finite(blocks) {
		return compare.Judgement{Change: Interval(nil, s.Alpha), Verdict: compare.Unusable,
			Reason: "a round has a value of which there is no logarithm, or there is no round"}
	}
	s.Floor = Floor(blocks)
	j := compare.Judgement{Change: Interval(blocks, s.Alpha), Floor: s.Floor}
	if j.Verdict = s.Verdict(j.Change); j.Verdict == compare.Undecided {
		j.Needs, j.Reason = needs(len(blocks), j, s)
	}
	return j
}

// maxNeeded is the number of rounds beyond which none is estimated.
const maxNeeded = 10000

// needs is the number of rounds that would decide with probability 0.8, and why the row is undecided. The interval has
// the half-width h = z·s/√n with the normal quantile z of its level, and its middle the standard deviation s/√n. With
// n' rounds the distance d to the nearest boundary must be h' and the quantile of 0.8 more:
// d = h·√(n/n')·(1 + z₀.₈/z). The floor must come down to the margin as well; as far as it is chance it falls with √n.
func needs(n int, j compare.Judgement, s compare.Spec) (int, string) {
	center, boundary := math.Abs(math.Log(float64(j.Change.Center))), math.Log1p(s.Margin)
	if s.Margin == 0 {
		boundary = math.Log1p(j.Floor)
	}
	if !(s.Alpha > 0 && s.Alpha < 1) {
		return 0, "the level is no probability"
	}
	if lowest := Minimum(s.Alpha); n < lowest {
		return lowest, "too few rounds for the level"
	}
	half := math.Log(float64(j.Change.Hi)/float64(j.Change.Lo)) / 2
	distance, reason := math.Abs(center-boundary), "the interval crosses the boundary of the margin"
	if s.Reaching {
		distance, reason = s.Distance(center), "the interval holds no change as well as one that matters"
	}
	if !(distance > 0) {
		return 0, "the change is hidden by the noise floor"
	}
	growth := half / distance * (1 + number.NormalQuantile(0.2)/number.NormalQuantile(s.Alpha/2))
	if j.Floor > s.Margin && s.Margin > 0 {
		growth = math.Max(growth, j.Floor/s.Margin)
		reason = "identical code differs by more than the change that matters, so far"
	}
	needed := math.Ceil(float64(n) * growth * growth)
	if !(needed <= maxNeeded) {
		return 0, "the change is too close to the one that matters to be told from it"
	}
	return max(int(needed), n+1), reason
}
