package props

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/props/stat"
)

// chanceLevel is the level of the confidence bound on the share of cases that see a control.
const chanceLevel = 1e-3

// acceptance bounds the probability that a run with other streams accepts a control on some of its replicates. What is
// judged case by case is accepted when no case sees it, which is a binomial tail; what is judged by an interval, when
// the interval moves by its reserve. A control of one comparison that is drawn has neither, and only many seeds tell.
func (c ControlResult) acceptance() float64 {
	switch {
	case !c.Rejected || c.Replicates == 0:
		return 1
	case c.Fixed && c.Replicates > 1:
		return 0
	}
	perReplicate := stat.CrossedBy(float64(c.Reserve), stat.CriterionAlpha)
	if n := c.Cases / c.Replicates; n > 0 && c.Seen <= c.Cases {
		perReplicate = min(perReplicate, stat.NoEvent(c.Seen, c.Cases, n, chanceLevel))
	}
	return min(1, float64(c.Replicates)*perReplicate)
}

// The chances of being accepted above which a control is rejected by luck. What an interval rejects has a chance that
// follows from the interval; what cases see has a confidence bound, which a few dozen cases leave wide. The suite has
// some thousand controls, and most have a chance far below.
const (
	luckOfIntervals = 1e-6
	luckOfCases     = 1e-3
)

// lucky lists the controls that another seed may accept: of instances, those that too few see, and those that an
// interval rejects which lies too near to its margin. The cells of a sweep differ, and a control may be for a few of
// them.
func (c Claim) lucky(row *ClaimResult) []string {
	var out []string
	for _, x := range row.Controls {
		if !x.Rejected {
			continue
		}
		at := slices.IndexFunc(c.checks, func(k checker) bool { return k.name == x.Check })
		switch {
		case x.Reserve > 0 && x.Chance > luckOfIntervals:
			out = append(out, fmt.Sprintf("control %q may be accepted at another seed, with probability %.2g: its interval "+
				"lies %.2g half-widths beyond the margin, and should lie a whole one", x.Name, float64(x.Chance),
				float64(x.Reserve)))
		case at >= 0 && c.checks[at].shrink != nil && x.Seen < x.Cases && x.Chance > luckOfCases:
			out = append(out, fmt.Sprintf("control %q may be accepted at another seed, with probability %.2g: %d of %d "+
				"cases see it", x.Name, float64(x.Chance), x.Seen, x.Cases))
		}
	}
	return out
}
