package props

import (
	"math"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Effect is the criterion of a finding: an estimated quantity lies at least as far from none, which it would be without
// the effect, as least does, and to the same side. It holds when the whole interval does, and is refuted when none of it
// does; the ratio is 1 at least and 2 at none. Its resolution is the smallest effect that would have been seen with an
// interval of the same shape, as a share of the effect that was seen. An interval that lies beyond least by a wide
// margin is so an asset, where [Record.EstimateAtLeast] would call its bound a coarse one.
func (r *Record) Effect(name string, iv stat.Interval, none, least float64) {
	e := effectOf(iv, none, least)
	r.add(Criterion{Name: name, Form: results.Estimate, Unit: results.Share, Alpha: iv.Alpha(),
		Undecided: stat.CriterionUndecided}, e.ratio(), e.perturbation)
	relation := results.Above
	if least < none {
		relation = results.Below
	}
	r.allows(e.seen.Estimate-e.least, e.seen.Estimate)
	r.beside(intervalSides(iv, least, 0, relation))
	r.pair(func() []compared { return interval(iv, least, relation) })
}

// effect is an interval for an effect, positive as claimed, and the least that is claimed.
type effect struct {
	seen  stat.Interval
	least float64
}

func effectOf(iv stat.Interval, none, least float64) effect {
	seen := iv
	seen.Estimate, seen.Lo, seen.Hi = iv.Estimate-none, iv.Lo-none, iv.Hi-none
	if least < none {
		seen.Estimate, seen.Lo, seen.Hi = -seen.Estimate, -seen.Hi, -seen.Lo
	}
	return effect{seen, math.Abs(least - none)}
}

// ratio is 1 and how far the interval falls short of the least effect, in units of that effect.
func (e effect) ratio() Ratio {
	if !comparable(e.seen, e.least, e.least) {
		return invalid
	}
	return Ratio{Value: max(0, 2-e.seen.Lo/e.least), Lower: max(0, 2-e.seen.Hi/e.least)}
}

// perturbation is the effect of which the lower end would be the least effect, over the one that was seen, and the ratio
// of an effect far too small.
func (e effect) perturbation() (epsilon, near float64) {
	if !e.ratio().Valid() || !(e.seen.Estimate > 0) {
		return noPerturbation()
	}
	epsilon = (e.least + e.seen.Estimate - e.seen.Lo) / e.seen.Estimate
	down := e.seen.Hi + (nearRatio-2)*e.least
	e.seen.Estimate, e.seen.Lo, e.seen.Hi = e.seen.Estimate-down, e.seen.Lo-down, e.seen.Hi-down
	return epsilon, e.ratio().Lower
}
