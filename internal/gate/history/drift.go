package history

import (
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
)

// step is a jump in a series that may also drift: before run at, by the logarithm size.
type step struct {
	at   int
	size float64
}

// drifts reports whether the parts of a series before and after a split rise or fall together: Kendall's statistic of
// both, in units of its standard deviation where there is no trend, is beyond the normal quantile of 97.5 %.
func drifts(y []float64, at int) bool {
	sum, variance := 0.0, 0.0
	for _, part := range [][]float64{y[:at], y[at:]} {
		n := float64(len(part))
		variance += n * (n - 1) * (2*n + 5) / 18
		for i := range part {
			for k := range i {
				switch {
				case part[i] > part[k]:
					sum++
				case part[i] < part[k]:
					sum--
				}
			}
		}
	}
	return sum*sum > 1.96*1.96*variance
}

// beyondDrift looks for a step in a series of logarithms that drifts: the split by which a line with a step fits better
// than a line alone, by least squares. Its p-value is the share of random orders of what the line leaves that gain as
// much at their best split (D. Freedman and D. Lane, A nonstochastic interpretation of reported significance levels,
// 1983). Fewer than six values cannot tell a step from a line.
func beyondDrift(y []float64, level float64, seed uint64) (step, float64) {
	n := len(y)
	if n < 6 {
		return step{}, 1
	}
	norms := stepNorms(n)
	rest := withoutLine(y)
	best, gain := widestStep(rest, norms)
	rng := streams.New(seed, "history", "drift")
	limit, found := int(math.Ceil(enough/10/level)), 0
	limit = min(limit, maxOrders)
	shuffled := make([]float64, n)
	copy(shuffled, rest)
	for range limit {
		if _, g := widestStep(withoutLine(shuffle(rng, shuffled)), norms); g >= gain {
			found++
		}
	}
	return best, float64(found+1) / float64(limit+1)
}

func shuffle(rng *rand.Rand, x []float64) []float64 {
	rng.Shuffle(len(x), func(i, k int) { x[i], x[k] = x[k], x[i] })
	return x
}

// withoutLine returns the residuals of the least-squares line.
func withoutLine(y []float64) []float64 {
	n := float64(len(y))
	middle, mean, slope := (n-1)/2, 0.0, 0.0
	for _, v := range y {
		mean += v / n
	}
	for i, v := range y {
		slope += (float64(i) - middle) * (v - mean)
	}
	slope /= n * (n*n - 1) / 12
	return list.Fill(len(y), func(i int) float64 { return y[i] - mean - slope*(float64(i)-middle) })
}

// stepNorms are the squares of what a line leaves of each unit step, by its place.
func stepNorms(n int) []float64 {
	norms := make([]float64, n)
	for at := 1; at < n; at++ {
		unit := make([]float64, n)
		for i := at; i < n; i++ {
			unit[i] = 1
		}
		for _, v := range withoutLine(unit) {
			norms[at] += v * v
		}
	}
	return norms
}

// widestStep is the step that explains most of what a line leaves, and the share that it explains. It has two runs on
// either side at least: a line bends to a single one at an end.
func widestStep(rest, norms []float64) (best step, share float64) {
	n, tail, all := len(rest), 0.0, 0.0
	for _, v := range rest {
		all += v * v
	}
	for at := n - 1; at >= 2; at-- {
		tail += rest[at]
		if at > n-2 {
			continue
		}
		if gain := tail * tail / norms[at] / all; gain > share {
			best, share = step{at, tail / norms[at]}, gain
		}
	}
	return best, share
}
