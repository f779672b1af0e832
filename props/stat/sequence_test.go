package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Under the hypothesis the evidence has expectation exactly one (it is a martingale that starts at one). Everything
// that the sequences promise follows from this.
func TestBernoulliEvidenceIsFair(t *testing.T) {
	for n := 0; n <= 30; n++ {
		for _, p := range []float64{1e-3, 0.3, 0.5, 0.9} {
			sum := 0.0
			for s := 0; s <= n; s++ {
				paths := combin.LogGeneralizedBinomial(float64(n), float64(s))
				sum += math.Exp(paths + bernoulliLog(s, n, p) + bernoulliEvidence(s, n, p))
			}
			near(t, sum, 1, 1e-12, "expectation") // logarithms below 100, each within a few ulp
		}
	}
}

func TestSubGaussianEvidenceIsFair(t *testing.T) {
	// The e-value depends on the sum of n draws alone, which is normal. In units of its standard deviation, z, the
	// integrand falls off as exp(-ρz²/2(n+ρ)): 12 sqrt((n+ρ)/ρ) leave out less than 1e-30.
	for _, n := range []int{1, 5, 100} {
		const mu, sigma = -3, 0.5
		reach := 12 * math.Sqrt((float64(n)+mixtureVariance)/mixtureVariance)
		expectation := quad.Fixed(func(z float64) float64 {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = mu + sigma*z/math.Sqrt(float64(n))
			}
			return math.Exp(subGaussianEvidence(xs, mu, sigma) + distuv.UnitNormal.LogProb(z))
		}, -reach, reach, 200, nil, 0)
		near(t, expectation, 1, 1e-10, "expectation")
	}
}

func rejects(evidence, alpha float64) bool { return evidence >= -math.Log(alpha) }

// The ends of a sequence are where its evidence begins to reject.
func TestEndsAreWhereTheEvidenceRejects(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 1}, {3, 10}, {0, 50}, {50, 50}, {999, 1000}, {123456, 1 << 30}} {
		for _, alpha := range []float64{0.05, CriterionAlpha} {
			iv := Proportion(c[0], c[1], alpha)
			require.True(t, iv.Valid(), "%v", iv)
			width := iv.Hi - iv.Lo
			if iv.Lo > 0 {
				require.True(t, rejects(bernoulliEvidence(c[0], c[1], iv.Lo), alpha))
				require.False(t, rejects(bernoulliEvidence(c[0], c[1], iv.Lo+1e-6*width), alpha))
			}
			if iv.Hi < 1 {
				require.True(t, rejects(bernoulliEvidence(c[0], c[1], iv.Hi), alpha))
				require.False(t, rejects(bernoulliEvidence(c[0], c[1], iv.Hi-1e-6*width), alpha))
			}
		}
	}
	xs := gaussian.sample(stream("ends"), 17)
	iv := SubGaussianMean(xs, 2, CriterionAlpha)
	for _, end := range []float64{iv.Lo, iv.Hi} {
		require.False(t, rejects(subGaussianEvidence(xs, iv.Estimate+(end-iv.Estimate)*(1-1e-9), 2), CriterionAlpha))
		require.True(t, rejects(subGaussianEvidence(xs, iv.Estimate+(end-iv.Estimate)*(1+1e-9), 2), CriterionAlpha))
	}
}

func TestSequencesByHand(t *testing.T) {
	// One success: the evidence is (1/2)/p, and reaches 1/alpha at p = alpha/2.
	iv := Proportion(1, 1, 0.05)
	near(t, iv.Lo, 0.025, 100*ulp, "lower end")
	near(t, iv.Hi, 1, 0, "upper end")
	// Two draws, 0 and 2, with σ = 3: 3/2·sqrt(4.5·log(4.5/2.5/alpha²)).
	iv = SubGaussianMean([]float64{0, 2}, 3, 0.05)
	near(t, iv.Hi-1, 1.5*math.Sqrt(4.5*math.Log(1.8/0.0025)), 10*ulp, "half-width")
}
