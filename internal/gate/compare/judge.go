package compare

import (
	"fmt"
	"math"
)

// Spec holds the parameters by which a row is judged.
type Spec struct {
	// Alpha is the chance that the row's interval misses: the policy's α divided by the number of rows; see Share.
	Alpha float64
	// Margin is the smallest relative change that matters.
	Margin float64
	// Floor is the relative noise floor of the measurement; 0 if none is known.
	Floor float64
	// Better is -1 if less is better, +1 if more is, and 0 if nobody said.
	Better int
	// Reaching says that a change is a verdict as soon as the interval lies beyond the floor and reaches beyond the
	// margin. Otherwise all of it must lie beyond the margin.
	Reaching bool
}

// maxSamples is the number from which the pairs of samples are too many to list. Nobody measures a benchmark that
// often; a row that gathers several benchmarks can have more, and is no single thing to judge.
const maxSamples = 2000

// Share is one row's part of the policy's α.
func (p Policy) Share(rows int) float64 { return p.Alpha / float64(max(rows, 1)) }

// Judge compares two independent samples of positive numbers, in any order. The interval is the one by Hodges and
// Lehmann for the shift of the logarithms: the order statistics of all log(new/old) that the Mann-Whitney test does not
// reject. It is exact if the samples differ by a factor, and its case "no change" whatever their distribution.
//
// Hodges, Lehmann: Estimates of location based on rank tests, Ann. Math. Stat. 34 (1963).
func Judge(old, new []float64, s Spec) Judgement {
	if why := unusable(old, new); why != "" {
		return Judgement{Change: nowhere(s.Alpha), Floor: s.Floor, Verdict: Unusable, Reason: why}
	}
	if max(len(old), len(new)) > maxSamples {
		return Judgement{Change: nowhere(s.Alpha), Floor: s.Floor, Verdict: Undecided,
			Reason: fmt.Sprintf("more than %d samples a side", maxSamples)}
	}
	logs := make([]float64, 0, len(old)*len(new))
	for _, b := range new {
		for _, a := range old {
			logs = append(logs, math.Log(b/a))
		}
	}
	k := rankSumOrder(len(old), len(new), s.Alpha)
	return s.judge(orderInterval(logs, k, s.Alpha), min(len(old), len(new)), rankSumMinimum(s.Alpha))
}

// judge gives the verdict on an interval that n samples a side gave; least is the number from which one is finite.
func (s Spec) judge(change Interval, n, lowest int) Judgement {
	j := Judgement{Change: change, Floor: s.Floor, Verdict: s.Verdict(change)}
	if j.Verdict == Undecided {
		j.Needs, j.Reason = s.needs(change, n, lowest)
	}
	return j
}

// Verdict places an interval of the ratio among the margin and the floor. One with a NaN is nowhere, and undecided.
//
// A change of exactly the margin has intervals to both sides of it, and would be found half of the time at best. Where
// measurements tell changes of the margin from none, Reaching finds it: then an interval that excludes "no change" is
// the same only if it excludes the margin too. Of an interval that covers the ratio, that calls nothing a change that
// is none, and nothing the same that is as large as the margin.
func (s Spec) Verdict(c Interval) Decision {
	margin, beyond := 1+s.Margin, 1+math.Max(s.Margin, s.Floor)
	lo, hi := float64(c.Lo), float64(c.Hi)
	above, below := lo > beyond, hi < 1/beyond
	if s.Reaching {
		above, below = lo > 1+s.Floor && hi > margin, hi < 1/(1+s.Floor) && lo < 1/margin
	}
	switch {
	case above:
		return worseBy(-s.Better)
	case below:
		return worseBy(s.Better)
	case lo >= 1/margin && hi <= margin && s.Floor <= s.Margin:
		return Same
	}
	return Undecided
}

// worseBy names a change: positive is worse, negative better.
func worseBy(direction int) Decision {
	switch {
	case direction > 0:
		return Slower
	case direction < 0:
		return Faster
	}
	return Changed
}

// unusable says what is wrong with samples that must be positive and finite.
func unusable(samples ...[]float64) string {
	for _, sample := range samples {
		if len(sample) == 0 {
			return "there is no sample"
		}
		for _, x := range sample {
			if !(x > 0) || math.IsInf(x, 0) {
				return fmt.Sprintf("a sample is %v; a ratio needs positive numbers", x)
			}
		}
	}
	return ""
}

func nowhere(alpha float64) Interval {
	return Interval{Number(math.NaN()), Number(math.NaN()), Number(math.NaN()), 1 - alpha}
}
