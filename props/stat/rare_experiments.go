package stat

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/thm-suite/thm/internal/list"
)

// rareExperiments lists what is calibrated at the level used. Add here. Tilting the laws takes longer than sampling
// from them and is done once.
var rareExperiments = sync.OnceValue(func() []rare {
	skewed := lognormalLaw("lognormal, skewness 1.4", 1.4)
	mirrored := skewed.mirrored("lognormal, skewness -1.4")
	one, eight := chiSquaredLaw("χ², 1 degree of freedom", 1), chiSquaredLaw("χ², 8 degrees of freedom", 8)
	cosine := squaredCosineLaw("squared cosine in 8 dimensions", 8)
	heavy := studentLaw("Student's t, 5 degrees of freedom", 5)
	coin, normal := coinLaw("coin, 0.3", 0.3), normalLaw()
	return []rare{
		studentMisses(normal, 40, CriterionAlpha),
		medianMisses(Median, skewed, 31),
		medianMisses(Median, skewed, 64),
		medianMisses(Median, mirrored, 40),
		medianMisses(Median, one, 40),
		medianMisses(Median, heavy, 40),
		rankMisses(RankMean, skewed, 64),
		rankMisses(RankMean, mirrored, 64),
		rankMisses(RankMean, one, 120),
		rankMisses(RankMean, cosine, 120),
		rankMisses(RankMean, coin, 120),
		subGammaMisses("ChiSquared", ChiSquared(8), eight, 40),
		subGammaMisses("ChiSquared", ChiSquared(1), one, 200),
		subGammaMisses("ChiSquared", ChiSquared(1), cosine, 200),
		subGammaMisses("Bounded", Bounded(coin.sd, 0.7), coin, 200),
		subGammaMisses("Normal", Normal(1), normal, 24),
		proportionMisses(0.3, 400),
		subGaussianMisses(400),
		medianSticks(NormalTail, normal, 40),
		medianSticks(SkewedTail(1.4), skewed, 40),
		medianSticks(SkewedTail(-1.4), mirrored, 64),
		medianSticks(SkewedTail(1.4), skewed, 400),
		medianSticks(SkewedTail(eight.skewness), eight, 64),
		medianSticks(HeavyTail(5), heavy, 64),
		subGammaSticks("ChiSquared", ChiSquared(8), eight, 40),
		subGammaSticks("Bounded", Bounded(coin.sd, 0.7), coin, 200),
		proportionSticks(0.3, 2000),
	}
})

// studentMisses measures how often Student's interval misses the mean.
func studentMisses(l *law, n int, alpha float64) rare {
	t := studentQuantile(alpha/2, float64(n-1))
	small, large := l.selfNormalised(l.mean, t, n, false), l.selfNormalised(l.mean, t, n, true)
	return missing("Mean", Mean, l, n, l.mean, alpha, small, large)
}

// medianMisses measures how often the interval for a median misses it.
func medianMisses(median sequence, l *law, n int) rare {
	return ordered("Median", median, l, n, l.median(), 0)
}

// rankMisses measures how often the interval for a mean between order statistics misses it.
func rankMisses(mean func(xs []float64, lean, alpha float64) Interval, l *law, n int) rare {
	lean := l.lean()
	interval := func(xs []float64, alpha float64) Interval { return mean(xs, lean, alpha) }
	return ordered("RankMean", interval, l, n, l.mean, lean)
}

// ordered tilts towards one draw less beyond the value than the interval would need.
func ordered(procedure string, interval sequence, l *law, n int, value, lean float64) rare {
	few := (float64(lowRank(n, 0.5-lean, CriterionAlpha/2)) - 0.5) / float64(n)
	return missing(procedure, interval, l, n, value, CriterionAlpha, l.split(value, few), l.split(value, 1-few))
}

func subGammaMisses(name string, s SubGamma, l *law, n int) rare {
	half := s.half(n, CriterionAlpha)
	small, large := l.shifted(l.mean-half), l.shifted(l.mean+half)
	return missing("SubGamma, "+name, s.Mean, l, n, l.mean, CriterionAlpha, small, large)
}

// medianSticks measures how often the interval for a median sticks out of the margin planned for it with a tail.
func medianSticks(tail Tail, l *law, n int) rare {
	margin := MedianMargin(tail, l.sd, n, CriterionAlpha, CriterionUndecided)
	many := float64(lowRank(n, 0.5, CriterionAlpha/2)) / float64(n)
	small, large := l.split(l.mean-margin, 1-many), l.split(l.mean+margin, many)
	return sticking("Median in MedianMargin", Median, l, n, l.mean, margin, small, large)
}

func subGammaSticks(name string, s SubGamma, l *law, n int) rare {
	margin, half := s.Margin(n, CriterionAlpha, CriterionUndecided), s.half(n, CriterionUndecided)
	small, large := l.shifted(l.mean-half), l.shifted(l.mean+half)
	return sticking("SubGamma, "+name+", in its Margin", s.Mean, l, n, l.mean, margin, small, large)
}

// proportionMisses is the probability that the sequence ever rejects the true probability of success within so many
// looks, by a sum over all paths that have not yet left.
func proportionMisses(p float64, looks int) rare {
	return rare{procedure: "Proportion, at every trial", distribution: "coin, 0.3", quantity: "misses", draws: looks,
		nominal: CriterionAlpha, exactly: func() float64 {
			alive, missed := []float64{1}, 0.0
			for n := 1; n <= looks; n++ {
				next := make([]float64, n+1)
				for s, mass := range alive {
					next[s] += mass * (1 - p)
					next[s+1] += mass * p
				}
				for s := range next {
					if bernoulliEvidence(s, n, p) >= -math.Log(CriterionAlpha) {
						missed += next[s]
						next[s] = 0
					}
				}
				alive = next
			}
			return missed
		}}
}

// proportionSticks is the probability that the sequence at one look sticks out of the margin planned for it, as a sum
// over all counts.
func proportionSticks(p float64, n int) rare {
	return rare{procedure: "Proportion in ProportionMargin", distribution: "coin, 0.3", quantity: "undecided", draws: n,
		nominal: CriterionUndecided, exactly: func() float64 {
			margin := ProportionMargin(p, n, CriterionAlpha, CriterionUndecided)
			inside := func(s int) bool { return Proportion(s, n, CriterionAlpha).inside(p, margin) }
			lo, hi := int(p*float64(n)), int(p*float64(n))
			for inside(lo - 1) {
				lo--
			}
			for inside(hi + 1) {
				hi++
			}
			return binomialAtMost(lo-1, n, p) + binomialAtLeast(hi+1, n, p)
		}}
}

// subGaussianMisses measures how often the sequence misses the mean of normal draws at one of many looks. The draws are
// sampled under the mixture over means that the sequence is made of, where they leave sooner or later; at that look the
// likelihood ratio is the evidence.
func subGaussianMisses(last int) rare {
	const mean, sigma = 1.0, 2.0
	left := func(xs []float64) int {
		for n := 4; n <= len(xs); n += max(1, n/8) {
			if !SubGaussianMean(xs[:n], sigma, CriterionAlpha).covers(mean) {
				return n
			}
		}
		return 0
	}
	return rare{procedure: "SubGaussianMean, at many looks", distribution: "normal", quantity: "misses", draws: last,
		nominal: CriterionAlpha, sides: []side{{
			sample: func(r *rand.Rand) ([]float64, float64) {
				at := mean + sigma*r.NormFloat64()/math.Sqrt(mixtureVariance)
				xs := list.Fill(last, func(int) float64 { return at + sigma*r.NormFloat64() })
				return xs, -subGaussianEvidence(xs[:max(1, left(xs))], mean, sigma)
			},
			happens: func(xs []float64) bool { return left(xs) > 0 },
		}}}
}
