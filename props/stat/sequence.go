package stat

import "math"

// maxTrials bounds counts such that the rounding error of the log-gamma function, 2⁻⁵³·n·log n, stays below 0.004.
const maxTrials = 1 << 40

// counts reports whether there can be so many successes among so many trials.
func counts(successes, trials int) bool {
	return 0 <= successes && successes <= trials && trials <= maxTrials
}

// Proportion is a confidence sequence for the probability of success: one may look after every trial and stop at will.
//
// It consists of the probabilities p against which the evidence, the mixture of likelihood ratios over q ~ Beta(1/2,
// 1/2),
//
//	B(s+1/2, f+1/2)/B(1/2, 1/2) / (p^s (1-p)^f)
//
// after s successes and f failures, is less than 1/alpha; found by bisection and rounded outwards.
//
// Assumption: the trials have this probability, each given the ones before it.
//
// Level: anytime. Over all numbers of trials together it misses with probability at most alpha (Ville's inequality).
//
// Invalid without trials and for impossible counts.
//
// Source: Robbins, Ann. Math. Statist. 41 (1970) 1397 for the method; Krichevsky and Trofimov, IEEE Trans. Inform.
// Theory 27 (1981) 199 for the mixture.
func Proportion(successes, trials int, alpha float64) Interval {
	if !counts(successes, trials) || trials == 0 || !level(alpha) {
		return invalid(alpha)
	}
	return proportions.of([3]float64{float64(successes), float64(trials), alpha}, func() Interval {
		return mixedProportion(successes, trials, alpha)
	})
}

var proportions memo[[3]float64, Interval]

func mixedProportion(successes, trials int, alpha float64) Interval {
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

// bernoulliMixture is log(B(s+1/2, f+1/2)/B(1/2, 1/2)); B(1/2, 1/2) = π.
func bernoulliMixture(successes, trials int) float64 {
	s, f := float64(successes), float64(trials-successes)
	a, _ := math.Lgamma(s + 0.5)
	b, _ := math.Lgamma(f + 0.5)
	c, _ := math.Lgamma(s + f + 1)
	return a + b - c - math.Log(math.Pi)
}

// bernoulliLog is log(p^s (1-p)^f), where 0⁰ = 1.
func bernoulliLog(successes, trials int, p float64) float64 {
	log := 0.0
	if s := float64(successes); s > 0 {
		log += s * math.Log(p)
	}
	if f := float64(trials - successes); f > 0 {
		log += f * math.Log1p(-p)
	}
	return log
}

// ProportionMargin is the equivalence margin in which [Proportion] after n trials at level alpha accepts a true
// probability p of success with probability at least 1-gamma, by exact binomial tails. It is NaN when an argument is
// out of range.
func ProportionMargin(p float64, n int, alpha, gamma float64) float64 {
	if !(p >= 0 && p <= 1) || !counts(0, n) || n == 0 || !level(alpha) || !level(gamma) {
		return math.NaN()
	}
	hi := highCount(n, p, gamma/2)
	lo := n - highCount(n, 1-p, gamma/2)
	return max(Proportion(hi, n, alpha).Hi-p, p-Proportion(lo, n, alpha).Lo)
}

// mixtureVariance is ρ of the normal mixture below, in units of one draw. It decides at how many draws the mixture is
// most sensitive (some 40ρ at alpha = 1e-8, 8ρ at 0.05) and nothing else.
const mixtureVariance = 2.5

// SubGaussianMean is a confidence sequence for the mean of draws: one may look after every draw and stop at will. It is
//
//	average ± sigma/n · sqrt((n+ρ) log((n+ρ)/(ρ alpha²))), ρ = 2.5,
//
// the means m against which the evidence of S = Σ(x-m), the mixture of exp(λS - nλ²sigma²/2) over normal λ of
// variance 1/(ρ sigma²), is less than 1/alpha:
//
//	sqrt(ρ/(n+ρ)) exp(S²/(2 sigma² (n+ρ))).
//
// Assumption: the draws are sub-Gaussian with a known constant, E exp(λ(x-m)) ≤ exp(λ²sigma²/2) for all λ, each given
// the ones before it. A normal law has its standard deviation for sigma, a law on an interval half of its length
// (Hoeffding), an L-Lipschitz function on the sphere in d dimensions L/√(d-1).
//
// Level: anytime. Over all numbers of draws together it misses with probability at most alpha (Ville's inequality).
//
// Invalid without draws, when one is not finite, and when sigma is not positive.
//
// Source: Robbins, Ann. Math. Statist. 41 (1970) 1397; Howard, Ramdas, McAuliffe, Sekhon, arXiv 1810.08240, two-sided
// normal mixture.
func SubGaussianMean(xs []float64, sigma, alpha float64) Interval {
	if len(xs) == 0 || !(sigma > 0) || !level(alpha) {
		return invalid(alpha)
	}
	n, mean := float64(len(xs)), average(xs)
	total := n + mixtureVariance
	half := sigma / n * math.Sqrt(total*(math.Log(total/mixtureVariance)-2*math.Log(alpha)))
	return Interval{mean, mean - half, mean + half, alpha}
}

// subGaussianEvidence is the logarithm of the evidence above.
func subGaussianEvidence(xs []float64, m, sigma float64) float64 {
	n := float64(len(xs))
	s := n * (average(xs) - m) / sigma
	return (math.Log(mixtureVariance/(n+mixtureVariance)) + s*s/(n+mixtureVariance)) / 2
}

// bernoulliEvidence is the logarithm of the evidence against p that [Proportion] rests on.
func bernoulliEvidence(successes, trials int, p float64) float64 {
	return bernoulliMixture(successes, trials) - bernoulliLog(successes, trials, p)
}
