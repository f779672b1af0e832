package props

import (
	"math"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Effect is the criterion of a finding: an estimated quantity lies at least as far from none, its value without the
// effect, as the claimed value does, and on the same side. It holds when the whole interval does, and is refuted when
// no part of it does; the ratio is 1 at the claimed value and 2 at none. Its resolution is the smallest effect that
// would have been seen with an interval of the same shape, as a share of the effect that was seen: the farther beyond
// the claimed value an interval lies, the finer, where [Record.EstimateAtLeast] would call the bound coarse.
func (r *Record) Effect(name string, iv stat.Interval, none, claimed float64) {
	e := effectOf(iv, none, claimed)
	r.add(Criterion{Name: name, Form: results.Estimate, Unit: results.Share, Alpha: iv.Alpha(),
		Undecided: stat.CriterionUndecided}, e.ratio(), e.perturbation)
	relation := results.Above
	if claimed < none {
		relation = results.Below
	}
	r.allows(e.seen.Estimate-e.claimed, e.seen.Estimate)
	r.beside(intervalSides(iv, claimed, 0, relation))
	r.pair(func() []compared { return interval(iv, claimed, relation) })
}

// effect is an interval for an effect, positive as claimed, and the smallest that is claimed.
type effect struct {
	seen    stat.Interval
	claimed float64
}

func effectOf(iv stat.Interval, none, claimed float64) effect {
	seen := iv
	seen.Estimate, seen.Lo, seen.Hi = iv.Estimate-none, iv.Lo-none, iv.Hi-none
	if claimed < none {
		seen.Estimate, seen.Lo, seen.Hi = -seen.Estimate, -seen.Hi, -seen.Lo
	}
	return effect{seen, math.Abs(claimed - none)}
}

// ratio is 1 and how far the interval falls short of the claimed effect, in units of that effect.
func (e effect) ratio() Ratio {
	if !comparable(e.seen, e.claimed, e.claimed) {
		return invalid
	}
	return Ratio{Value: max(0, 2-e.seen.Lo/e.claimed), Lower: max(0, 2-e.seen.Hi/e.claimed)}
}

// perturbation is the effect of which the lower end would be the claimed effect, over the one that was seen, and the
// ratio of an effect far too small.
func (e effect) perturbation() (epsilon, near float64) {
	if !e.ratio().Valid() || !(e.seen.Estimate > 0) {
		return noPerturbation()
	}
	epsilon = (e.claimed + e.seen.Estimate - e.seen.Lo) / e.seen.Estimate
	down := e.seen.Hi + (nearRatio-2)*e.claimed
	e.seen.Estimate, e.seen.Lo, e.seen.Hi = e.seen.Estimate-down, e.seen.Lo-down, e.seen.Hi-down
	return epsilon, e.ratio().Lower
}
