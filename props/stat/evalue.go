package stat

import "math"

// EValue is evidence against a hypothesis. Under the hypothesis exp(Log) has expectation at most one at every moment at
// which one may choose to stop, so that it ever reaches 1/alpha with probability at most alpha (Ville's inequality).
type EValue struct {
	Log float64 `json:"log"` // natural logarithm; 0 is no evidence
}

// Product is the evidence of independent shards together: e-values multiply. The product of none is no evidence.
func Product(shards ...EValue) EValue {
	var p EValue
	for _, e := range shards {
		p.Log += e.Log
	}
	return p
}

// Rejects reports whether the evidence rejects the hypothesis at false-alarm rate alpha. Evidence that is NaN and a level
// outside (0, 1) reject: what broke does not stand.
func (e EValue) Rejects(alpha float64) bool {
	stands := level(alpha) && e.Log < -math.Log(alpha)
	return !stands
}

// maxTrials bounds counts such that the rounding error of the log-gamma function, 2⁻⁵³·n·log n, stays below 0.004.
const maxTrials = 1 << 40

// counts reports whether there can be so many successes among so many trials.
func counts(successes, trials int) bool {
	return 0 <= successes && successes <= trials && trials <= maxTrials
}

// BernoulliEValue is the evidence against the probability p of success, as the mixture of likelihood ratios over
// q ~ Beta(1/2, 1/2). With s successes and f failures it is
//
//	B(s+1/2, f+1/2)/B(1/2, 1/2) / (p^s (1-p)^f).
//
// It is NaN for impossible counts and for p outside [0, 1].
//
// Source: Robbins, Ann. Math. Statist. 41 (1970) 1397 for the method; Krichevsky and Trofimov, IEEE Trans. Inform.
// Theory 27 (1981) 199 for the mixture.
func BernoulliEValue(successes, trials int, p float64) EValue {
	if !counts(successes, trials) || !(p >= 0 && p <= 1) {
		return EValue{math.NaN()}
	}
	return EValue{bernoulliMixture(successes, trials) - bernoulliLog(successes, trials, p)}
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

// mixtureVariance is ρ of the normal mixture below, in units of one draw. It decides at how many draws the mixture is
// most sensitive (some 40ρ at alpha = 1e-8, 8ρ at 0.05) and nothing else.
const mixtureVariance = 2.5

// SubGaussianEValue is the evidence of independent draws against the mean mu, where E exp(λ(x-mean)) ≤ exp(λ²sigma²/2)
// for all λ: the mixture of exp(λS - nλ²sigma²/2) over normal λ of variance 1/(ρ sigma²), S = Σ(x-mu),
//
//	sqrt(ρ/(n+ρ)) exp(S²/(2 sigma² (n+ρ))).
//
// It is NaN when a number is not finite or sigma is not positive.
//
// Source: Robbins, Ann. Math. Statist. 41 (1970) 1397; Howard, Ramdas, McAuliffe, Sekhon, arXiv 1810.08240, two-sided
// normal mixture.
func SubGaussianEValue(xs []float64, mu, sigma float64) EValue {
	n := float64(len(xs))
	s := n * (average(xs) - mu) / sigma
	if !(sigma > 0) || math.IsInf(sigma, 1) || math.IsInf(s, 0) || math.IsNaN(s) {
		return EValue{math.NaN()}
	}
	return EValue{(math.Log(mixtureVariance/(n+mixtureVariance)) + s*s/(n+mixtureVariance)) / 2}
}
