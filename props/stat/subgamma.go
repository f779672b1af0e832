package stat

import "math"

// SubGamma is a proven bound on the moment generating function of a draw X with mean m,
//
//	log E exp(λ(X-m)) ≤ λ²·Variance/(2(1-Scale·|λ|)) for |λ| < 1/Scale,
//
// and with Scale 0 that of a sub-Gaussian draw. [Normal], [ChiSquared] and [Bounded] have it. For n independent draws
// with different constants take the average of the variances and the largest scale.
//
// Source: Boucheron, Lugosi, Massart, Concentration Inequalities (2013), sections 2.4 and 2.8; Laurent and Massart,
// Ann. Statist. 28 (2000) 1302, lemma 1.
type SubGamma struct{ Variance, Scale float64 }

// Normal is the bound of a normal law, an equality.
func Normal(sd float64) SubGamma { return SubGamma{sd * sd, 0} }

// ChiSquared is the bound of χ²/k for k degrees of freedom. It is also that of an average of b draws of a χ²/r with
// br = k, and of every law of mean 1 that the χ²/k dominates in convex order, such as the squared length of r
// coordinates of a random point of the sphere in d dimensions times d/r, for k = r: χ²(r) is that squared length
// times an independent χ²(d), so it is its conditional mean.
func ChiSquared(k float64) SubGamma { return SubGamma{2 / k, 2 / k} }

// Bounded is the bound of a law with the given standard deviation, or less, of which no draw lies farther from the
// mean than reach (Bernstein's inequality).
func Bounded(sd, reach float64) SubGamma { return SubGamma{sd * sd, reach / 3} }

// Mean is the interval average ± (√(2·Variance·L/n) + Scale·L/n), L = log(2/alpha), for the mean of n independent
// draws.
//
// Assumption: independence, and the bound. It is the bound of the claimed law: if the claim is true the level holds
// exactly, and if it is false the interval may miss what is true instead.
//
// Level: one look at a number of draws fixed in advance; each end is beyond the mean with probability at most
// alpha/2, for every n.
//
// Invalid without draws, when one is not finite, and when the constants are not (Variance positive, Scale at least 0).
func (s SubGamma) Mean(xs []float64, alpha float64) Interval {
	mean, half := average(xs), s.half(len(xs), alpha)
	if math.IsNaN(half) || math.IsInf(half, 0) {
		return invalid(alpha)
	}
	return Interval{mean, mean - half, mean + half, alpha}
}

// half is the half-width at level alpha, NaN when there is none.
func (s SubGamma) half(n int, alpha float64) float64 {
	if n < 1 || !(s.Variance > 0) || !(s.Scale >= 0) || !level(alpha) {
		return math.NaN()
	}
	l := math.Log(2/alpha) / float64(n)
	return math.Sqrt(2*s.Variance*l) + s.Scale*l
}

// Margin is the equivalence margin in which [SubGamma.Mean] of n draws at level alpha accepts a true claim with
// probability at least 1-gamma: the sum of the half-widths at alpha and at gamma. It is proven under the same
// assumption. A bias has to be added.
func (s SubGamma) Margin(n int, alpha, gamma float64) float64 {
	return s.half(n, alpha) + s.half(n, gamma)
}
