package props

import "github.com/thm-suite/thm/props/stat"

// Limit is the criterion that values of independent draws have the claimed limit, in the form that a limit in
// probability has: their median, whose interval it reports as well. The equivalence margin is what they are off by at
// finite size and what the interval needs, planned from their standard deviation. It judges values over the claimed
// one, or as they are where that is 0.
//
// The plan presumes that a share p of the values, [stat.RankTail], lies beyond the margin on each side, 0.7 % for 64
// values and 2 to 20 % for 80 to 400. Where a law has longer tails than a normal one, SD is larger than its standard
// deviation: (q − Bias)/z for its quantile q and the normal quantile z at p, as a thousand values from other seeds
// show.
type Limit struct {
	Name     string
	SD, Bias float64 // of one value
}

// Judge states the criterion for values that do not tend to 0.
func (l Limit) Judge(r *Record, values []float64, claimed float64) {
	l.judge(r, r.Equals, values, claimed)
}

// Absolute states it for values that may.
func (l Limit) Absolute(r *Record, values []float64, claimed float64) {
	l.judge(r, r.EqualsAbsolutely, values, claimed)
}

// Exponent states it for slopes.
func (l Limit) Exponent(r *Record, slopes []float64, claimed float64) {
	l.judge(r, r.HasExponent, slopes, claimed)
}

// limitAlpha is the risk of a limit in one regime, of a refutation and of no decision each. Most limits are stated in
// several regimes, at several sizes, and each of them is charged to the budget of the run.
const limitAlpha = stat.CriterionAlpha / 2

func (l Limit) judge(r *Record, state func(string, stat.Interval, float64, float64), values []float64,
	claimed float64) {
	iv := stat.Median(values, limitAlpha)
	needs := stat.MedianMargin(stat.NormalTail, l.SD, len(values), limitAlpha, limitAlpha)
	r.Measured(l.Name, iv, claimed)
	state(l.Name, iv, claimed, l.Bias+needs)
	r.findings[len(r.findings)-1].Undecided = limitAlpha
}
