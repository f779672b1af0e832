package stat

import "math"

// Proportion is a confidence sequence for the probability of success: over all numbers of trials together it misses
// with probability at most alpha, the false-alarm rate, so that one may look after every trial and stop at will. It
// consists of the probabilities that [BernoulliEValue] does not reject, found by bisection and rounded outwards. No
// trial at all and impossible counts give an invalid interval.
func Proportion(successes, trials int, alpha float64) Interval {
	if !counts(successes, trials) || trials == 0 || !level(alpha) {
		return invalid(alpha)
	}
	mixture, limit := bernoulliMixture(successes, trials), -math.Log(alpha)
	rejected := func(p float64) bool { return mixture-bernoulliLog(successes, trials, p) >= limit }
	estimate := float64(successes) / float64(trials)
	iv := Interval{estimate, 0, 1, alpha}
	// The evidence is convex in p and not positive at the estimate: the set is an interval with one root on each side.
	if successes > 0 {
		iv.Lo, _ = bisect(0, estimate, func(p float64) bool { return !rejected(p) })
	}
	if successes < trials {
		_, iv.Hi = bisect(estimate, 1, rejected)
	}
	return iv
}

// SubGaussianMean is a confidence sequence for the mean of independent sub-Gaussian draws, E exp(λ(x-mean)) ≤
// exp(λ²sigma²/2) for all λ; a normal distribution has its standard deviation for sigma. It consists of the means that
// [SubGaussianEValue] does not reject,
//
//	average ± sigma/n · sqrt((n+ρ) log((n+ρ)/(ρ alpha²))),
//
// and over all numbers n of draws together it misses with probability at most alpha, the false-alarm rate. No draw, one
// that is not finite, and a sigma that is not positive give an invalid interval.
func SubGaussianMean(xs []float64, sigma, alpha float64) Interval {
	if len(xs) == 0 || !(sigma > 0) || !level(alpha) {
		return invalid(alpha)
	}
	n, mean := float64(len(xs)), average(xs)
	total := n + mixtureVariance
	half := sigma / n * math.Sqrt(total*(math.Log(total/mixtureVariance)-2*math.Log(alpha)))
	return Interval{mean, mean - half, mean + half, alpha}
}
