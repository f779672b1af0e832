package props

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/props/results"
)

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
func (c Claim) lucky(row *results.Claim) []string {
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
