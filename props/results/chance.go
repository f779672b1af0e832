package results

import "github.com/thm-suite/thm/props/stat"

// chanceLevel is the level of the confidence bound on the share of cases that see a control.
const chanceLevel = 1e-3

// acceptance bounds the probability that a run with other streams accepts a control on some of its replicates. What is
// judged case by case is accepted when no case sees it, which is a binomial tail; what is judged by an interval, when
// the interval moves by its reserve. A control of one comparison that is drawn has neither, and only many seeds tell.
func (c Control) acceptance() float64 {
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
