package compare

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/number"
)

// maxNeeded is the number of samples beyond which none is estimated.
const maxNeeded = 10000

// needs is the number of samples a side that would decide with probability 0.8, and why the row is not decided.
//
// The half-width h of an interval is z·s/√n with the normal quantile z of its level and some s, so that at n' samples
// it is h·√(n/n'), and the center has the standard deviation of 1/z of that. To be decided, the distance d of the
// center from the nearest boundary must exceed the half-width by the quantile q of 0.8: d = h·√(n/n')·(1 + q/z). Within
// the margin both ends of the interval can cross a boundary, each with half the probability, and q is the quantile of
// 0.9.
func (s Spec) needs(c Interval, n, lowest int) (int, string) {
	if math.IsInf(float64(c.Hi), 0) {
		return max(lowest, n+1), fmt.Sprintf("too few samples for the level: %d of at least %d", n, max(lowest, n+1))
	}
	center, lo, hi := math.Log(float64(c.Center)), math.Log(float64(c.Lo)), math.Log(float64(c.Hi))
	half := (hi - lo) / 2
	boundary := math.Log1p(math.Max(s.Margin, s.Floor))
	if s.Floor > s.Margin && math.Abs(center) <= boundary {
		return 0, "the noise floor hides changes of the size that matters; measure both versions together with the " +
			"command diff, or on a quieter machine"
	}
	distance, reason := math.Abs(math.Abs(center)-boundary), "the interval crosses the boundary of the margin"
	if s.Reaching {
		distance = s.Distance(center)
		reason = "the interval holds no change as well as one that matters"
	}
	q := number.NormalQuantile(0.2)
	if math.Abs(center) < boundary {
		q = number.NormalQuantile(0.1)
	}
	growth := half / distance * (1 + q/number.NormalQuantile(s.Alpha/2))
	needed := math.Ceil(float64(n) * growth * growth)
	if !(needed <= maxNeeded) {
		return 0, fmt.Sprintf("the change is too close to the boundary of %.1f %% to be told from it",
			100*math.Expm1(boundary))
	}
	return max(int(needed), n+1), reason
}

// Distance returns the distance of the logarithm of a ratio from the nearer of two verdicts where Reaching holds: from
// the floor, beyond which it is a change, or from the margin, within which it is the same.
func (s Spec) Distance(center float64) float64 {
	size := math.Abs(center)
	return math.Max(size-math.Log1p(s.Floor), math.Log1p(s.Margin)-size)
}
