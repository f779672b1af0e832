package stat

import (
	"math"
	"slices"
)

// Chance is a probability that was extrapolated beyond what was seen.
type Chance struct {
	Estimate float64
	Upper    float64 // end of the one-sided confidence interval
}

// tailConfidence is χ²(1) at 0.98: twice the logarithm of the likelihood ratio at which a one-sided interval at level
// 0.99 ends. The law of the tail is a limit: of normal and of exponential margins such intervals cover the truth in
// more than 95 of 100 runs, see the tests.
const tailConfidence = 5.412

// The shapes ξ of the generalised Pareto law that are tried. Below −1/2 maximum likelihood is not regular. Above 0 the
// tail of a logarithm would be a power, and what it is the logarithm of would exceed every power: a discrepancy over a
// tolerance has no such tail, since a smooth density that meets a pole of any order gives a power.
const (
	leastShape = -0.5
	mostShape  = 0
	shapeStep  = 0.05
)

// leastDraws is the number of draws from which a tail can be extrapolated.
const leastDraws = 20

// BelowZero extrapolates the probability that a draw is negative, from independent draws that are margins: logarithms
// of what is left to a limit, whose tails are at most exponential. A generalised Pareto law is fitted by maximum
// likelihood to how far the lowest quarter of the draws, at least ten and at most fifty of them, lie below the next
// one; the upper end comes from the profile likelihood.
//
// Draws that are all alike are no draws, and have no tail: the probability is 0. From fewer than twenty draws nothing
// is extrapolated; estimate and upper end are then those of a binomial count, as they are where a draw is negative.
//
// Source: Pickands, Ann. Statist. 3 (1975) 119; Coles, An Introduction to Statistical Modeling of Extreme Values
// (2001), section 4.3.
func BelowZero(draws []float64) Chance {
	return LowestBelowZero(draws, len(draws))
}

// LowestBelowZero is [BelowZero] where of n draws only the lowest are known, of which it takes a quarter.
func LowestBelowZero(lowest []float64, n int) Chance {
	if len(lowest) == 0 || n < len(lowest) || slices.ContainsFunc(lowest, math.IsNaN) {
		return Chance{math.NaN(), 1}
	}
	sorted := slices.Clone(lowest)
	slices.Sort(sorted)
	known := len(sorted)
	if sorted[0] > 0 && sorted[known-1]-sorted[0] <= 1e-9 {
		return Chance{}
	}
	k := min(max(10, known/4), 50, known-1)
	if known < leastDraws || sorted[0] < 0 || math.IsInf(sorted[k], 1) {
		negative, _ := slices.BinarySearch(sorted, 0)
		return Frequency(negative, n)
	}
	threshold, excess, mean := sorted[k], make([]float64, k), 0.0
	for i := range excess {
		excess[i] = threshold - sorted[i]
		mean += excess[i] / float64(k)
	}
	if !(mean > 0) {
		return Chance{} // the lowest draws are all alike
	}
	fits, best, share := paretoFits(excess, mean), math.Inf(-1), float64(k)/float64(n)
	for _, f := range fits {
		best = max(best, f.likelihood)
	}
	out := Chance{}
	for _, f := range fits {
		if f.likelihood == best {
			out.Estimate = f.beyond(threshold) * share
		}
		if 2*(best-f.likelihood) <= tailConfidence {
			out.Upper = max(out.Upper, f.beyond(threshold)*share)
		}
	}
	return out
}

// pareto is a generalised Pareto law of excesses, P(Y > y) = (1 + ξy/σ)^(−1/ξ), and the logarithm of its likelihood.
type pareto struct{ shape, scale, likelihood float64 }

// beyond is P(Y > y).
func (p pareto) beyond(y float64) float64 {
	if math.Abs(p.shape) < shapeStep/2 {
		return math.Exp(-y / p.scale)
	}
	return math.Pow(max(0, 1+p.shape*y/p.scale), -1/p.shape)
}

// paretoFits are the likelihoods on a grid of shapes and scales. A grid is all that a figure of one digit needs.
func paretoFits(excess []float64, mean float64) []pareto {
	var out []pareto
	for shape := leastShape; shape <= mostShape+shapeStep/2; shape += shapeStep {
		for step := -30; step <= 30; step++ {
			p := pareto{shape: shape, scale: mean * math.Exp(float64(step)/20)}
			p.likelihood = p.of(excess)
			if !math.IsInf(p.likelihood, -1) {
				out = append(out, p)
			}
		}
	}
	return out
}

// of is the logarithm of the likelihood of some excesses.
func (p pareto) of(excess []float64) float64 {
	sum := 0.0
	for _, y := range excess {
		switch at := 1 + p.shape*y/p.scale; {
		case at <= 0:
			return math.Inf(-1)
		case math.Abs(p.shape) < shapeStep/2:
			sum -= y / p.scale
		default:
			sum -= (1 + 1/p.shape) * math.Log(at)
		}
	}
	return sum - float64(len(excess))*math.Log(p.scale)
}

// SumOfChances adds probabilities up. The upper end adds the distances of the upper ends as the errors of independent
// estimates add, in squares (Zou and Donner, Statist. Med. 27 (2008) 1693).
func SumOfChances(all []Chance) Chance {
	out, squares := Chance{}, 0.0
	for _, c := range all {
		out.Estimate += c.Estimate
		squares += (c.Upper - c.Estimate) * (c.Upper - c.Estimate)
	}
	out.Estimate = min(1, out.Estimate)
	out.Upper = min(1, out.Estimate+math.Sqrt(squares))
	return out
}

// Frequency is the share of n independent events that happened, with the upper end of Clopper and Pearson at level
// 0.99.
func Frequency(k, n int) Chance {
	if n < 1 || k < 0 || k > n {
		return Chance{math.NaN(), 1}
	}
	if k == n {
		return Chance{1, 1}
	}
	_, upper := bisect(0, 1, func(p float64) bool { return binomialAtMost(k, n, p) <= 0.01 })
	return Chance{float64(k) / float64(n), upper}
}
